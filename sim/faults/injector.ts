/**
 * Decides from a fault plan and the run's choices which fault strikes what, and counts those that did.
 *
 *   J1, J2  One draw decides a request or a call (`rule-table.ts`).
 *   J3  Nothing is drawn while the faults are off, or for a plan without faults of that sort.
 *   J4  Which kinds are on in this run is settled when the injector is made, by the plan and its swarm.
 *
 * Does not own what a fault does: the wire, the hop, the clocks and the processes do.
 */
import { FAULT_KINDS, type FaultKind, type StoreOperation } from "../history/history.ts";
import type { ChoiceSource } from "../kernel/choice.ts";
import type { HopFault } from "../kernel/hop.ts";
import type { ProcessFaultKind, StoreFaultKind, StoreFaults } from "../store/store-faults.ts";
import { type Direction, Partitions } from "./partition.ts";
import { type FaultPlan, kindsOf } from "./plan.ts";
import { RANGE, RuleTable } from "./rule-table.ts";

const STORE_KINDS = [
  "F01-lost-answer",
  "F02-lost-request",
  "F03-late-write",
  "F04-hidden-retry",
  "F05-conflict-409",
  "F06-throttle",
  "F11-list",
  "F12-broken-body",
  "F13-partition",
  "N01-crash",
  "N02-pause",
  "N03-starve",
  "N04-stop",
  "N06-twin",
] as const satisfies readonly StoreFaultKind[];

const HOP_KINDS = ["H01-lost-call", "H02-lost-reply", "D01-duplicate-request", "D02-reorder"] as const;

const SOUND: HopFault = { lost: "none", duplicate: false, lateMs: 0 };
const PARTITION_MS = 15_000;
const CALL_LATE_MS = 15_000;
/** Most extra microtasks before the code that waits for an answer goes on. */
const MOST_HOPS = 4;

export class FaultInjector implements StoreFaults {
  /** Off from the heal on. What was decided before still takes its course. */
  enabled = true;
  /** Installed by whoever runs the processes: does this to the process now. */
  strike: ((kind: ProcessFaultKind, process: string) => void) | null = null;
  /** Installed by whoever keeps the time line: hears what a partition cuts off. */
  partitioned: ((process: string, detail: string) => void) | null = null;
  /** Faults that took effect. */
  readonly counts: Record<FaultKind, number>;
  /** The kinds that are on in this run, in the order of the catalogue. */
  readonly kinds: readonly FaultKind[];

  readonly #plan: FaultPlan;
  readonly #choices: ChoiceSource;
  readonly #now: () => number;
  readonly #on: ReadonlySet<FaultKind>;
  readonly #store: RuleTable<StoreFaultKind>;
  readonly #hop: RuleTable<(typeof HOP_KINDS)[number]>;
  readonly #partitions: Partitions;
  readonly #hopsPermille: number;

  constructor(plan: FaultPlan, choices: ChoiceSource, now: () => number) {
    this.#plan = plan;
    this.#choices = choices;
    this.#now = now;
    this.kinds = kindsOf(plan).filter(() => plan.swarm !== true || choices.choose(2, "swarm") === 1);
    this.#on = new Set(this.kinds);
    this.#store = new RuleTable(plan, STORE_KINDS, this.#on);
    this.#hop = new RuleTable(plan, HOP_KINDS, this.#on);
    this.#partitions = new Partitions(choices, plan.partitionMs ?? PARTITION_MS);
    this.#hopsPermille = this.#on.has("S01-hops") ? (plan.rates["S01-hops"] ?? 0) : 0;
    this.counts = noCounts();
  }

  get lateByMs(): number {
    return this.#plan.lateByMs;
  }

  storeFault(operation: StoreOperation, conditional: boolean): StoreFaultKind | null {
    if (!this.enabled || this.#store.isEmpty) return null;
    const { process, kind, key } = operation;
    if (this.#partitions.cuts(operation, this.#now()) !== null) return "F13-partition";
    const fault = this.#store.at(this.#choices.choose(RANGE, "store-fault"), process, key);
    switch (fault) {
      case "F03-late-write":
        return kind === "put" || kind === "delete" ? fault : null;
      case "F05-conflict-409":
        return conditional ? fault : null;
      case "F11-list":
        return kind === "list" ? fault : null;
      case "F12-broken-body":
        return kind === "get" || kind === "list" ? fault : null;
      case "F13-partition":
        return this.#beginPartition(operation) ? fault : null;
      default:
        return fault;
    }
  }

  /** Whether the partition holds the request that it begins with. */
  #beginPartition(operation: StoreOperation): boolean {
    const detail = this.#partitions.begin(operation, this.#now());
    this.partitioned?.(operation.process, detail);
    return this.#partitions.cuts(operation, this.#now()) !== null;
  }

  cut(operation: StoreOperation): Direction {
    return this.#partitions.cuts(operation, this.#now()) ?? "requests";
  }

  hops(): number {
    if (!this.enabled || this.#hopsPermille === 0) return 0;
    const over = this.#choices.choose(RANGE, "store-hops") - (RANGE - this.#hopsPermille);
    if (over < 0) return 0;
    this.struck("S01-hops");
    return 1 + (over % MOST_HOPS);
  }

  /** What becomes of a call from this process; counted at once, for nothing can keep it from taking effect. */
  hopFault(process: string): HopFault {
    if (!this.enabled || this.#hop.isEmpty) return SOUND;
    const kind = this.#hop.at(this.#choices.choose(RANGE, "hop-fault"), process, "");
    if (kind === null) return SOUND;
    this.struck(kind);
    switch (kind) {
      case "H01-lost-call":
        return { ...SOUND, lost: "call" };
      case "H02-lost-reply":
        return { ...SOUND, lost: "reply" };
      case "D01-duplicate-request":
        return { ...SOUND, duplicate: true };
      case "D02-reorder":
        return {
          ...SOUND,
          lateMs: 1 + this.#choices.choose(this.#plan.callLateMs ?? CALL_LATE_MS, "hop-late-ms"),
        };
    }
  }

  /** Whether a fault that only the code around the system can do strikes now; counted. */
  strikes(kind: FaultKind): boolean {
    const permille = this.#plan.rates[kind] ?? 0;
    if (!this.enabled || permille === 0 || !this.#on.has(kind)) return false;
    if (this.#choices.choose(RANGE, kind) < RANGE - permille) return false;
    this.struck(kind);
    return true;
  }

  /** Whether the kind is on in this run. */
  isOn(kind: FaultKind): boolean {
    return this.#on.has(kind);
  }

  /** A number in [-most, most]: 0, 1, -1, 2, -2 … by the value drawn; counted when it is not 0. */
  deviation(kind: FaultKind, most: number, label: string): number {
    if (!this.enabled || most === 0 || !this.#on.has(kind)) return 0;
    const drawn = this.#choices.choose(2 * most + 1, label);
    if (drawn === 0) return 0;
    this.struck(kind);
    return drawn % 2 === 1 ? (drawn + 1) / 2 : -(drawn / 2);
  }

  /** How far this process's wall clock is off. */
  skew(): number {
    return this.deviation("C01-skew", this.#plan.skewMs, "clock-skew");
  }

  struck(kind: FaultKind): void {
    this.counts[kind] += 1;
  }

  protected draw(n: number, label: string): number {
    return this.#choices.choose(n, label);
  }
}

function noCounts(): Record<FaultKind, number> {
  const counts: Partial<Record<FaultKind, number>> = {};
  for (const kind of FAULT_KINDS) counts[kind] = 0;
  return counts as Record<FaultKind, number>; // every kind has just been given its count
}
