/**
 * The tree of all choices of a search, walked depth first: at any time it holds the one path of the present run.
 *
 * A run is made from the start, follows the path as far as it goes, takes the plainest alternatives from there on
 * and lengthens the path by them (stateless search). After it `advance` turns the last node that has an alternative
 * left and drops what came after.
 *
 *   T1  A draw has all its values as alternatives, one after the other; one that costs a fault only while the budget
 *       of the run allows it.
 *   T2  A place in the order has those alternatives that a race asked for (`PartialOrder`), so of each class of
 *       orders at least one is run. With `reduction: "none"` it has every step that can come next.
 *   T3  A step that was tried at a place sleeps in what is tried there after it, until a step that depends on it has
 *       come. A run in which everything that can come next sleeps repeats a class, and is given up. So of each
 *       class exactly one run is completed.
 *   T4  A step that settles the matter ends the path. Whatever else could have come in its place is tried there, so
 *       that each set of steps before the end, in each of its orders up to equivalence, is met.
 *   T5  Places beyond `depth` have no alternatives; that one was asked for is counted in `cut`.
 */
import { assert, present } from "../../../src/std/assert.ts";
import { dependent, type Footprint, type Step } from "./footprint.ts";
import { PartialOrder } from "./partial-order.ts";

export interface TreeOptions {
  /** Faults that a run may have. */
  readonly faults: number;
  /** Places in the order that are searched; null: all. */
  readonly depth: number | null;
  readonly reduction: "classes" | "none";
}

interface DrawNode {
  readonly kind: "draw";
  readonly n: number;
  readonly last: number;
  readonly cost: number;
  value: number;
}

interface PlaceNode {
  readonly kind: "place";
  readonly sleeping: ReadonlyMap<string, Footprint>;
  /** Steps that can come next. */
  readonly enabled: readonly string[];
  /** Steps to be tried here, in the order in which they were asked for. */
  readonly wanted: Set<string>;
  readonly tried: Map<string, Footprint>;
  chosen: string;
  /** The chosen step over all runs through here: every process whose code ran, and what it did in any of them. */
  processes: Set<string>;
  changed: boolean;
  settles: boolean;
}

/** The path of a run came to another choice than in the run before: the code under test is not deterministic. */
export class UnsteadyRun extends Error {
  override readonly name = "UnsteadyRun";
}

export class SearchTree {
  readonly #options: TreeOptions;
  readonly #nodes: (DrawNode | PlaceNode)[] = [];
  readonly #order = new PartialOrder();
  #steps: Step[] = [];
  #next = 0;
  #faults = 0;
  #cut = 0;
  /** Steps whose races are noted. */
  #raced = 0;

  constructor(options: TreeOptions) {
    this.#options = options;
  }

  /** Faults in the present run so far. */
  get faults(): number {
    return this.#faults;
  }

  /** Alternatives that were asked for beyond the depth. */
  get cut(): number {
    return this.#cut;
  }

  /** The order of the run that has ended. */
  get order(): PartialOrder {
    return this.#order;
  }

  /** Before each run. */
  begin(): void {
    this.#next = 0;
    this.#faults = 0;
    this.#steps = [];
  }

  /** The value of a draw of this run. */
  draw(n: number, cost: number): number {
    let node = this.#nodes[this.#next];
    if (node === undefined) {
      const last = this.#faults + cost <= this.#options.faults ? n - 1 : 0;
      node = { kind: "draw", n, last, cost, value: 0 };
      this.#nodes.push(node);
    }
    if (node.kind !== "draw" || node.n !== n) throw new UnsteadyRun("a run came to another draw than before");
    this.#next++;
    if (node.value !== 0) this.#faults += node.cost;
    return node.value;
  }

