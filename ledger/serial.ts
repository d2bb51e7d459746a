/**
 * How long a handoff waits for the store: the requests that followed each other in it, and the time that such requests
 * take by the profile's latencies.
 *
 *   S1  a handoff is from one accepted completion to the next, each at the moment at which its node answered it; a request
 *       belongs to the one in which it was answered.
 *   S2  its chain is found from its end: the request that was answered last, then the one that was answered last before
 *       that one was sent, and so on. What ran beside a request of the chain is not in it. What follows a commit (the
 *       index, the move of turns) and a look at the index are in it only where their answer is the moment at which the
 *       next request was sent, or at which their node answered a call: else nobody has gone on with it. Nor is waiting for
 *       a clock in it.
 *   S3  how long a chain takes is not what the run happened to draw, but what the profile says of such requests
 *       (`latency-sums.ts`): a median of the draws of 1,024 handoffs would be 2 ms off by chance.
 *
 * Not covered: what follows a commit counts as waited for also when it is answered by chance in the very millisecond in which
 * its node answers a call. Of requests side by side the one that the run drew longer stands for all, which is less than the
 * longest of them takes. Where callers race each other a chain would have requests of several of them: such a row has no
 * serial time (`races` in `scenarios/ledger`).
 */
import type { CallRecord, StoreOperation } from "../sim/index.ts";
import { present } from "../src/std/assert.ts";
import type { Cause } from "./cause.ts";

/** A request and what it was for. */
export type Caused = readonly [request: StoreOperation, cause: Cause];

/** When and by whom a call was answered. */
export type AnsweredCall = Pick<CallRecord, "to" | "repliedAtMs">;

const FOLLOWS: ReadonlySet<Cause> = new Set(["index", "history"]);

/** The chains of the handoffs that ended at these times, ascending (S1). `requests` are those without the sweeps'. */
export function chainsOf(
  requests: Iterable<Caused>,
  calls: Iterable<AnsweredCall>,
  beginMs: number,
  ends: readonly number[],
): readonly (readonly StoreOperation[])[] {
  const replies = new Set([...calls].map(({ to, repliedAtMs }) => `${to} ${repliedAtMs}`));
  const answered = [...requests].filter(([request]) => request.answeredAtMs !== null).sort(byAnswer);
  const chains: (readonly StoreOperation[])[] = [];
  let fromMs = beginMs;
  let next = 0;
  for (const untilMs of ends) {
    const within: Caused[] = [];
    for (let one = answered[next]; one !== undefined && answeredAt(one) <= untilMs; one = answered[++next])
      if (answeredAt(one) > fromMs) within.push(one);
    chains.push(chainOf(within, replies, untilMs));
    fromMs = untilMs;
  }
  return chains;
}

/** S2. */
function chainOf(
  within: readonly Caused[],
  replies: ReadonlySet<string>,
  untilMs: number,
): readonly StoreOperation[] {
  const chain: StoreOperation[] = [];
  let beforeMs = untilMs;
  for (const one of within.toReversed()) {
    const [request, cause] = one;
    const atMs = answeredAt(one);
    if (atMs > beforeMs) continue;
    const isWaitedFor = atMs === beforeMs || replies.has(`${request.process} ${atMs}`);
    if (FOLLOWS.has(cause) && !isWaitedFor) continue;
    chain.push(request);
    beforeMs = request.sentAtMs;
  }
  return chain;
}

/** By the answer; of two at once, the one that was sent later comes later. */
function byAnswer(a: Caused, b: Caused): number {
  return answeredAt(a) - answeredAt(b) || a[0].id - b[0].id;
}

function answeredAt([{ answeredAtMs }]: Caused): number {
  return present(answeredAtMs, "the time of an answer");
}
