/**
 * Risk: a request that somebody waits for is not in the serial time, one that nobody waits for is, or the percentile of a
 * sum is that of something else.
 */
import { describe, expect, it } from "vitest";
import { AWS_S3, chancesOf } from "../sim/index.ts";
import type { Cause } from "./cause.ts";
import { exampleRequest } from "./example-request.ts";
import { percentilesOf } from "./latency-sums.ts";
import { type AnsweredCall, type Caused, chainsOf } from "./serial.ts";

let ids = 0;

function request(cause: Cause, sentAtMs: number, answeredAtMs: number | null): Caused {
  const told = { id: ++ids, kind: "put", key: "k", sentAtMs, answeredAtMs } as const;
  const condition = { kind: "if-match", etag: "e" } as const;
  return [exampleRequest(told, { condition, body: "" }), cause];
}

/** From when to when each request of each chain was under way, the last one first. */
function spans(requests: readonly Caused[], ...ends: readonly number[]) {
  return spansBesides([], requests, ...ends);
}

/** The same in a run that had these calls. */
function spansBesides(
  calls: readonly AnsweredCall[],
  requests: readonly Caused[],
  ...ends: readonly number[]
) {
  return chainsOf(requests, calls, 0, ends).map((chain) =>
    chain.map(({ sentAtMs, answeredAtMs }) => [sentAtMs, answeredAtMs]),
  );
}

describe("the chain of a handoff", () => {
  it("S2: is what followed each other, each in the handoff in which it was answered", () => {
    const requests = [
      request("admit", 0, 60),
      request("complete", 60, 100),
      request("admit", 105, 150),
      request("complete", 160, 200),
      request("complete", 190, 250),
      request("admit", 210, null),
    ];
    expect(spans(requests, 100, 200, 250)).toEqual([
      [
        [60, 100],
        [0, 60],
      ],
      [
        [160, 200],
        [105, 150],
      ],
      [[190, 250]],
    ]);
  });

  it("S2: has of what runs side by side what is answered last", () => {
    const requests = [request("claim", 0, 30), request("claim", 0, 50), request("claim", 50, 90)];
    expect(spans(requests, 90)).toEqual([
      [
        [50, 90],
        [0, 50],
      ],
    ]);
  });

  it("S2: has a move of turns only where somebody goes on with its answer", () => {
    const beside = [request("admit", 0, 60), request("history", 5, 62), request("complete", 64, 100)];
    expect(spans(beside, 100)).toEqual([
      [
        [64, 100],
        [0, 60],
      ],
    ]);
    const between = [request("admit", 0, 60), request("history", 60, 64), request("complete", 64, 100)];
    expect(spans(between, 100)).toEqual([
      [
        [64, 100],
        [60, 64],
        [0, 60],
      ],
    ]);
    const last = [request("complete", 0, 60), request("history", 60, 90)];
    expect(spans(last, 90)).toEqual([
      [
        [60, 90],
        [0, 60],
      ],
    ]);
  });

  it("S2: has what follows a commit where the call waited for it before it was answered, by its own node", () => {
    const requests = [
      request("admit", 0, 60),
      request("index", 60, 85),
      request("complete", 90, 150),
      request("history", 152, 156),
    ];
    const toldAt = (repliedAtMs: number | null, to = "node-1"): AnsweredCall => ({ to, repliedAtMs });
    const waited = [
      [90, 150],
      [60, 85],
      [0, 60],
    ];
    const notWaited = [
      [90, 150],
      [0, 60],
    ];
    expect(spansBesides([toldAt(85), toldAt(150)], requests, 150)).toEqual([waited]);
    for (const other of [toldAt(60), toldAt(85, "node-2"), toldAt(null)])
      expect(spansBesides([other, toldAt(150)], requests, 150)).toEqual([notWaited]);
  });
});

describe("the time of requests one after the other", () => {
  const { latency } = AWS_S3;
  const replace = { kind: "put", condition: { kind: "if-match", etag: "e" } } as const;
  const get = { kind: "get", condition: null } as const;

  it("L1: of two is that of all pairs of what the model may draw", () => {
    const drawn = chancesOf(latency.replaceMs).flatMap((chance, ms) =>
      Array(Math.round(1_000 * chance)).fill(ms),
    );
    expect(drawn.length).toBe(1_000);
    const pairs = drawn.flatMap((a) => drawn.map((b) => a + b)).sort((a, b) => a - b);
    const quantile = (share: number) => pairs[Math.ceil(share * pairs.length) - 1];
    const shares = [0.05, 0.4, 0.5, 0.75, 0.99];
    expect(percentilesOf([[replace, replace]], latency, shares)).toEqual(shares.map(quantile));
    // The floor of a sticky handoff: nothing with two writes of one key can have a lower median.
    expect(quantile(0.5)).toBe(130);
  });

  it("L2: counts each chain as often as it came", () => {
    const most = [...Array.from({ length: 9 }, () => [get]), [replace, get, replace]];
    expect(percentilesOf(most, latency, [0.5])).toEqual(percentilesOf([[get]], latency, [0.5 / 0.9]));
    expect(
      percentilesOf(
        [
          [replace, get],
          [get, replace],
        ],
        latency,
        [0.5],
      ),
    ).toEqual(percentilesOf([[get, replace]], latency, [0.5]));
    expect(percentilesOf([[], [], [get]], latency, [0.5, 1])).toEqual([
      0,
      chancesOf(latency.getMs).length - 1,
    ]);
  });
});
