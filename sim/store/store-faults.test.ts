/**
 * Each fault of the store does exactly what the catalogue says, and no more: what the chain holds, what the sender
 * is told, what is counted. Risk: a fault that is weaker than its name proves nothing, a stronger one cries wolf.
 */
import { describe, expect, it } from "vitest";
import { IF_ABSENT, ifMatch, NO_CONDITION } from "../../src/ports/object-store.ts";
import { openBench, type StoreBench } from "./store-bench.ts";
import type { StoreFaultKind } from "./store-faults.ts";
import { NO_ANSWER } from "./transport.ts";

/** A bench whose key "k" holds "one", and the etag of it. */
async function benchWithOne(draws: { readonly [label: string]: number } = {}) {
  const bench = await openBench(draws);
  const outcome = await bench.ask(() => bench.client("setup").put("k", "one", IF_ABSENT));
  if (outcome === "no answer yet" || outcome.kind !== "ok") return expect.fail("the setup was refused");
  return { bench, etag: outcome.etag };
}

describe("F01 lost answer and F02 lost request", () => {
  it("applies a write whose answer is lost, once", async () => {
    const bench = await openBench();
    bench.faults.next = ["F01-lost-answer"];
    expect(await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT))).toEqual(NO_ANSWER);
    expect(bench.bodies("k")).toEqual(["one"]);
    expect(bench.last()).toMatchObject({ verdict: "applied", version: 0, outcome: NO_ANSWER });
    expect(bench.last().faults).toEqual(["F01-lost-answer"]);
    expect(bench.faults.counted).toEqual(["F01-lost-answer"]);
  });

  it("never applies a lost request", async () => {
    const bench = await openBench();
    bench.faults.next = ["F02-lost-request"];
    expect(await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT))).toEqual(NO_ANSWER);
    expect(bench.bodies("k")).toEqual([]);
    expect(bench.last()).toMatchObject({
      verdict: null,
      appliedAtMs: null,
      version: null,
      outcome: NO_ANSWER,
    });
    expect(bench.faults.counted).toEqual(["F02-lost-request"]);
  });

  it("gives the sender of a lost answer, a lost request and a late write the very same object after the same delay", async () => {
    const kinds: StoreFaultKind[] = ["F01-lost-answer", "F02-lost-request", "F03-late-write"];
    for (const draws of [{}, { "store-request-ms": 3, "store-answer-ms": 2, "store-silence-ms": 417 }]) {
      const seen = new Set<unknown>();
      const delays = new Set<number>();
      const asked = new Set<string>();
      for (const kind of kinds) {
        const bench = await openBench(draws);
        bench.faults.next = [kind];
        seen.add(await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT)));
        const { sentAtMs, answeredAtMs } = bench.last();
        delays.add((answeredAtMs ?? -1) - sentAtMs);
        asked.add(JSON.stringify(bench.storeDraws().filter((draw) => draw.label !== "store-late-ms")));
      }
      expect([...seen]).toEqual([NO_ANSWER]);
      expect(delays.size).toBe(1);
      expect(asked.size).toBe(1);
    }
  });

  it("hides the answer of a read as well as that of a write", async () => {
    const { bench } = await benchWithOne();
    bench.faults.next = ["F01-lost-answer", "F02-lost-request"];
    for (const verdict of ["served", null]) {
      expect(await bench.ask(() => bench.client("a").get("k"))).toEqual(NO_ANSWER);
      expect(bench.last().verdict).toBe(verdict);
    }
    expect(bench.bodies("k")).toEqual(["one"]);
  });
});

