/**
 * The commands of the README, and those of the workflow that is there to be pasted, are run as they stand there, with
 * fewer runs. Risk: a page that shows what does not work.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installAmbientTrap, packageRoot } from "../../sim/index.ts";
import { runLine } from "./example-io.ts";
import { packageShelf } from "./shelf.ts";

const PLANTED = /--plant /;
/** Enough to meet the planted bug, few enough to be quick. */
const RUNS = { planted: 70, sound: 4 };

const page = readFileSync(join(packageRoot(), "README.md"), "utf8");
const commands = [...page.matchAll(/npx baton ([a-z][^\n`#]*)/g)].map(([, line]) => (line ?? "").trim());
/** A server ends when it is told to; the page's first workflow is run against one of its own. */
const unique = [...new Set(commands)].filter((line) => line !== "serve");
let folder = "";

beforeAll(() => {
  installAmbientTrap();
  folder = mkdtempSync(join(tmpdir(), "baton-readme-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The command with fewer runs, one thread and a file that is there. */
function quick(line: string): string {
  const runs = `--seeds ${PLANTED.test(line) ? RUNS.planted : RUNS.sound}`;
  const [name] = line.split(" ");
  if (name === "sim")
    return `${line.replace(/ --jobs \d+/, "").replace(/ --seeds \d+/, "")} ${runs} --no-shrink`;
  if (name === "explore") return `${line} --faults 0`;
  if (name === "mutants" && !line.includes("--list"))
    return "mutants own-412-applied-again --seeds-per-bug 1 --strategy mix";
  const [file] = readdirSync(join(folder, "reports")).filter((path) => path.endsWith(".json"));
  return line.replace("reports/FILE.json", `reports/${file}`);
}

/** The run with the planted bug comes first: other commands take its replay file. */
const inOrder = [...unique].sort((a, b) => Number(PLANTED.test(b)) - Number(PLANTED.test(a)));

it("shows commands for each part of the harness", () => {
  const names = new Set(unique.map((line) => line.split(" ")[0]));
  for (const name of ["sim", "replay", "shrink", "explore", "mutants", "scenarios"])
    expect(names).toContain(name);
});

it.each(inOrder)("npx baton %s", { timeout: 120_000 }, async (line) => {
  const told = await runLine(quick(line), packageShelf(), folder);
  const fails = PLANTED.test(line) || /^(replay|shrink)/.test(line);
  expect([told.code, told.err.includes("error:")]).toEqual([fails ? 1 : 0, false]);
});

it("a first workflow that runs as it stands there", { timeout: 60_000 }, async () => {
  let [out, stop] = ["", (): void => undefined];
  const serving = runLine("serve --store memory: --bind 127.0.0.1:0 --log silent", packageShelf(), folder, {
    out: (text) => {
      out += text;
    },
    onStop: (listener) => {
      stop = listener;
    },
  });
  await expect.poll(() => out, { timeout: 20_000 }).toMatch(/on http:\S+/);
  const [, block = ""] = /```js\n(.*?)```/s.exec(page) ?? [];
  const shown = block.replace("http://127.0.0.1:4321", /http:\S+/.exec(out)?.[0] ?? "");
  const file = join(folder, "first.mjs");
  const resolveDir = join(packageRoot(), "src");
  const alias = { baton: join(resolveDir, "index.ts") };
  const stdin = { contents: shown, resolveDir };
  await build({
    stdin,
    alias,
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let told = "";
  child.stdout.on("data", (data) => {
    told += data;
  });
  await expect.poll(() => told, { timeout: 30_000 }).toBe("the count is 2\n");
  child.kill("SIGTERM");
  stop();
  expect([await ended, (await serving).code]).toEqual([0, 0]);
});

it("a workflow whose shards make their runs and whose merge misses none of them", {
  timeout: 120_000,
}, async () => {
  const yaml =
    /```yaml\n(.*?)```/s.exec(readFileSync(join(packageRoot(), "sim", "README.md"), "utf8"))?.[1] ?? "";
  const [sim, merge] = [...yaml.matchAll(/npx baton ((?:sim|merge)[^>]*?)(?= > |\n *- )/g)].map(
    ([, line]) => line ?? "",
  );
  const shards = (/shard: \[(.*)\]/.exec(yaml)?.[1] ?? "").split(", ");
  expect(shards.length).toBeGreaterThan(1);
  for (const shard of shards) {
    const line = (sim ?? "")
      .replaceAll(/\$\{\{ matrix\.shard \}\}/g, shard)
      .replace(/\$\{\{ github\.sha \}\}/, "0123456789abcdef0123456789abcdef01234567")
      .replace("--for 10m --jobs 4", "--seeds 5")
      .replaceAll(/\s+/g, " ");
    const { code, out } = await runLine(line, packageShelf(), folder);
    expect(code).toBe(0);
    writeFileSync(join(folder, `result-${shard}.json`), out);
  }
  const files = shards.map((shard) => `result-${shard}.json`).join(" ");
  const whole = await runLine((merge ?? "").replace("result-*.json", files), packageShelf(), folder);
  expect([whole.code, whole.err]).toEqual([0, "page: reports/campaign.html\n"]);
  expect(whole.out).toMatch(/^runs +5 of /);
  expect(readdirSync(join(folder, "reports"))).toEqual(
    expect.arrayContaining(["campaign.html", "junit.xml", ...shards.map((shard) => `junit-${shard}.xml`)]),
  );
});