  /** Which of these steps comes next; null: all that can come next sleep (T3). */
  place(enabled: readonly string[]): string | null {
    this.#settle();
    let node = this.#nodes[this.#next];
    if (node === undefined) {
      const sleeping = this.#sleeping();
      const chosen = enabled.find((id) => !sleeping.has(id));
      if (chosen === undefined) return null;
      const wanted = new Set(this.#options.reduction === "none" ? enabled : [chosen]);
      const fresh = { tried: new Map(), processes: new Set<string>(), changed: false, settles: false };
      node = { kind: "place", sleeping, enabled, wanted, chosen, ...fresh };
      this.#nodes.push(node);
    }
    if (node.kind !== "place" || !enabled.includes(node.chosen)) {
      throw new UnsteadyRun("a run came to another place in the order than before");
    }
    this.#next++;
    return node.chosen;
  }

  /** The step that was chosen last, as it is made. Its footprint may grow until the next place or the end. */
  made(step: Step): void {
    this.#steps.push(step);
  }

  /** The present step settles the matter (T4). */
  settle(): void {
    const step = this.#steps.at(-1);
    if (step === undefined) return;
    step.settles = true;
    const { wanted, enabled } = this.#lastPlace();
    for (const id of enabled) if (!wanted.has(id)) this.#want(wanted, this.at, id);
  }

  /** The number of the present step; -1 before the first. */
  get at(): number {
    return this.#steps.length - 1;
  }

  /** After each run: notes its races. */
  end(): void {
    this.#settle();
    if (this.#options.reduction === "none") return;
    const places = this.#nodes.filter((node) => node.kind === "place");
    for (let step = this.#raced; step < this.#order.length; step++) {
      for (const { at, initials } of this.#order.races(step)) {
        const { wanted } = present(places[at], "the place of a step");
        if (initials.some((id) => wanted.has(id))) continue;
        this.#want(wanted, at, present(initials[0], "a first step"));
      }
    }
    this.#raced = this.#order.length;
  }

  /** T5. */
  #want(wanted: Set<string>, at: number, id: string): void {
    if (this.#options.depth !== null && at >= this.#options.depth) this.#cut++;
    else wanted.add(id);
  }

  /** Turns to the next path; false when there is none. */
  advance(): boolean {
    for (let node = this.#nodes.at(-1); node !== undefined; node = this.#nodes.at(-1)) {
      if (node.kind === "draw" ? turnDraw(node) : this.#turnPlace(node)) {
        // The step in which a draw is made, or that is chosen anew, is no longer what it was.
        const known = Math.max(0, this.#places() - 1);
        this.#order.cut(known);
        this.#raced = Math.min(this.#raced, known);
        return true;
      }
      this.#nodes.pop();
    }
    return false;
  }

  #places(): number {
    let places = 0;
    for (const { kind } of this.#nodes) if (kind === "place") places++;
    return places;
  }

  #turnPlace(node: PlaceNode): boolean {
    const step = present(this.#steps[this.#places() - 1], "the step of a place");
    node.tried.set(node.chosen, {
      ...step,
      processes: [...node.processes],
      changed: node.changed,
      settles: node.settles,
    });
    for (const id of node.wanted) {
      if (node.tried.has(id) || node.sleeping.has(id)) continue;
      node.chosen = id;
      node.processes = new Set();
      node.changed = false;
      node.settles = false;
      return true;
    }
    return false;
  }

  /** The present step is over: its footprint is complete. */
  #settle(): void {
    const step = this.#steps.at(-1);
    if (step === undefined) return;
    const node = this.#lastPlace();
    for (const process of step.processes) node.processes.add(process);
    node.changed ||= step.changed;
    node.settles ||= step.settles;
    if (this.#order.length < this.#steps.length) this.#order.add(step);
    assert(this.#order.length >= this.#steps.length, "the order knows every step that is over");
  }

  /** What sleeps at a new place (T3). */
  #sleeping(): ReadonlyMap<string, Footprint> {
    const step = this.#steps.at(-1);
    if (step === undefined || this.#options.reduction === "none") return new Map();
    const { sleeping, tried } = this.#lastPlace();
    return new Map([...sleeping, ...tried].filter(([, footprint]) => !dependent(footprint, step)));
  }

  /** The place before the next node. */
  #lastPlace(): PlaceNode {
    for (let i = this.#next - 1; i >= 0; i--) {
      const node = this.#nodes[i];
      if (node?.kind === "place") return node;
    }
    throw new UnsteadyRun("a step was made without a place");
  }
}

function turnDraw(node: DrawNode): boolean {
  if (node.value >= node.last) return false;
  node.value++;
  return true;
}