describe("F03 late write", () => {
  it("lands after its sender was told nothing, at most lateByMs after it was sent", async () => {
    for (const late of [0, 5_000, 1_000_000]) {
      const bench = await openBench({ "store-silence-ms": 300, "store-late-ms": late });
      bench.faults.next = ["F03-late-write"];
      await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT));
      const { sentAtMs, appliedAtMs, answeredAtMs, verdict } = bench.last();
      expect(verdict).toBe("applied");
      expect(appliedAtMs).toBeGreaterThan(answeredAtMs ?? Number.POSITIVE_INFINITY);
      expect((appliedAtMs ?? 0) - sentAtMs).toBeLessThanOrEqual(bench.faults.lateByMs);
      expect(bench.faults.counted).toEqual(["F03-late-write"]);
    }
  });

  it("lands after a later read has said not-found", async () => {
    const bench = await openBench({ "store-late-ms": 5_000 });
    bench.faults.next = ["F03-late-write"];
    expect(await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT), 2_000)).toEqual(NO_ANSWER);
    expect(bench.store.lateWrites).toBe(1);
    expect(await bench.ask(() => bench.client("a").get("k"), 3_000)).toEqual({ kind: "not-found" });
    await bench.settle();
    expect(bench.bodies("k")).toEqual(["one"]);
    expect(bench.store.lateWrites).toBe(0);
  });

  it("lands after its sender crashed", async () => {
    const bench = await openBench({ "store-late-ms": 5_000 });
    bench.faults.next = ["F03-late-write"];
    await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT), 2_000);
    bench.crash("a");
    await bench.settle();
    expect(bench.bodies("k")).toEqual(["one"]);
  });

  it("lands although the faults were switched off in between", async () => {
    const bench = await openBench({ "store-late-ms": 5_000 });
    bench.faults.next = ["F03-late-write"];
    await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT), 2_000);
    bench.faults.enabled = false;
    await bench.settle();
    expect(bench.bodies("k")).toEqual(["one"]);
  });

  it("creates again what a delete has removed", async () => {
    const bench = await openBench({ "store-late-ms": 5_000 });
    bench.faults.next = ["F03-late-write"];
    await bench.ask(() => bench.client("a").put("k", "late", IF_ABSENT), 1_000);
    await bench.ask(() => bench.client("b").put("k", "one", IF_ABSENT), 2_000);
    await bench.ask(() => bench.client("b").delete("k", NO_CONDITION), 3_000);
    await bench.settle();
    expect(bench.bodies("k")).toEqual(["one", null, "late"]);
  });

  it("is judged when it lands: refused after a successor wrote", async () => {
    const { bench, etag } = await benchWithOne({ "store-late-ms": 5_000 });
    bench.faults.next = ["F03-late-write"];
    await bench.ask(() => bench.client("a").put("k", "late", ifMatch(etag)), 2_000);
    const late = bench.last();
    await bench.ask(() => bench.client("b").put("k", "two", ifMatch(etag)), 3_000);
    await bench.settle();
    expect(bench.bodies("k")).toEqual(["one", "two"]);
    expect(late).toMatchObject({ verdict: "precondition-failed", outcome: NO_ANSWER, version: null });
  });

  it("deletes late, too", async () => {
    const { bench } = await benchWithOne({ "store-late-ms": 5_000 });
    bench.faults.next = ["F03-late-write"];
    expect(await bench.ask(() => bench.client("a").delete("k", NO_CONDITION), 2_000)).toEqual(NO_ANSWER);
    await bench.ask(() => bench.client("b").put("k", "two", NO_CONDITION), 3_000);
    await bench.settle();
    expect(bench.bodies("k")).toEqual(["one", "two", null]);
  });
});

