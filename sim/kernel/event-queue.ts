/**
 * The pending events of a run, ordered by (virtual time, entry).
 *
 * A binary heap holds the later events; those that may come next are held in a short sorted list, `ready`, from
 * which the policy picks.
 *
 *   Q1  `size` counts exactly the events that will still fire: a cancelled event is taken out at once;
 *   Q2  while `ready` is not empty, every event at or before its horizon is in it;
 *   Q3  a policy is asked when two or more events may come next, and told of an event that comes without a rival;
 *   Q4  nothing depends on anything but times, the order of entry and the policy's picks.
 */
import { assert, present } from "../../src/std/assert.ts";
import type { ChoiceSource } from "./choice.ts";
import type { Candidate, SchedulePolicy, Touch } from "./schedule-policy.ts";

/** Slots outside the heap. */
const READY = -2;
const OUT = -1;

export class PendingEvent<Owner extends { readonly name: string }> implements Candidate {
  readonly timeMs: number;
  readonly seq: number;
  readonly label: string;
  /** Whose code it runs; null: the harness's. */
  readonly owner: Owner | null;
  readonly fire: () => void;
  readonly touches: Touch | null;
  /** Its index in the heap, or one of the marks above. Kept by the queue. */
  slot = OUT;

  constructor(
    timeMs: number,
    seq: number,
    label: string,
    owner: Owner | null,
    fire: () => void,
    touches: Touch | null,
  ) {
    this.timeMs = timeMs;
    this.seq = seq;
    this.label = label;
    this.owner = owner;
    this.fire = fire;
    this.touches = touches;
  }
}

function before(a: Candidate, b: Candidate): boolean {
  return a.timeMs < b.timeMs || (a.timeMs === b.timeMs && a.seq < b.seq);
}

export class EventQueue<Owner extends { readonly name: string }> {
  readonly #heap: PendingEvent<Owner>[] = [];
  readonly #ready: PendingEvent<Owner>[] = [];
  #horizonMs = -1;
  #seq = 0;

  get size(): number {
    return this.#heap.length + this.#ready.length;
  }

  /** The time of the earliest event; infinite when there is none. */
  earliestMs(): number {
    // Never past the end of a list, here and below: that is a slow way to learn that there is nothing.
    const line = this.#ready.length > 0 ? this.#ready : this.#heap;
    return line.length === 0 ? Number.POSITIVE_INFINITY : present(line[0], "the first event").timeMs;
  }

  add(
    timeMs: number,
    label: string,
    owner: Owner | null,
    fire: () => void,
    touches: Touch | null = null,
  ): PendingEvent<Owner> {
    const event = new PendingEvent(timeMs, this.#seq++, label, owner, fire, touches);
    if (this.#ready.length > 0 && timeMs <= this.#horizonMs) this.#insertReady(event);
    else this.#push(event);
    return event;
  }

  /** Takes the event out; nothing happens when it has fired or was taken out before. */
  cancel(event: PendingEvent<Owner>): void {
    if (event.slot === READY) this.#closeGap(this.#ready.indexOf(event));
    else if (event.slot >= 0) this.#removeAt(event.slot);
    event.slot = OUT;
  }

  /** Takes out every event of one owner: its memory is gone. */
  removeOwnedBy(owner: Owner): void {
    const doomed = this.#heap.filter((event) => event.owner === owner);
    doomed.push(...this.#ready.filter((event) => event.owner === owner));
    for (const event of doomed) this.cancel(event);
  }

  /** Takes the next event as the policy wants it. The queue must not be empty. */
  take(policy: SchedulePolicy, choices: ChoiceSource): PendingEvent<Owner> {
    const ready = this.#ready;
    if (ready.length === 0) {
      const first = present(this.#pop(), "the next event");
      const horizonMs = first.timeMs + policy.slackMs;
      if (!this.#topIsWithin(horizonMs)) {
        policy.only?.(first);
        return first;
      }
      this.#horizonMs = horizonMs;
      this.#insertReady(first);
    }
    const limitMs = present(ready[0], "the first ready event").timeMs + policy.slackMs;
    if (limitMs > this.#horizonMs) this.#horizonMs = limitMs;
    while (this.#topIsWithin(this.#horizonMs)) this.#insertReady(present(this.#pop(), "the top of the heap"));
    let count = 1;
    while (count < ready.length && present(ready[count], "a ready event").timeMs <= limitMs) count++;
    const index = count === 1 ? 0 : policy.pick(ready, count, choices);
    assert(index >= 0 && index < count, "a policy picks one of the candidates");
    if (count === 1) policy.only?.(present(ready[0], "the only event"));
    const taken = present(ready[index], "the picked event");
    this.#closeGap(index);
    taken.slot = OUT;
    return taken;
  }

  /** Takes a place out of the line. By hand: `splice` costs more than all else here. */
  #closeGap(index: number): void {
    const ready = this.#ready;
    for (let i = index + 1; i < ready.length; i++) ready[i - 1] = present(ready[i], "a ready event");
    ready.pop();
  }

  #topIsWithin(timeMs: number): boolean {
    const heap = this.#heap;
    return heap.length > 0 && present(heap[0], "the top of the heap").timeMs <= timeMs;
  }

  /** Almost always at the end: new events are the last in line. */
  #insertReady(event: PendingEvent<Owner>): void {
    const ready = this.#ready;
    event.slot = READY;
    let at = ready.length;
    ready.push(event);
    for (; at > 0; at--) {
      const earlier = present(ready[at - 1], "a ready event");
      if (!before(event, earlier)) break;
      ready[at] = earlier;
    }
    ready[at] = event;
  }

  #push(event: PendingEvent<Owner>): void {
    this.#heap.push(event);
    this.#siftUp(event, this.#heap.length - 1);
  }

  #pop(): PendingEvent<Owner> | undefined {
    if (this.#heap.length === 0) return undefined;
    const top = this.#heap[0];
    this.#removeAt(0);
    return top;
  }

  #removeAt(slot: number): void {
    const removed = present(this.#heap[slot], "an event of the heap");
    const last = present(this.#heap.pop(), "the last event of the heap");
    removed.slot = OUT;
    if (last === removed) return;
    const parent = present(this.#heap[slot > 0 ? (slot - 1) >> 1 : 0], "a parent in the heap");
    if (slot > 0 && before(last, parent)) this.#siftUp(last, slot);
    else this.#siftDown(last, slot);
  }

  #siftUp(event: PendingEvent<Owner>, from: number): void {
    const heap = this.#heap;
    let slot = from;
    while (slot > 0) {
      const parentSlot = (slot - 1) >> 1;
      const parent = present(heap[parentSlot], "a parent in the heap");
      if (!before(event, parent)) break;
      heap[slot] = parent;
      parent.slot = slot;
      slot = parentSlot;
    }
    heap[slot] = event;
    event.slot = slot;
  }

  #siftDown(event: PendingEvent<Owner>, from: number): void {
    const heap = this.#heap;
    let slot = from;
    for (let childSlot = 2 * slot + 1; childSlot < heap.length; childSlot = 2 * slot + 1) {
      let child = present(heap[childSlot], "a child in the heap");
      if (childSlot + 1 < heap.length) {
        const right = present(heap[childSlot + 1], "a child in the heap");
        if (before(right, child)) {
          child = right;
          childSlot++;
        }
      }
      if (!before(child, event)) break;
      heap[slot] = child;
      child.slot = slot;
      slot = childSlot;
    }
    heap[slot] = event;
    event.slot = slot;
  }
}
