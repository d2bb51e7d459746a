/**
 * Risk: a history that explains away what a broken store did, or one that blames a sound one.
 *
 * Nobody watches a real store, so its chains are guesses from what was seen; here what was seen is made by hand.
 */
import { describe, expect, test } from "vitest";
import { STORE_CHECKERS } from "../../sim/index.ts";
import { IF_ABSENT, ifMatch } from "../../src/ports/object-store.ts";
import type { FinalObject } from "./chains.ts";
import { type ProcessLog, readLog } from "./log-lines.ts";
import { recorded, recordOf } from "./run-history.ts";
import { LogStory } from "./story-of-store.ts";

const OK = (etag: string) => ({ kind: "ok", etag }) as const;
const FOUND = (body: string, etag: string) => ({ kind: "ok", body, etag }) as const;
const REFUSED = { kind: "precondition-failed" } as const;
const ABSENT = { kind: "not-found" } as const;

function record(logs: readonly ProcessLog[], objects: readonly FinalObject[] | null) {
  return recordOf(logs, { healedAtMs: null, endedAtMs: 1_000, objects });
}

/** The chain of `k`, as bodies, and what is wrong with the run. */
function told(logs: readonly ProcessLog[], objects: readonly FinalObject[] | null = null) {
  const run = record(logs, objects);
  const chain = (run.history.chains.get("k") ?? []).map(
    ({ body, operation }) => `${operation.process} ${body}`,
  );
  const wrong = [
    recorded.check(run.history, run),
    ...STORE_CHECKERS.map((one) => one.check(run.history, null)),
  ];
  return { chain, wrong: wrong.flatMap(({ violations }) => violations.map(({ message }) => message)) };
}

const one: FinalObject = { key: "k", body: "one", etag: "e1" };
const two: FinalObject = { key: "k", body: "two", etag: "e2" };

/** A sound beginning: a creation and a change of it. */
function begin(): LogStory {
  return new LogStory()
    .put("a", "k", "one", IF_ABSENT, OK("e1"))
    .get("b", "k", FOUND("one", "e1"))
    .put("b", "k", "two", ifMatch("e1"), OK("e2"));
}

describe("a sound store", () => {
  test("has the chain that its conditions tell", () => {
    expect(told(begin().logs, [two])).toEqual({ chain: ["a one", "b two"], wrong: [] });
  });

  test("is not blamed for a write that nobody was answered and that left no trace", () => {
    const logs = begin().put("c", "k", "three", ifMatch("e2"), null).logs;
    expect(told(logs, [two])).toEqual({ chain: ["a one", "b two"], wrong: [] });
  });

  test("gets the unanswered write that somebody read, and the one that is there at the end", () => {
    const logs = begin()
      .put("c", "k", "three", ifMatch("e2"), null)
      .get("d", "k", FOUND("three", "e3"))
      .put("d", "k", "four", ifMatch("e3"), null).logs;
    const { chain, wrong } = told(logs, [{ key: "k", body: "four", etag: "e4" }]);
    expect(wrong).toEqual([]);
    expect(chain).toEqual(["a one", "b two", "c three", "d four"]);
  });

  test("gets a repeat by the send that was not refused", () => {
    const logs = new LogStory()
      .put("a", "k", "one", IF_ABSENT, null)
      .put("a", "k", "one", IF_ABSENT, REFUSED)
      .get("b", "k", FOUND("one", "e1")).logs;
    const { history } = record(logs, [one]);
    expect(history.chains.get("k")?.[0]?.operation.id).toBe(1);
    expect(told(logs, [one]).wrong).toEqual([]);
  });

  test("may remove a key once, whoever was answered", () => {
    const logs = begin().delete("c", "k", null).delete("d", "k", { kind: "ok" }).get("a", "k", ABSENT).logs;
    expect(told(logs, [])).toEqual({ chain: ["a one", "b two", "d null"], wrong: [] });
  });

  test("keeps a read before the write that it did not see, though that was sent first", () => {
    const logs = begin()
      .put("a", "k", "three", ifMatch("e2"), OK("e3"), 20)
      .back(15)
      .get("b", "k", FOUND("two", "e2")).logs;
    const { history } = record(logs, [{ key: "k", body: "three", etag: "e3" }]);
    const read = history.operations.find(({ kind, sentAtMs }) => kind === "get" && sentAtMs > 5);
    expect(history.chains.get("k")?.[2]?.atMs).toBe(read?.sentAtMs);
    expect(told(logs, [{ key: "k", body: "three", etag: "e3" }]).wrong).toEqual([]);
  });

  test("keeps a read that found nothing before the creation, though that was sent first", () => {
    const logs = new LogStory()
      .put("a", "k", "one", IF_ABSENT, OK("e1"), 20)
      .back(15)
      .get("b", "k", ABSENT).logs;
    const { history } = record(logs, [one]);
    expect(history.chains.get("k")?.[0]?.atMs).toBe(history.operations[1]?.sentAtMs);
    expect(told(logs, [one]).wrong).toEqual([]);
  });

  test("is not blamed for a read that found nothing after a removal", () => {
    const logs = begin().delete("c", "k", { kind: "ok" }, 20).back(15).get("a", "k", ABSENT).logs;
    expect(told(logs, []).wrong).toEqual([]);
  });
});