describe("F04 hidden retry", () => {
  async function sendTwice(bench: StoreBench, send: () => Promise<unknown>) {
    bench.faults.next = ["F04-hidden-retry"];
    const heard = await bench.ask(send);
    expect(bench.faults.counted).toEqual(["F04-hidden-retry"]);
    return heard;
  }

  it("answers 412 to a create that it has itself applied", async () => {
    const bench = await openBench();
    const heard = await sendTwice(bench, () => bench.client("a").put("k", "one", IF_ABSENT));
    expect(heard).toEqual({ kind: "precondition-failed" });
    expect(bench.bodies("k")).toEqual(["one"]);
    expect(bench.last()).toMatchObject({ verdict: "applied", version: 0, faults: ["F04-hidden-retry"] });
  });

  it("answers 412 to a replacement that it has itself applied", async () => {
    const { bench, etag } = await benchWithOne();
    const heard = await sendTwice(bench, () => bench.client("a").put("k", "two", ifMatch(etag)));
    expect(heard).toEqual({ kind: "precondition-failed" });
    expect(bench.bodies("k")).toEqual(["one", "two"]);
    expect(bench.last()).toMatchObject({ verdict: "applied", version: 1 });
  });

  it("applies an unconditional put twice and answers ok, also over a rival's write in between", async () => {
    const { bench } = await benchWithOne({ "store-resend-ms": 100 });
    bench.faults.next = ["F04-hidden-retry"];
    const heard = bench.ask(() => bench.client("a").put("k", "mine", NO_CONDITION), bench.now() + 20);
    await heard;
    const mine = bench.last();
    await bench.ask(() => bench.client("b").put("k", "rival", NO_CONDITION), bench.now() + 20);
    await bench.settle();
    expect(bench.bodies("k")).toEqual(["one", "mine", "rival", "mine"]);
    expect(mine).toMatchObject({ verdict: "applied", version: 1, outcome: { kind: "ok" } });
  });

  it("deletes once and answers ok", async () => {
    const { bench } = await benchWithOne();
    expect(await sendTwice(bench, () => bench.client("a").delete("k", NO_CONDITION))).toEqual({ kind: "ok" });
    expect(bench.bodies("k")).toEqual(["one", null]);
  });

  it("makes a read slower and nothing else", async () => {
    const { bench, etag } = await benchWithOne();
    const heard = await sendTwice(bench, () => bench.client("a").get("k"));
    expect(heard).toEqual({ kind: "ok", body: "one", etag });
    expect(bench.last().appliedAtMs).toBeGreaterThan(bench.last().sentAtMs);
  });

  it("re-sends nothing when its process has crashed", async () => {
    const bench = await openBench({ "store-resend-ms": 100 });
    bench.faults.next = ["F04-hidden-retry"];
    await bench.ask(() => bench.client("a").put("k", "one", NO_CONDITION), bench.now() + 20);
    bench.crash("a");
    await bench.settle();
    expect(bench.bodies("k")).toEqual(["one"]);
    expect(bench.faults.counted).toEqual([]);
  });
});

describe("F05 conflict and F06 throttle", () => {
  it("answers 409 to a conditional write and applies nothing", async () => {
    const { bench, etag } = await benchWithOne();
    const a = bench.client("a");
    for (const send of [
      () => a.put("k", "two", ifMatch(etag)),
      () => a.put("other", "x", IF_ABSENT),
      () => a.delete("k", ifMatch(etag)),
    ]) {
      bench.faults.next = ["F05-conflict-409"];
      expect(await bench.ask(send)).toEqual({ kind: "conflict" });
      expect(bench.last()).toMatchObject({ verdict: "conflict", appliedAtMs: null, version: null });
    }
    expect(bench.bodies("k")).toEqual(["one"]);
    expect(bench.bodies("other")).toEqual([]);
    expect(bench.faults.counted).toHaveLength(3);
  });

  it("leaves an unconditional write and a read alone", async () => {
    const bench = await openBench();
    bench.faults.next = ["F05-conflict-409", "F05-conflict-409"];
    expect(await bench.ask(() => bench.client("a").put("k", "one", NO_CONDITION))).toMatchObject({
      kind: "ok",
    });
    expect(await bench.ask(() => bench.client("a").get("k"))).toMatchObject({ kind: "ok" });
    expect(bench.faults.counted).toEqual([]);
  });

  it("throttles without applying, by the plainest draw", async () => {
    const bench = await openBench();
    bench.faults.next = ["F06-throttle"];
    const heard = await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT));
    expect(heard).toEqual({ kind: "throttled", retryAfterMs: null });
    expect(bench.bodies("k")).toEqual([]);
    expect(bench.last()).toMatchObject({ verdict: "throttled", appliedAtMs: null });
  });

  it("throttles a write that it applies all the same, by another draw", async () => {
    const bench = await openBench({ "store-throttle-applied": 99, "store-retry-after": 1 });
    bench.faults.next = ["F06-throttle"];
    const heard = await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT));
    expect(heard).toEqual({ kind: "throttled", retryAfterMs: 1000 });
    expect(bench.bodies("k")).toEqual(["one"]);
    expect(bench.last()).toMatchObject({ verdict: "applied", version: 0 });
  });

  it("throttles reads", async () => {
    const bench = await openBench({ "store-throttle-applied": 99 });
    bench.faults.next = ["F06-throttle", "F06-throttle"];
    expect(await bench.ask(() => bench.client("a").get("k"))).toMatchObject({ kind: "throttled" });
    const list = { prefix: "", cursor: null, limit: 10 };
    expect(await bench.ask(() => bench.client("a").list(list))).toMatchObject({ kind: "throttled" });
    expect(bench.last()).toMatchObject({ verdict: "throttled", appliedAtMs: null });
  });
});

