import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{src,sim,scenarios,ledger,reports,examples}/**/*.test.ts"],
    globalSetup: "src/cli/temporary-folders.ts",
    testTimeout: 60_000,
    pool: "forks",
    // One more than the default on two cores: many files wait for processes of their own.
    maxWorkers: 2,
  },
});
