/**
 * The cause of each request of a run, from its history alone: nothing in the engine says it.
 *
 *   A1  a request of a sweep is the sweep's (`sweeps.ts`); any other one for the index is the index's, whenever it comes:
 *       what follows a commit is written later.
 *   A2  a write of an identity is told by what it changed (`identity-change.ts`); one that changed nothing that tells, by
 *       the calls that its node was serving for that identity.
 *   A3  a read of an identity belongs to the write that was made on what it found; when there is none, to the calls.
 *   A4  a read of history while the node serves a send to its instance is part of that admission, unless the node has
 *       tried to write that very object; everything else there is history.
 *   A5  of several calls that could have made a request without a mark of its own, a claim is taken before others: it
 *       alone looks at identities that it then leaves as they are. Only callers who race each other meet this.
 *   A6  a node that serves no call sweeps, or does what follows a commit: that is known by its keys, by what it changed, or
 *       by A7; what has no such mark is the sweep's.
 *   A7  nobody but who prunes the history lists or removes blobs, and that is history, with the read of the identity that
 *       is sent at the very time the list was answered. Blobs are put and got by calls.
 *
 * Not covered: requests of a call after its caller gave up waiting count as other calls', or the sweep's; so does a read of
 * an identity by what follows a commit and then finds nothing to write. A blob that is taken back, because its instance was
 * deleted while it was put, counts as history.
 */
import { type CallRecord, HARNESS, type RunHistory, type StoreOperation } from "../sim/index.ts";
import { CAUSES, type Cause, causeOfCall } from "./cause.ts";
import { causeOfChange } from "./identity-change.ts";
import { placeOf } from "./places.ts";
import { sweepsAmong } from "./sweeps.ts";

export function causesOf(history: RunHistory): ReadonlyMap<StoreOperation, Cause> {
  const causes = new Map<StoreOperation, Cause>();
  const byProcess = new Map<string, StoreOperation[]>();
  for (const operation of history.operations) {
    if (operation.process === HARNESS) continue;
    const known = byProcess.get(operation.process);
    if (known === undefined) byProcess.set(operation.process, [operation]);
    else known.push(operation);
  }
  for (const [process, operations] of byProcess) {
    const calls = history.calls.filter((call) => call.to === process);
    new NodeRequests(history, operations, calls).tell(causes);
  }
  return causes;
}

class NodeRequests {
  readonly #history: RunHistory;
  readonly #operations: readonly StoreOperation[];
  readonly #serving: ReadonlyMap<StoreOperation, readonly CallRecord[]>;
  /** A3. */
  readonly #writeOf: ReadonlyMap<StoreOperation, StoreOperation>;
  /** A7. */
  readonly #pruning: ReadonlySet<StoreOperation>;

  constructor(history: RunHistory, operations: readonly StoreOperation[], calls: readonly CallRecord[]) {
    this.#history = history;
    this.#operations = operations;
    this.#serving = servedAt(operations, calls);
    this.#pruning = pruningAmong(operations);
    // A read of A7 is nobody else's, whatever is written on the same version later.
    this.#writeOf = writesByRead(operations.filter((operation) => !this.#pruning.has(operation)));
  }

  tell(causes: Map<StoreOperation, Cause>): void {
    const sweeps = sweepsAmong(this.#operations);
    for (const operation of this.#operations) {
      const cause = sweeps.has(operation) ? "sweep" : this.#causeOf(operation);
      causes.set(operation, cause);
    }
  }

  #causeOf(operation: StoreOperation): Cause {
    if (this.#pruning.has(operation)) return "history";
    const place = placeOf(operation.key);
    switch (place.kind) {
      case "index":
        return "index";
      case "identity":
        return this.#identityCause(operation, place.id);
      case "history":
        return operation.kind === "get" && this.#isLookedUp(operation, place.id) ? "admit" : "history";
      case "identities":
      case "blobs":
      case "elsewhere":
        return this.#callCause(operation, null);
    }
  }

  /** A2, A3. */
  #identityCause(operation: StoreOperation, id: string): Cause {
    const write = operation.kind === "put" ? operation : this.#writeOf.get(operation);
    const changed = write === undefined ? null : this.#changeCause(write);
    return changed ?? this.#callCause(operation, id);
  }