describe("N01 crash and N02 pause at a request", () => {
  const moments: [string, number, (string | null)[]][] = [
    ["before the request arrives: nothing is applied", 0, []],
    ["after it was applied, before the answer", 1, ["one"]],
    ["with the request under way, which lands", 2, ["one"]],
  ];
  it.each(moments)("crashes the sender %s", async (_name, moment, bodies) => {
    const bench = await openBench({ "store-crash-moment": moment, "store-request-ms": 3 });
    bench.faults.next = ["N01-crash"];
    expect(await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT))).toBe("no answer yet");
    expect(bench.bodies("k")).toEqual(bodies);
    expect(bench.alive("a")).toBe(false);
    expect(bench.faults.counted).toEqual(["N01-crash"]);
    expect(bench.last()).toMatchObject({ outcome: null, answeredAtMs: null, faults: ["N01-crash"] });
  });

  it.each(moments)("is an ordinary request when the faults are off by then (%s)", async (_name, moment) => {
    const bench = await openBench({ "store-crash-moment": moment });
    bench.faults.next = ["N01-crash"];
    bench.faults.enabled = false;
    expect(await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT))).toMatchObject({ kind: "ok" });
    expect(bench.alive("a")).toBe(true);
    expect(bench.faults.counted).toEqual([]);
  });

  it("is an ordinary request when nobody can crash or pause processes", async () => {
    const bench = await openBench();
    bench.faults.strike = null;
    bench.faults.next = ["N01-crash", "N02-pause"];
    expect(await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT))).toMatchObject({ kind: "ok" });
    expect(await bench.ask(() => bench.client("a").get("k"))).toMatchObject({ kind: "ok" });
    expect(bench.faults.counted).toEqual([]);
  });

  it("pauses the sender after the store acted; the answer waits for it", async () => {
    const { bench, etag } = await benchWithOne();
    bench.faults.next = ["N02-pause"];
    const heard: unknown[] = [];
    await bench.ask(
      () =>
        bench
          .client("a")
          .get("k")
          .then((outcome) => heard.push(outcome)),
      bench.now() + 1_000,
    );
    expect(heard).toEqual([]);
    await bench.ask(() => bench.client("b").put("k", "two", ifMatch(etag)), bench.now() + 1_000);
    bench.resume("a");
    await bench.settle();
    expect(heard).toEqual([{ kind: "ok", body: "one", etag }]);
    expect(bench.faults.counted).toEqual(["N02-pause"]);
  });
});

