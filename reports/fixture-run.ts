/**
 * A run made by hand that holds every kind of event once, for the tests of the pages.
 *
 * Owns no expectation: tests say what becomes of each event on a page. Everything is written out in the order of its
 * sending, and times are far apart where a page should show a gap.
 *
 * Two nodes write the keys of one order; a worker and a sender call them. The names of the operations say what
 * becomes of each. Bodies hold text that would break a page which does not escape it.
 */
import type {
  CallRecord,
  FaultKind,
  RunHistory,
  StoreOperation,
  Verdict,
  Version,
} from "../sim/history/history.ts";
import { recordRun } from "./record-run.ts";
import type { RunData, RunOrigin, VerdictData } from "./report-data.ts";

export const ORDER = "shop/state/orders/order-1.json";
const INDEX = "shop/state/index.json";
export const TURN = "shop/history/turns/000000000001.json";
/** Text that ends a script, opens an element and holds both quotes. */
export const HOSTILE = `</script><img src=x onerror="alert('1')">\u2028&amp;`;

type Changes = Partial<StoreOperation> & Pick<StoreOperation, "kind" | "key" | "sentAtMs">;

class HistoryBuilder {
  readonly operations: StoreOperation[] = [];
  readonly chains = new Map<string, Version[]>();

  /** A request that took 2 ms there and 2 ms back, unless the changes say otherwise. */
  add(changes: Changes): StoreOperation {
    const { sentAtMs } = changes;
    const operation: StoreOperation = {
      id: this.operations.length + 1,
      process: "node-1",
      incarnation: 1,
      condition: null,
      body: null,
      appliedAtMs: sentAtMs + 2,
      verdict: "served",
      version: null,
      answeredAtMs: sentAtMs + 4,
      outcome: null,
      faults: [],
      ...changes,
    };
    this.operations.push(operation);
    return operation;
  }

  /** A get that was served this version. */
  read(key: string, sentAtMs: number, version: number, changes: Partial<StoreOperation> = {}): void {
    const made = this.chains.get(key)?.[version];
    const outcome = { kind: "ok", body: made?.body ?? "", etag: made?.etag ?? "" } as const;
    this.add({ kind: "get", key, sentAtMs, version, outcome, ...changes });
  }

  /** A put that made the key's next version. */
  write(key: string, sentAtMs: number, changes: Partial<StoreOperation> = {}): void {
    const chain = this.chains.get(key) ?? [];
    const named = chain.at(-1);
    const etag = `${key.length}-${chain.length}`;
    const operation = this.add({
      kind: "put",
      key,
      sentAtMs,
      condition: named === undefined ? { kind: "if-absent" } : { kind: "if-match", etag: named.etag },
      body: JSON.stringify({ sequence: chain.length, note: HOSTILE }),
      verdict: "applied",
      version: chain.length,
      outcome: { kind: "ok", etag },
      ...changes,
    });
    const atMs = operation.appliedAtMs ?? sentAtMs;
    chain.push({ key, index: chain.length, body: operation.body, etag, atMs, operation });
    this.chains.set(key, chain);
  }

  /** A put that named this version and was not made. */
  refuse(
    key: string,
    sentAtMs: number,
    version: number,
    verdict: Verdict,
    faults: readonly FaultKind[],
  ): void {
    const etag = this.chains.get(key)?.[version]?.etag ?? "";
    const condition = { kind: "if-match", etag } as const;
    const decided = { verdict, appliedAtMs: verdict === "conflict" ? null : sentAtMs + 2, faults };
    const outcome = { kind: "conflict" } as const;
    const body = JSON.stringify({ sequence: version + 1, note: "lost" });
    this.add({ kind: "put", key, sentAtMs, process: "node-2", condition, body, outcome, ...decided });
  }
}

const UNKNOWN = { kind: "unknown-outcome", detail: "no answer from the store" } as const;

/**
 * Operation ids by what becomes of each. `won` and `lost` race for version 1 of the order, both from version 0; `late`
 * lands 14 s after its sender gave up; `senderGone` is applied and its sender crashes before the answer.
 */
export const OPERATIONS = {
  created: 1,
  read: 2,
  readByOther: 3,
  won: 4,
  lost: 5,
  answerLost: 6,
  requestLost: 7,
  late: 8,
  conflict: 9,
  throttled: 10,
  absent: 11,
  deleted: 12,
  list: 13,
  senderGone: 14,
} as const;

