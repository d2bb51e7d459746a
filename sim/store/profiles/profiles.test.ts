/**
 * Each profile does what its data says: how many writes a key takes, what losers hear, in which order it lists, how
 * long it takes. Risk: a profile that is only a name, so that "over every profile" means nothing.
 */
import { describe, expect, it } from "vitest";
import { IF_ABSENT, ifMatch, type ListOutcome, NO_CONDITION } from "../../../src/ports/object-store.ts";
import { modelled, spreadAt } from "../latency.ts";
import { openBench, type StoreBench } from "../store-bench.ts";
import { NO_ANSWER } from "../transport.ts";
import { BROKEN_STORES, PROFILES, profileNamed, SOUND_PROFILES } from "./index.ts";
import { AWS_S3, AZURE, CEPH, GCS, R2, S3_EXPRESS } from "./sound.ts";

const write = (bench: StoreBench, body: string) =>
  bench.ask(() => bench.client("a").put("k", body, NO_CONDITION), bench.now() + 20);

describe("the profiles", () => {
  it("have names of their own, the plainest first, and defects only among the broken ones", () => {
    expect(new Set(PROFILES.map(({ name }) => name)).size).toBe(PROFILES.length);
    expect(SOUND_PROFILES[0]).toBe(AWS_S3);
    expect(SOUND_PROFILES.every(({ defect }) => defect === null)).toBe(true);
    expect(BROKEN_STORES.every(({ name, defect }) => defect === name)).toBe(true);
    expect(profileNamed("gcs")).toBe(GCS);
    expect(profileNamed("s4")).toBeNull();
  });
});

describe("writes to one key", () => {
  it("are throttled beyond the limit of any second, and not applied then (V4)", async () => {
    const bench = await openBench({}, R2);
    expect(await write(bench, "one")).toMatchObject({ kind: "ok" });
    expect(await write(bench, "two")).toEqual({ kind: "throttled", retryAfterMs: null });
    expect(bench.last()).toMatchObject({ verdict: "throttled", version: null });
    expect(
      await bench.ask(() => bench.client("a").delete("k", NO_CONDITION), bench.now() + 20),
    ).toMatchObject({
      kind: "throttled",
    });
    expect(await bench.ask(() => bench.client("a").put("other", "x", NO_CONDITION))).toMatchObject({
      kind: "ok",
    });
    expect(bench.bodies("k")).toEqual(["one"]);
  });

  it("are taken again a second later", async () => {
    const bench = await openBench({}, GCS);
    await write(bench, "one");
    await bench.pass(1_000);
    expect(await write(bench, "two")).toMatchObject({ kind: "ok" });
  });

  it("come in bursts up to the limit", async () => {
    const bench = await openBench({}, AWS_S3);
    const kinds: string[] = [];
    for (let i = 0; i < 17; i++) {
      const outcome = await write(bench, `body ${i}`);
      kinds.push(outcome === "no answer yet" ? outcome : outcome.kind);
    }
    expect(kinds).toEqual([...Array(15).fill("ok"), "throttled", "throttled"]);
  });

  it("are refused by their condition before they are counted", async () => {
    const bench = await openBench({}, R2);
    await write(bench, "one");
    expect(await bench.ask(() => bench.client("a").put("k", "two", IF_ABSENT), bench.now() + 20)).toEqual({
      kind: "precondition-failed",
    });
  });
});

describe("the loser of a tight race", () => {
  it.each([
    [AWS_S3, { kind: "conflict" }],
    [CEPH, NO_ANSWER],
    [AZURE, { kind: "precondition-failed" }],
  ] as const)("hears of $name what it answers", async (profile, answer) => {
    const bench = await openBench({}, profile);
    await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT));
    bench.faults.next = ["F05-conflict-409"];
    expect(await bench.ask(() => bench.client("a").put("k", "two", IF_ABSENT))).toEqual(answer);
    expect(bench.bodies("k")).toEqual(["one"]);
  });
});

describe("answers and etags", () => {
  it.each(SOUND_PROFILES)("of $name to an if-match on a missing key are its own", async (profile) => {
    const bench = await openBench({}, profile);
    expect(await bench.ask(() => bench.client("a").put("k", "one", ifMatch("x")))).toEqual({
      kind: profile.onMissingKey,
    });
  });

  it("of S3 Express and Azure are opaque texts in quotes that are never issued twice", async () => {
    for (const profile of [S3_EXPRESS, AZURE]) {
      const bench = await openBench({}, { ...profile, writesPerSecond: null });
      const etags = new Set<string>();
      for (let i = 0; i < 20; i++) {
        const outcome = await write(bench, "same");
        if (outcome !== "no answer yet" && outcome.kind === "ok") etags.add(outcome.etag);
      }
      expect(etags.size).toBe(20);
      expect([...etags].every((etag) => /^"0x[0-9a-f]+"$/.test(etag))).toBe(true);
    }
  });
});

describe("a listing without order", () => {
  it("is in an order that is not that of the keys, and the same over all pages", async () => {
    const bench = await openBench({}, S3_EXPRESS);
    const written = Array.from({ length: 30 }, (_, i) => `p/${String(i).padStart(2, "0")}`);
    for (const key of written) await bench.ask(() => bench.client("a").put(key, "x", IF_ABSENT));
    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const at: string | null = cursor;
      const page: ListOutcome | "no answer yet" = await bench.ask(() =>
        bench.client("a").list({ prefix: "p/", cursor: at, limit: 7 }),
      );
      if (page === "no answer yet" || page.kind !== "ok") return expect.fail("the page was refused");
      listed.push(...page.entries.map(({ key }) => key));
      cursor = page.next;
    } while (cursor !== null);
    expect(listed).not.toEqual(written);
    expect(listed.toSorted()).toEqual(written);
  });
});

describe("modelled latency", () => {
  it("takes half the median at least, the median at draw 500, the 99th percentile at 990", () => {
    const spread = { p50: 100, p99: 400 };
    expect([0, 500, 990, 999].map((drawn) => spreadAt(spread, drawn))).toEqual([50, 100, 400, 760]);
    for (let drawn = 1; drawn < 1_000; drawn++)
      expect(spreadAt(spread, drawn)).toBeGreaterThanOrEqual(spreadAt(spread, drawn - 1));
  });

  it("differs by operation, as the profile says", async () => {
    const bench = await openBench({ "store-latency": 500 }, GCS, modelled(GCS.latency));
    const took = () => (bench.last().answeredAtMs ?? 0) - bench.last().sentAtMs;
    await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT));
    expect(took()).toBe(60);
    await bench.ask(() => bench.client("a").get("k"));
    expect(took()).toBe(30);
    await bench.ask(() => bench.client("a").put("k", "two", ifMatch("g1")));
    expect(took()).toBe(600);
  });
});
