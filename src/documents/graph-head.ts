/**
 * The head object of a graph: read when a node starts and now and then, written when the graph is created or deleted.
 */
import { answer, refuse } from "../protocol/decision.ts";
import { createGraph, deleteGraph, noteGraphErased } from "../protocol/graph.ts";
import { ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { GraphHead } from "../vocabulary/graph-head.ts";
import { CALLER } from "./backoff.ts";
import { graphCodec } from "./codec.ts";
import { conditionalWrite, type StorePorts } from "./conditional-write.ts";
import { headKey, type Namespace } from "./keys.ts";
import { readPatiently } from "./patient-read.ts";

export const NO_GRAPH = failure("not-found", "graph_not_found", "the graph does not exist; create it first");
/** A creation met a deletion that is not finished. */
export const UNERASED_GRAPH = failure(
  "unavailable",
  "erasure_unfinished",
  "the deletion of the graph that had this name is not finished; repeat the request after a while",
);

export class GraphHeadObject {
  readonly #ports: StorePorts;
  readonly #key: string;

  constructor(ports: StorePorts, namespace: Omit<Namespace, "epoch">) {
    this.#ports = ports;
    this.#key = headKey(namespace);
  }

  /** Null: the graph was never created. */
  async read(): Promise<Result<GraphHead | null, Failure>> {
    const read = await readPatiently(this.#ports, this.#key, graphCodec, CALLER);
    return read.ok ? ok(read.value?.value ?? null) : read;
  }

  /** Answers whether this call began the epoch. Refused over a deletion that is not finished. */
  async create(): Promise<Result<{ readonly head: GraphHead; readonly created: boolean }, Failure>> {
    const settled = await conditionalWrite(this.#ports, this.#key, graphCodec, CALLER, (current) => {
      const head = current?.value ?? null;
      return head !== null && !head.live && !head.erased ? refuse(UNERASED_GRAPH) : createGraph(head);
    });
    return settled.ok ? ok({ head: settled.value.value, created: settled.value.reply }) : settled;
  }

  /** P117. Answers whether an epoch goes on. */
  async begin(): Promise<Result<boolean, Failure>> {
    const settled = await conditionalWrite(this.#ports, this.#key, graphCodec, CALLER, (current) =>
      current === null ? createGraph(null) : answer(current.value.live),
    );
    return settled.ok ? ok(settled.value.reply) : settled;
  }

  /** Answers whether this call ended the epoch. */
  async retire(): Promise<Result<{ readonly head: GraphHead; readonly deleted: boolean }, Failure>> {
    const settled = await conditionalWrite(this.#ports, this.#key, graphCodec, CALLER, (current) =>
      current === null ? refuse(NO_GRAPH) : deleteGraph(current.value),
    );
    return settled.ok ? ok({ head: settled.value.value, deleted: settled.value.reply }) : settled;
  }

  async noteErased(epoch: number): Promise<Result<null, Failure>> {
    const settled = await conditionalWrite(this.#ports, this.#key, graphCodec, CALLER, (current) =>
      current === null ? refuse(NO_GRAPH) : noteGraphErased(current.value, epoch),
    );
    return settled.ok ? ok(null) : settled;
  }
}
