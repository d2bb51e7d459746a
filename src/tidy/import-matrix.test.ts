/**
 * Risk: an import against the arrows is let through, and the engine and its simulator grow together.
 */
import { describe, expect, it } from "vitest";
import { importMatrix } from "./import-matrix.ts";
import { treeOf } from "./tree.ts";

/** What the rule says of one import, or null; every file it may name exists. */
function verdict(path: string, statement: string): string | null {
  const others = [
    "src/std/json.ts",
    "src/ports/index.ts",
    "src/protocol/send.ts",
    "src/engine/engine.ts",
    "src/engine/node.ts",
    "src/adapters/memory.ts",
    "src/index.ts",
    "src/cli/main.ts",
    "sim/index.ts",
    "sim/store/store.ts",
    "sim/history/history.ts",
    "scenarios/catalog.ts",
    "ledger/record.ts",
  ].filter((other) => other !== path);
  const files = [{ path, text: statement }, ...others.map((other) => ({ path: other, text: "" }))];
  return importMatrix.check(treeOf(files))[0]?.message ?? null;
}

describe("an import along the arrows is allowed", () => {
  it.each([
    ["src/ports/a.ts", 'import type { Json } from "../std/json.ts";'],
    ["src/engine/a.ts", 'import { send } from "../protocol/send.ts";'],
    ["src/engine/a.test.ts", 'import { memory } from "../adapters/memory.ts";'],
    ["src/engine/a.test.ts", 'import { it } from "vitest";'],
    ["src/cli/main.ts", 'import { catalog } from "../../scenarios/catalog.ts";'],
    ["src/std/hash.ts", 'import { hash } from "node:crypto";'],
    ["src/std/a.ts", 'import seedrandom from "seedrandom";'],
    ["sim/kernel/a.ts", 'import { store } from "../store/store.ts";'],
    ["sim/kernel/drain.ts", 'import { AsyncLocalStorage } from "node:async_hooks";'],
    ["sim/canaries/a.ts", "export const load = (url: string) => import(url);"],
    ["scenarios/a.ts", 'import { engine } from "../src/index.ts";'],
    ["ledger/a.ts", 'import { catalog } from "../scenarios/catalog.ts";'],
    ["reports/a.ts", 'import type { RunHistory } from "../sim/history/history.ts";'],
  ])("%s: %s", (path, statement) => {
    expect(verdict(path, statement)).toBeNull();
  });
});

describe("an import against the arrows is named", () => {
  it.each([
    ["src/std/a.ts", 'import "../ports/index.ts";', "src/std may import nothing but itself"],
    ["src/protocol/a.ts", 'import "../ports/index.ts";', "src/protocol may import"],
    ["src/engine/a.ts", 'import type { Store } from "../../sim/store/store.ts";', "src/engine may import"],
    ["src/engine/a.ts", 'export { memory } from "../adapters/memory.ts";', "src/engine may import"],
    ["src/engine/a.ts", 'type A = import("../cli/main.ts").A;', "src/engine may import"],
    ["src/workflow/a.ts", 'import "../engine/node.ts";', "src/workflow may import"],
    ["src/index.ts", 'import "./cli/main.ts";', "src/index.ts may import"],
    ["sim/kernel/a.ts", 'import { engine } from "../../src/index.ts";', "sim may import"],
    ["sim/kernel/a.test.ts", 'import { Engine } from "../../src/engine/engine.ts";', "sim may import"],
    ["scenarios/a.ts", 'import { node } from "../src/engine/node.ts";', "scenarios may import"],
    ["scenarios/a.ts", 'import { store } from "../sim/store/store.ts";', "scenarios may import"],
    ["ledger/a.ts", 'import "../src/index.ts";', "ledger may import"],
    ["reports/a.ts", 'import "../sim/index.ts";', "reports may import"],
    ["src/engine/a.ts", 'import "./engine";', "write the path in full"],
    ["src/engine/a.ts", 'import { it } from "vitest";', "only tests have"],
    ["src/engine/a.ts", 'import { Command } from "commander";', "only src/cli"],
    ["src/engine/a.ts", 'import leftPad from "left-pad";', "which nobody may"],
    ["src/engine/a.ts", 'import { readFile } from "fs";', "which nobody may"],
    ["src/engine/a.ts", 'import { hash } from "node:crypto";', "may touch the machine"],
    ["src/std/a.ts", 'import { hash, randomUUID } from "node:crypto";', "is not pure"],
    ["src/std/a.ts", 'import * as crypto from "node:crypto";', "is not pure"],
    ["src/engine/a.ts", 'await import("node:fs");', "may touch the machine"],
    ["src/engine/a.ts", 'const fs = require("node:fs");', "may touch the machine"],
    ["src/engine/a.ts", "export const load = (url: string) => import(url);", "computed name"],
    ["src/rest/a.ts", "export const a = 1;", "no part of the architecture"],
  ])("%s: %s", (path, statement, message) => {
    expect(verdict(path, statement)).toContain(message);
  });
});