  #changeCause({ key, condition, body }: StoreOperation): Cause | null {
    if (condition?.kind !== "if-match" || body === null) return null;
    const before = this.#history.chains.get(key)?.find((version) => version.etag === condition.etag);
    return before?.body == null ? null : causeOfChange(before.body, body);
  }

  /** A6. */
  #isAlone(operation: StoreOperation): boolean {
    return (this.#serving.get(operation) ?? []).length === 0;
  }

  /** A5, A6. */
  #callCause(operation: StoreOperation, id: string | null): Cause {
    if (this.#isAlone(operation)) return "sweep";
    const serving = this.#serving.get(operation) ?? [];
    const causes = serving
      .filter((call) => id === null || mayTouch(call, id))
      .map((call) => causeOfCall(call.operation));
    if (causes.includes("claim")) return "claim";
    return CAUSES.find((cause) => causes.includes(cause)) ?? "other";
  }

  /** A4. */
  #isLookedUp(operation: StoreOperation, id: string): boolean {
    for (const { kind, key, id: sent } of this.#operations)
      if (kind === "put" && key === operation.key && sent < operation.id) return false;
    const calls = this.#serving.get(operation) ?? [];
    return calls.some((call) => call.operation === "sendMessage" && mayTouch(call, id));
  }
}

/** The calls that the node was serving when it sent each request. Both are in the order of sending. */
function servedAt(
  operations: readonly StoreOperation[],
  calls: readonly CallRecord[],
): ReadonlyMap<StoreOperation, readonly CallRecord[]> {
  const served = new Map<StoreOperation, readonly CallRecord[]>();
  let open: readonly CallRecord[] = [];
  let next = 0;
  for (const operation of operations) {
    const { sentAtMs } = operation;
    const begun: CallRecord[] = [];
    for (let call = calls[next]; call !== undefined && call.sentAtMs <= sentAtMs; call = calls[++next])
      begun.push(call);
    open = [...open, ...begun].filter((call) => (call.answeredAtMs ?? sentAtMs) >= sentAtMs);
    served.set(operation, open);
  }
  return served;
}

/** A7: what goes to blobs without a call, and the reads that belong to it. */
function pruningAmong(operations: readonly StoreOperation[]): ReadonlySet<StoreOperation> {
  const found = new Set<StoreOperation>();
  const lists = new Set<string>();
  for (const operation of operations) {
    const { kind, key, sentAtMs, answeredAtMs } = operation;
    const place = placeOf(key);
    if (place.kind === "blobs" && (kind === "list" || kind === "delete")) found.add(operation);
    if (place.kind === "blobs" && kind === "list") lists.add(`${place.id} ${answeredAtMs}`);
    // Of reads at the same time one is the list's.
    if (place.kind === "identity" && kind === "get" && lists.delete(`${place.id} ${sentAtMs}`))
      found.add(operation);
  }
  return found;
}

/** A3: of each read the write on the version that it found, each read once. */
function writesByRead(operations: readonly StoreOperation[]): ReadonlyMap<StoreOperation, StoreOperation> {
  const found = new Map<StoreOperation, StoreOperation>();
  const reads = new Map<string, StoreOperation[]>();
  for (const operation of operations) {
    const { kind, key, outcome, condition } = operation;
    if (kind === "get" && outcome?.kind === "ok" && "etag" in outcome) {
      const known = `${key} ${outcome.etag}`;
      reads.set(known, [...(reads.get(known) ?? []), operation]);
    }
    if (kind !== "put" || condition?.kind !== "if-match") continue;
    const open = reads.get(`${key} ${condition.etag}`) ?? [];
    const at = open.findLastIndex(
      (read) => (read.answeredAtMs ?? Number.POSITIVE_INFINITY) <= operation.sentAtMs,
    );
    const [read] = at < 0 ? [] : open.splice(at, 1);
    if (read !== undefined) found.set(read, operation);
  }
  return found;
}

/** Whether a call can be about the identity. A claim names none. */
function mayTouch({ operation, request }: CallRecord, id: string): boolean {
  if (operation === "claim") return true;
  return (textField(request, "workflow_id") ?? textField(request, "id")) === id;
}

function textField(value: unknown, name: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const found: unknown = Reflect.get(value, name);
  return typeof found === "string" ? found : null;
}
