/**
 * The start of one step, recorded at the latest when it has to outlive a renewal of the lease.
 *
 *   Z1  it is sent at most once, and waited for before the step is saved: a start that arrives after its step's
 *       checkpoint would be one of a step that is over.
 *   Z2  a start that is not recorded at once is recorded when the lease has been renewed, or before the first report of
 *       the step. From then on the engine knows its limits, counted from there; the worker counts from the beginning.
 *   Z3  where the step goes on comes from the answer, or, before there is one, from the operation that the task shows of
 *       an earlier attempt: the engine would hand out the same. A task that does not say whether there was one calls for
 *       a start at once.
 *   Z4  a refusal of a late start fails the step when it returns.
 */
import type { Json } from "../std/json.ts";
import type { OperationRequest } from "../vocabulary/requests.ts";
import type { OperationView } from "../vocabulary/view.ts";
import type { TurnCalls } from "./turn-calls.ts";

export class OperationStart {
  readonly #calls: TurnCalls;
  readonly #request: OperationRequest;
  readonly #before: OperationView | null | undefined;
  #recorded: Promise<Json> | null = null;

  /** `before`: the operation that the task shows; undefined: a server of the published contract may leave it out. */
  constructor(calls: TurnCalls, request: OperationRequest, before: OperationView | null | undefined) {
    this.#calls = calls;
    this.#request = request;
    this.#before = before;
  }

  get isRecorded(): boolean {
    return this.#recorded !== null;
  }

  /** Z3: where the step goes on, and its start recorded first when it may not wait. */
  async begin(mayWait: boolean): Promise<Json> {
    const before = this.#before;
    if (!mayWait || before === undefined) return this.record();
    return before?.key === this.#request.key ? before.checkpoint : null;
  }

  /** Z1; answers where the step goes on. */
  record(): Promise<Json> {
    this.#recorded ??= this.#calls
      .send((turns, signal) => turns.operation(this.#request, signal))
      .then((begun) => begun.operation?.checkpoint ?? null);
    return this.#recorded;
  }

  /** Z2. A refusal is told by `settled`. */
  recordLate(): void {
    this.record().catch(() => undefined);
  }

  /** Z1, Z4: resolves when no start is under way. */
  async settled(): Promise<void> {
    await this.#recorded;
  }
}
