/**
 * Settling a conditional write, case by case. Risk: an own write taken for another's, a refusal of what happened or
 * still may, a write applied twice.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../adapters/manual-ports.ts";
import {
  conflict,
  followed,
  hiddenRetry,
  InFlight,
  lostAnswer,
  lostRequest,
  type PutStep,
  pass,
  preceded,
  ScriptedStore,
  throttled,
} from "../adapters/scripted-store.ts";
import { answer, nothing, refuse, write } from "../protocol/decision.ts";
import { CLOSED, MARKS_KEY, Marker } from "./marks.ts";

let store: ScriptedStore;
let clock: ManualClock;
let own: Marker;
let other: Marker;
let inFlight: InFlight;

beforeEach(() => {
  store = new ScriptedStore();
  clock = new ManualClock(0);
  own = new Marker("own", store, clock);
  other = new Marker("other", store.beneath, clock);
  inFlight = new InFlight();
});

const marks = async () => (await other.read())?.value ?? null;
const foreign = (count: number) => async () => {
  for (let n = 0; n < count; n++) await other.decide((c) => write([...(c?.value ?? []), `o${n}`], "foreign"));
};
const close = () => other.add("closed");

describe("a write that is answered", () => {
  it("W1: is made on the version that was read, with the next sequence and the lineage", async () => {
    await foreign(10)();
    const settled = await own.add("x");
    expect(settled).toMatchObject({ ok: true, value: { reply: "added", wrote: true } });
    const stamp = (await other.read())?.stamp;
    expect(stamp).toMatchObject({ sequence: 11, write_id: "own-1" });
    expect(stamp?.lineage).toEqual([10, 9, 8, 7, 6, 5, 4, 3].map((n) => `other-${n}`));
  });

  it("W1: decides again when another writer was first", async () => {
    store.puts = [preceded(foreign(1))];
    expect(await own.add("x")).toMatchObject({ ok: true, value: { reply: "added", before: ["o0"] } });
    expect(await marks()).toEqual(["o0", "x"]);
    expect(clock.sleeps).toEqual([]);
  });

  it("stands back from the second lost race on", async () => {
    store.puts = [1, 2, 3].map(() => preceded(foreign(1)));
    expect((await own.add("x")).ok).toBe(true);
    expect(clock.sleeps.length).toBe(2);
  });

  it("writes nothing for an answer and for a refusal", async () => {
    await own.add("x");
    expect(await own.add("x")).toMatchObject({
      ok: true,
      value: { reply: "there", wrote: false, before: null },
    });
    await close();
    expect(await own.add("y")).toEqual({ ok: false, error: CLOSED });
    expect(store.putKeys.length).toBe(1);
  });
});

describe("W2: a write whose answer was lost", () => {
  const kinds: [string, PutStep][] = [
    ["applied, answer lost", lostAnswer],
    ["412 on the own write through a hidden retry", hiddenRetry],
  ];
  for (const [name, step] of kinds)
    for (const creates of [true, false])
      it(`is found by its write id: ${name}, ${creates ? "create" : "update"}`, async () => {
        if (!creates) await foreign(1)();
        store.puts = [step];
        expect(await own.add("x")).toMatchObject({
          ok: true,
          value: { reply: "added", wrote: true, stamp: { write_id: "own-1" } },
        });
        expect(await marks()).toEqual(creates ? ["x"] : ["o0", "x"]);
        expect(store.putKeys.length).toBe(1);
      });

  it.each([1, 8])("is found in the lineage after %i foreign writes", async (count) => {
    store.puts = [followed(foreign(count), lostAnswer)];
    const settled = await own.add("x");
    expect(settled).toMatchObject({ ok: true, value: { wrote: true, value: ["x"], stamp: { sequence: 1 } } });
    expect(store.putKeys.length).toBe(1);
  });

  it("W4: is no longer known after 9 foreign writes that hide it: no refusal is promised then", async () => {
    const closeLast = async () => {
      await foreign(8)();
      await other.decide((c) => write([...(c?.value ?? []).filter((m) => m !== "x"), "closed"], "hide"));
    };
    store.puts = [followed(closeLast, lostAnswer)];
    expect(await own.add("x")).toMatchObject({ ok: false, error: { kind: "unknown-outcome" } });
  });

  it("is not repeated after 9 foreign writes when the document itself shows it", async () => {
    store.puts = [followed(foreign(9), lostAnswer)];
    expect(await own.add("x")).toMatchObject({ ok: true, value: { reply: "there", wrote: false } });
    expect((await marks())?.filter((mark) => mark === "x").length).toBe(1);
  });

  it("W3: that is hidden by 9 foreign writes is not denied by a command that finds nothing to do", async () => {
    store.puts = [followed(foreign(9), lostAnswer)];
    const asked = await own.decide((c) => (c === null ? write(["x"], "taken") : nothing("none")));
    expect(asked).toMatchObject({ ok: false, error: { kind: "unknown-outcome" } });
  });

  it("W7: that left no mark and is hidden by 9 foreign writes is not made once more", async () => {
    store.puts = [followed(foreign(9), lostAnswer)];
    const asked = await own.decide((c) => ({
      ...write([...(c?.value ?? []), "x"], "added"),
      unmarked: true,
    }));
    expect(asked).toMatchObject({ ok: false, error: { kind: "unknown-outcome" } });
    expect((await marks())?.filter((mark) => mark === "x").length).toBe(1);
  });

  it("that never arrived is written again, once", async () => {
    store.puts = [lostRequest];
    expect(await own.add("x")).toMatchObject({
      ok: true,
      value: { stamp: { write_id: "own-2", sequence: 1 } },
    });
    expect(await marks()).toEqual(["x"]);
  });

  it("is forgotten when a later version does not show it", async () => {
    await foreign(1)();
    store.puts = [followed(close, lostRequest as PutStep)];
    expect(await own.add("x")).toEqual({ ok: false, error: CLOSED });
    expect(store.putKeys.length).toBe(1);
  });

  it.each([
    ["409", conflict],
    ["throttled", throttled(null)],
  ] as const)("is settled and repeated after %s", async (_, step) => {
    store.puts = [step as PutStep, step as PutStep];
    expect(await own.add("x")).toMatchObject({ ok: true, value: { stamp: { write_id: "own-3" } } });
    expect(await marks()).toEqual(["x"]);
  });

  it("waits at least as long as the store asks", async () => {
    store.puts = [throttled(700)];
    store.gets = [throttled(300), pass];
    await own.add("x");
    expect(clock.sleeps).toEqual([300, 700]);
  });
});

describe("a write that lands late", () => {
  it("W2: after a read said 404: the second create meets it and answers for it", async () => {
    store.puts = [inFlight.hold, preceded(inFlight.land)];
    expect(await own.add("x")).toMatchObject({
      ok: true,
      value: { wrote: true, stamp: { write_id: "own-1" } },
    });
    expect(await marks()).toEqual(["x"]);
  });

  it("W2: between a read and the next update", async () => {
    await foreign(1)();
    store.puts = [inFlight.hold, preceded(inFlight.land)];
    expect(await own.add("x")).toMatchObject({ ok: true, value: { stamp: { write_id: "own-1" } } });
    expect(await marks()).toEqual(["o0", "x"]);
  });

  it("W2: after the second write was answered changes nothing", async () => {
    await foreign(1)();
    store.puts = [inFlight.hold, inFlight.hold, pass];
    expect(await own.add("x")).toMatchObject({ ok: true, value: { stamp: { write_id: "own-3" } } });
    await inFlight.land();
    expect(await marks()).toEqual(["o0", "x"]);
  });
});

describe("W3: a refusal while an own write may still land", () => {
  /** Wants to write at the first look and refuses, or answers, at every later one. */
  const onceThen = (then: "refuse" | "answer") => {
    let looks = 0;
    return own.decide((current) => {
      looks += 1;
      if (looks === 1) return write([...(current?.value ?? []), "x"], "added");
      return then === "refuse" ? refuse(CLOSED) : answer("nothing");
    });
  };

  it("is answered only after a barrier write made the own write impossible", async () => {
    await foreign(1)();
    store.puts = [inFlight.hold];
    expect(await onceThen("refuse")).toEqual({ ok: false, error: CLOSED });
    await inFlight.land();
    expect(await marks()).toEqual(["o0"]);
    expect((await other.read())?.stamp).toMatchObject({ sequence: 2, write_id: "own-2" });
  });

  it("turns into the success that it is when the own write lands before the barrier", async () => {
    await foreign(1)();
    store.puts = [inFlight.hold, preceded(inFlight.land)];
    expect(await onceThen("refuse")).toMatchObject({ ok: true, value: { reply: "added", wrote: true } });
    expect(await marks()).toEqual(["o0", "x"]);
  });

  it.each([
    ["answer", lostAnswer],
    ["request", lostRequest],
  ] as const)("is honest when the barrier's own %s is lost", async (_, step) => {
    await foreign(1)();
    store.puts = [inFlight.hold, step];
    expect(await onceThen("refuse")).toEqual({ ok: false, error: CLOSED });
    await inFlight.land();
    expect(await marks()).toEqual(["o0"]);
  });

  it("is no refusal when no barrier gets through", async () => {
    await foreign(1)();
    store.puts = [inFlight.hold, ...Array(7).fill(lostRequest)];
    expect(await onceThen("refuse")).toMatchObject({ ok: false, error: { kind: "unknown-outcome" } });
    await inFlight.land();
    expect(await marks()).toEqual(["o0", "x"]);
  });

  it("holds for an answer without a write too: nothing of the call lands after it", async () => {
    await foreign(1)();
    store.puts = [inFlight.hold];
    expect(await onceThen("answer")).toMatchObject({ ok: true, value: { reply: "nothing", wrote: false } });
    await inFlight.land();
    expect(await marks()).toEqual(["o0"]);
  });
});

