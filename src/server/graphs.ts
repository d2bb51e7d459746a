/**
 * The graphs that this server has met: one node for each, with its callers.
 *
 *   G1  a graph is met when a request names it. Whether it exists is the engine's to say; a name that names none is
 *       forgotten, so that made-up names take no memory.
 *   G2  every graph that was met is swept. One that nobody has asked this server about is swept by the server that
 *       somebody asks.
 */
import type { Engine, EngineNode } from "../engine/engine.ts";
import type { Caller } from "../vocabulary/caller.ts";

/** Makes the node that serves a graph. */
export type OpenGraph = (graph: string) => EngineNode;

export interface OpenedGraph {
  readonly node: EngineNode;
  as(caller: Caller): Engine;
}

class Graph implements OpenedGraph {
  readonly node: EngineNode;
  readonly #callers = new Map<Caller, Engine>();

  constructor(node: EngineNode) {
    this.node = node;
  }

  as(caller: Caller): Engine {
    const known = this.#callers.get(caller);
    if (known !== undefined) return known;
    const engine = this.node.as(caller);
    this.#callers.set(caller, engine);
    return engine;
  }
}

export class Graphs {
  readonly #open: OpenGraph;
  readonly #graphs = new Map<string, Graph>();
  #ended = false;

  constructor(open: OpenGraph) {
    this.#open = open;
  }

  named(name: string): OpenedGraph {
    const known = this.#graphs.get(name);
    if (known !== undefined) return known;
    const graph = new Graph(this.#open(name));
    if (this.#ended) graph.node.endWaits();
    this.#graphs.set(name, graph);
    return graph;
  }

  /** G1. */
  forget(name: string): void {
    const graph = this.#graphs.get(name);
    if (graph === undefined || !this.#graphs.delete(name)) return;
    graph.node.endWaits();
  }

  /** G2. One pass over each. */
  async sweep(): Promise<void> {
    for (const { node } of [...this.#graphs.values()]) await node.reconcile();
  }

  /** Each node ends what it has begun by itself, and tells what it has not told yet. */
  async flush(): Promise<void> {
    await Promise.all([...this.#graphs.values()].map(({ node }) => node.flush()));
  }

  /** Waiting claims are answered, and none waits from now on. */
  endWaits(): void {
    this.#ended = true;
    for (const { node } of this.#graphs.values()) node.endWaits();
  }
}
