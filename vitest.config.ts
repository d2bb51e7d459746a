import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take minutes: they begin first, or the last one runs on alone while the other processes are idle. */
const LONGEST = [
  "scenarios/canaries/canaries.test.ts",
  "src/cli/pages/pages.browser.test.ts",
  "src/cli/chaos/chaos.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((path) => moduleId.endsWith(path));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    include: ["{src,sim,scenarios,ledger,reports,examples}/**/*.test.ts"],
    globalSetup: "src/cli/temporary-folders.ts",
    testTimeout: 60_000,
    pool: "forks",
    // One more than the default on two cores: many files wait for processes of their own.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
  },
});