describe("W4: when the tries are used up", () => {
  const reset = { kind: "unknown-outcome", detail: "reset" } as const;

  it("the outcome is unknown while an own write is unsettled", async () => {
    store.puts = Array(8).fill(inFlight.hold);
    expect(await own.add("x")).toMatchObject({ ok: false, error: { kind: "unknown-outcome" } });
    expect(clock.sleeps).toEqual(Array(7).fill(1));
    await inFlight.land();
    expect(await marks()).toEqual(["x"]);
  });

  it("W2: the answer lost at the last try is found by one more read", async () => {
    store.puts = [...Array(7).fill(lostRequest), lostAnswer];
    expect(await own.add("x")).toMatchObject({
      ok: true,
      value: { wrote: true, stamp: { write_id: "own-8" } },
    });
  });

  it("it is unavailable when every race was lost: nothing was done and nothing will be", async () => {
    store.puts = Array(8).fill(preceded(foreign(1)));
    expect(await own.add("x")).toMatchObject({ ok: false, error: { kind: "unavailable" } });
    expect(await marks()).not.toContain("x");
  });

  it("it is unavailable when nothing was ever sent", async () => {
    store.gets = Array(8).fill(async () => reset);
    expect(await own.add("x")).toMatchObject({ ok: false, error: { kind: "unavailable" } });
    expect(store.putKeys).toEqual([]);
  });

  it("it is unknown when a write was sent and never seen again", async () => {
    store.puts = [lostRequest];
    store.gets = [pass, ...Array(8).fill(async () => reset)];
    expect(await own.add("x")).toMatchObject({ ok: false, error: { kind: "unknown-outcome" } });
  });
});

describe("W5: an object that does not open", () => {
  it.each(["", "not json", "{}"])("is answered as corrupt and left alone: %o", async (body) => {
    await store.beneath.put(MARKS_KEY, body, { kind: "none" });
    expect(await own.add("x")).toMatchObject({
      ok: false,
      error: { kind: "corrupt", code: "object_corrupt" },
    });
    expect(await store.beneath.get(MARKS_KEY)).toMatchObject({ body });
    expect(store.putKeys).toEqual([]);
  });

  it("hides the fate of an own write, so the outcome is unknown", async () => {
    const damage = () => store.beneath.put(MARKS_KEY, "damaged", { kind: "none" });
    store.puts = [followed(damage, lostAnswer)];
    expect(await own.add("x")).toMatchObject({ ok: false, error: { kind: "unknown-outcome" } });
    expect(await store.beneath.get(MARKS_KEY)).toMatchObject({ body: "damaged" });
  });
});