/** What happened, as the simulator would have kept it. */
export function handmadeHistory(): RunHistory {
  const made = new HistoryBuilder();
  made.write(ORDER, 10);
  made.read(ORDER, 20, 0);
  made.read(ORDER, 20, 0, { process: "node-2" });
  made.write(ORDER, 30);
  made.refuse(ORDER, 31, 0, "precondition-failed", []);
  made.write(ORDER, 40, { outcome: UNKNOWN, answeredAtMs: 900, faults: ["F01-lost-answer"] });
  const nowhere = { appliedAtMs: null, verdict: null, version: null, outcome: UNKNOWN, answeredAtMs: 950 };
  made.add({ kind: "get", key: ORDER, sentAtMs: 45, ...nowhere, faults: ["F02-lost-request"] });
  const late = { appliedAtMs: 15_000, answeredAtMs: 1_000, outcome: UNKNOWN };
  made.write(INDEX, 50, { ...late, faults: ["F03-late-write"] });
  made.refuse(ORDER, 1_100, 2, "conflict", ["F05-conflict-409"]);
  made.refuse(ORDER, 1_200, 2, "throttled", ["F06-throttle"]);
  const missing = { verdict: "absent", outcome: { kind: "not-found" } } as const;
  made.add({ kind: "get", key: TURN, sentAtMs: 1_300, ...missing });
  made.write(ORDER, 1_400, { kind: "delete", body: null, outcome: { kind: "ok" } });
  const listed = { kind: "ok", entries: [{ key: INDEX, etag: "1" }], truncated: false } as const;
  made.add({ kind: "list", key: "shop/state/", sentAtMs: 1_500, outcome: listed });
  made.write(TURN, 1_600, { process: "node-2", answeredAtMs: null, outcome: null, faults: ["N01-crash"] });
  return {
    operations: made.operations,
    chains: made.chains,
    calls: handmadeCalls(),
    incidents: handmadeIncidents(),
    healedAtMs: 20_000,
    endedAtMs: 25_000,
  };
}

/** One call of each fate: yes, no, lost, reply lost, doubled, caller gone. */
function handmadeCalls(): RunHistory["calls"] {
  const call = (
    id: number,
    operation: string,
    sentAtMs: number,
    changes: Partial<CallRecord>,
  ): CallRecord => ({
    id,
    from: "worker-1",
    fromIncarnation: 1,
    to: "node-1",
    operation,
    request: { id, note: HOSTILE },
    sentAtMs,
    repliedAtMs: null,
    answeredAtMs: sentAtMs + 12,
    outcome: "answered",
    reply: { ok: true, value: null },
    faults: [],
    ...changes,
  });
  const unknown = { outcome: "unknown-outcome", reply: undefined, answeredAtMs: 12_500 } as const;
  return [
    call(1, "claim", 28, {}),
    call(2, "complete", 36, { reply: { ok: false, error: { kind: "fenced", code: "stale_token" } } }),
    call(3, "heartbeat", 60, { ...unknown, faults: ["H01-lost-call"] }),
    call(4, "checkpoint", 70, { ...unknown, faults: ["H02-lost-reply"] }),
    call(5, "send", 80, { faults: ["D01-duplicate-request"] }),
    call(6, "claim", 1_590, { outcome: null, answeredAtMs: null, reply: undefined }),
  ];
}

/** node-2 crashes, comes back and gets a twin; node-1 is paused and cut off. */
function handmadeIncidents(): RunHistory["incidents"] {
  const names = ["node-1", "node-2", "worker-1"];
  return [
    ...names.map((process) => ({ atMs: 0, kind: "start", process, detail: "incarnation 1" })),
    { atMs: 0, kind: "skew", process: "node-2", detail: "-83000 ms" },
    { atMs: 1_602, kind: "crash", process: "node-2", detail: "incarnation 1" },
    { atMs: 3_000, kind: "start", process: "node-2", detail: "incarnation 2" },
    { atMs: 4_000, kind: "pause", process: "node-1", detail: "" },
    { atMs: 6_000, kind: "resume", process: "node-1", detail: "3 events held" },
    { atMs: 7_000, kind: "twin", process: "node-2", detail: "beside incarnation 2" },
    { atMs: 7_000, kind: "start", process: "node-2", detail: "incarnation 3" },
    { atMs: 8_000, kind: "stall", process: "worker-1", detail: "" },
    { atMs: 9_000, kind: "outage", process: "node-1", detail: "4 s" },
    { atMs: 20_000, kind: "heal", process: null, detail: "" },
  ];
}

/** Where it came from: nowhere that exists. */
const ORIGIN: RunOrigin = {
  scenario: "by-hand",
  claim: "holds every kind of event once",
  seed: 7,
  planted: null,
  fingerprint: "00112233445566aa",
  draws: 42,
  facts: [["store profile", "aws-s3"]],
  again: "npx baton replay --scenario by-hand --seed 7",
};

/** The version that node-1 won breaks an invariant. */
export const BROKEN: VerdictData = {
  kind: "violation",
  message: `order-1: ${HOSTILE}`,
  findings: [
    {
      invariant: "I04-no-foreign-write",
      statement: "each change was asked for",
      message: `order-1: ${HOSTILE}`,
      key: ORDER,
      atMs: 32,
    },
  ],
};

/** The run as the data of a page; broken unless another verdict is given. */
export function handmadeRun(verdict: VerdictData = BROKEN): RunData {
  return recordRun("original", ORIGIN, verdict, handmadeHistory());
}

/** The run that many times in a row, for sizes. */
export function longRun(times: number): RunData {
  const once = handmadeHistory();
  const operations: StoreOperation[] = [];
  for (let nth = 0; nth < times; nth++)
    for (const op of once.operations) {
      const at = (ms: number | null): number | null => (ms === null ? null : ms + nth * 25_000);
      const sentAtMs = op.sentAtMs + nth * 25_000;
      const id = op.id + nth * once.operations.length;
      operations.push({
        ...op,
        id,
        sentAtMs,
        appliedAtMs: at(op.appliedAtMs),
        answeredAtMs: at(op.answeredAtMs),
      });
    }
  const history = { ...once, operations, endedAtMs: times * 25_000 };
  return recordRun("original", ORIGIN, { kind: "pass", message: "passed", findings: [] }, history);
}
