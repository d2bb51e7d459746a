/**
 * The command that plays the scripts. Risk: a worker of somebody else that cannot be held against them.
 */
import { expect, it } from "vitest";
import { runLine } from "../example-io.ts";
import { packageShelf } from "../shelf.ts";

it("the scripts are listed, and a command is asked for", async () => {
  expect((await runLine("conformance --list", packageShelf(), ".")).out.split("\n").length).toBeGreaterThan(
    70,
  );
  const told = await runLine("conformance", packageShelf(), ".");
  expect([told.code, told.err]).toEqual([2, expect.stringContaining("how the worker is started")]);
});