describe("F11 short page and F12 broken body", () => {
  it("cuts a page short and says that more follows; the next page goes on behind it", async () => {
    const { bench } = await benchWithOne();
    for (const key of ["l", "m"]) await bench.ask(() => bench.client("a").put(key, key, NO_CONDITION));
    bench.faults.next = ["F11-list"];
    const page = await bench.ask(() => bench.client("a").list({ prefix: "", cursor: null, limit: 10 }));
    expect(page).toEqual({ kind: "ok", entries: [{ key: "k", etag: "g1" }], next: "k" });
    expect(bench.faults.counted).toEqual(["F11-list"]);
    const rest = await bench.ask(() => bench.client("a").list({ prefix: "", cursor: "k", limit: 10 }));
    expect(rest).toMatchObject({ entries: [{ key: "l" }, { key: "m" }], next: null });
  });

  it("leaves a page of one key whole", async () => {
    const { bench } = await benchWithOne();
    bench.faults.next = ["F11-list"];
    const page = await bench.ask(() => bench.client("a").list({ prefix: "", cursor: null, limit: 10 }));
    expect(page).toMatchObject({ next: null });
    expect(bench.faults.counted).toEqual([]);
  });

  it("breaks off the answer of a read, so that there is none, in the time of an answer", async () => {
    const { bench } = await benchWithOne({ "store-request-ms": 2, "store-answer-ms": 2 });
    bench.faults.next = ["F12-broken-body"];
    expect(await bench.ask(() => bench.client("a").get("k"))).toEqual(NO_ANSWER);
    const { sentAtMs, answeredAtMs, verdict, faults } = bench.last();
    expect([(answeredAtMs ?? 0) - sentAtMs, verdict, faults]).toEqual([5, "served", ["F12-broken-body"]]);
  });
});

describe("F13 partition", () => {
  it("loses the request in one direction, and its answer alone in the other", async () => {
    for (const [cuts, bodies] of [
      ["requests", []],
      ["answers", ["one"]],
    ] as const) {
      const bench = await openBench();
      bench.faults.cuts = cuts;
      bench.faults.next = ["F13-partition"];
      expect(await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT))).toEqual(NO_ANSWER);
      expect(bench.bodies("k")).toEqual(bodies);
      expect(bench.last().faults).toEqual(["F13-partition"]);
      expect(bench.faults.counted).toEqual(["F13-partition"]);
    }
  });
});

describe("N03 starve, N04 stop and N06 twin at a request", () => {
  it("makes what is due for the sender late, the answer too, while requests go on landing", async () => {
    const bench = await openBench();
    bench.faults.next = ["N03-starve"];
    const sentAtMs = bench.now();
    expect(await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT))).toMatchObject({ kind: "ok" });
    expect((bench.last().answeredAtMs ?? 0) - sentAtMs).toBe(1_001);
    expect(bench.last().appliedAtMs).toBe(sentAtMs);
    expect(bench.faults.counted).toEqual(["N03-starve"]);
  });

  it.each([
    ["as it arrives", 0],
    ["as it is sent", 1],
  ])("tells the sender to stop %s; the request takes its course", async (_name, moment) => {
    const bench = await openBench({ "store-stop-moment": moment, "store-request-ms": 3 });
    bench.faults.next = ["N04-stop"];
    expect(await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT))).toBe("no answer yet");
    expect(bench.bodies("k")).toEqual(["one"]);
    expect(bench.alive("a")).toBe(false);
    expect(bench.faults.counted).toEqual(["N04-stop"]);
  });

  it("sets a twin beside the sender, which is answered all the same", async () => {
    const bench = await openBench();
    bench.faults.next = ["N06-twin"];
    expect(await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT))).toMatchObject({ kind: "ok" });
    expect(bench.faults.counted).toEqual(["N06-twin"]);
  });
});

describe("S01 hops", () => {
  it("lets the code that waits for an answer go on so many microtasks later, with the same answer", async () => {
    const { bench, etag } = await benchWithOne();
    bench.faults.extraHops = 3;
    expect(await bench.ask(() => bench.client("a").get("k"))).toEqual({ kind: "ok", body: "one", etag });
    bench.faults.next = ["F02-lost-request"];
    expect(await bench.ask(() => bench.client("a").get("k"))).toEqual(NO_ANSWER);
  });
});
