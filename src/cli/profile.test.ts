/**
 * Risk: a store profile that a user asks for and does not get, or that a failure does not name, so that the run cannot
 * be repeated.
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plantedBugs } from "../../scenarios/canaries/index.ts";
import { catalog } from "../../scenarios/index.ts";
import { runLine, type Told } from "./example-io.ts";
import { packageShelf } from "./shelf.ts";

function baton(line: string): Promise<Told> {
  const folder = mkdtempSync(join(tmpdir(), "baton-profile-"));
  const shelf = { ...packageShelf(), catalog, bugs: plantedBugs, pinnedFolder: join(folder, "pinned") };
  return runLine(line, shelf, folder);
}

test("runs are spread over all sound profiles unless one is asked for", async () => {
  const spread = await baton("sim two-node-handoff --seeds 40 --seed 1");
  expect(spread.code).toBe(0);
  for (const name of ["aws-s3", "s3-express", "r2", "gcs", "azure", "minio", "ceph"])
    expect(spread.out).toMatch(new RegExp(`store profiles .*${name} \\d`));
  const one = await baton("sim two-node-handoff --seeds 5 --seed 1 --profile gcs");
  expect(one.out).toMatch(/store profiles +gcs 5\n/);
  expect((await baton("sim two-node-handoff --seeds 5 --seed 1 --profile all")).code).toBe(0);
});

test("a profile that there is not is a usage error that names the nearest one", async () => {
  const { code, err } = await baton("sim --profile aws-s4");
  expect([code, err]).toEqual([2, "error: unknown store profile 'aws-s4'; did you mean aws-s3?\n"]);
});

test("a failure names its store and the kinds of faults that were on, also in its replay file", async () => {
  const { code, out, folder } = await baton(
    "sim everything --seeds 20 --seed 1 --profile conditions-ignored",
  );
  expect(code).toBe(1);
  expect(out).toMatch(/store conditions-ignored; faults on: [FNCDSH]\d\d-/);
  expect(out).toMatch(
    /again: npx baton replay --scenario everything --seed \d+ --profile conditions-ignored/,
  );
  const path = /file: +(\S+)/.exec(out)?.[1] ?? "";
  const file = JSON.parse(readFileSync(join(folder, path), "utf8"));
  expect(file.options).toMatchObject({ profile: "conditions-ignored" });
  expect(file.outcome.profile).toBe("conditions-ignored");
  expect(file.outcome.faults.length).toBeGreaterThan(0);
});