describe("a broken store is told of", () => {
  const cases: readonly [string, readonly ProcessLog[], readonly FinalObject[] | null, RegExp][] = [
    [
      "two writes over one version",
      begin().put("c", "k", "three", ifMatch("e1"), OK("e3")).logs,
      [two],
      /condition did not name/,
    ],
    [
      "two creations",
      begin().put("c", "k", "three", IF_ABSENT, OK("e3")).logs,
      null,
      /over an object that was there/,
    ],
    ["an acknowledged write that is not there", begin().logs, [one], /at the end the version e1/],
    ["an object that is gone", begin().logs, [], /gone at the end/],
    [
      "an object that comes from nowhere",
      begin().logs,
      [two, { key: "z", body: "?", etag: "?" }],
      /nobody wrote/,
    ],
    ["a version that nobody wrote", begin().get("a", "k", FOUND("x", "ex")).logs, null, /nobody wrote/],
    ["a read of an old version", begin().get("a", "k", FOUND("one", "e1")).logs, [two], /not current/],
    ["a read that finds nothing", begin().get("a", "k", ABSENT).logs, [two], /which was there/],
    [
      "a refused write that was applied",
      begin().put("c", "k", "three", ifMatch("e2"), REFUSED).get("a", "k", FOUND("three", "e3")).logs,
      null,
      /answered precondition-failed and was applied/,
    ],
    [
      "one etag for two bodies",
      begin().put("c", "k", "three", ifMatch("e2"), OK("e2")).logs,
      null,
      /two bodies/,
    ],
    ["a request that is missing in a log", begin().without("b", 3), [two], /not in its log/],
  ];
  test.each(cases)("%s", (_, logs, objects, words) => {
    expect(told(logs, objects).wrong.join("\n")).toMatch(words);
  });
});

describe("a log", () => {
  test("may end in the middle of a line and nowhere else", () => {
    const line = '{"e":"incident","at":1,"kind":"start","process":"a","detail":""}';
    expect(readLog("a", 1, `${line}\n{"e":"inc`)).toMatchObject({ lines: [{ at: 1 }], unreadable: [] });
    const { unreadable } = readLog("a", 1, `${line}\n{"e":"inc\n${line}\n`);
    expect(unreadable).toEqual([2]);
    const logs = [{ process: "a", incarnation: 1, lines: [], unreadable }];
    expect(record(logs, null).strange.join()).toMatch(/line 2 .* cannot be read/);
  });
});
