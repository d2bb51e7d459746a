/**
 * Faults aimed at writes of a certain meaning: a layer between a node and the store that knows the engine's keys.
 *
 *   history-move   the node dies around a write to history, or around the write that drops the moved turn
 *   history-silence  a write to history gets no answer, whether it arrives or not
 *   history-mute   for some time the node gets no answer about history, whether its writes arrive or not
 *   identity-mute  the same about instances, beginning with a write
 *   index-update   a write of the scheduling index never leaves the node, or the node dies before it
 *   index-late     a write of the scheduling index leaves the node some seconds late
 *   reply          after a write of a child's history the node's writes to parents are lost, for longer than it tries
 *   outage         for some seconds the node gets no answer from the store; its writes may arrive all the same
 *
 * A lost write looks to the node like any missing answer. Each strike is noted on the time line.
 */

import type { Process, ProcessContext, Simulation } from "../../sim/index.ts";
import type {
  DeleteCondition,
  DeleteOutcome,
  GetOutcome,
  ListOutcome,
  ListRequest,
  ObjectStore,
  PutCondition,
  PutOutcome,
  UnknownOutcome,
} from "../../src/ports/index.ts";
import { type Hazards, never } from "./hazards.ts";

export interface AimedFaults {
  readonly at:
    | "history-move"
    | "history-silence"
    | "history-mute"
    | "identity-mute"
    | "index-update"
    | "index-late"
    | "reply"
    | "outage";
  /** Chance out of 1,000 for each such write; an outage may begin with any request. */
  readonly permille: number;
}

type Strike = "crash-before" | "crash-after" | "lose" | "mute";
const STRIKES: { readonly [at in AimedFaults["at"]]: readonly Strike[] } = {
  "history-move": ["crash-after", "crash-before"],
  "history-silence": ["mute", "lose"],
  "history-mute": [],
  "identity-mute": [],
  "index-update": ["lose", "crash-before"],
  "index-late": [],
  reply: [],
  outage: [],
};
const INDEX = /\/state\/index(?:\/\d+-\d+)?\.json$/;
/** How long a node waits for an answer that does not come. */
const SILENCE_MS = 300;
const NO_ANSWER: UnknownOutcome = { kind: "unknown-outcome", detail: "no answer from the store" };
/** An outage lasts one to this many seconds. */
const OUTAGE_SECONDS = 15;
/** How late a write of the index may be. */
const LATE_MS = 5_000;
/** Where a node hears nothing while a part of the store is mute. */
const MUTE: { readonly [at in AimedFaults["at"]]?: string } = {
  "history-mute": "/history/",
  "identity-mute": "/state/instances/",
};
/** Longest that it is mute, milliseconds: a few turns, and longer than a node tries. */
const MUTE_MS = 15_000;
/** How long parents are out of reach. */
const REPLY_LOST_MS = 12_000;

export class AimedStore implements ObjectStore {
  readonly #inner: ObjectStore;
  readonly #aim: AimedFaults;
  readonly #hazards: Hazards;
  readonly #simulation: Simulation;
  readonly #context: ProcessContext;
  readonly #node: () => Process<unknown>;
  /** Instances of which this node has written history: their next identity write drops the turn. */
  readonly #moving = new Set<string>();
  #outUntilMs = 0;
  #replyLostUntilMs = 0;
  #muteUntilMs = 0;

  constructor(
    inner: ObjectStore,
    aim: AimedFaults,
    hazards: Hazards,
    simulation: Simulation,
    context: ProcessContext,
    node: () => Process<unknown>,
  ) {
    this.#inner = inner;
    this.#aim = aim;
    this.#hazards = hazards;
    this.#simulation = simulation;
    this.#context = context;
    this.#node = node;
  }

  get(key: string): Promise<GetOutcome> {
    return this.#isOut() || this.#isMute(key) ? this.#silence() : this.#inner.get(key);
  }
  delete(key: string, condition: DeleteCondition): Promise<DeleteOutcome> {
    return this.#isOut() ? this.#silence() : this.#inner.delete(key, condition);
  }
  list(request: ListRequest): Promise<ListOutcome> {
    return this.#isOut() ? this.#silence() : this.#inner.list(request);
  }

  async put(key: string, body: string, condition: PutCondition): Promise<PutOutcome> {
    if (this.#isOut() || this.#mutes(key)) {
      if (this.#simulation.choices.choose(2, "outage-write") === 1)
        void this.#inner.put(key, body, condition);
      return this.#silence();
    }
    if (this.#aim.at === "index-late" && INDEX.test(key) && this.#hazards.strikes(this.#aim.permille))
      await this.#context.clock.sleep(1 + this.#simulation.choices.choose(LATE_MS, "index-late"));
    if (this.#aim.at === "index-late") return this.#inner.put(key, body, condition);
    if (this.#aim.at === "reply")
      return this.#isReplyLost(key) ? this.#silence() : this.#inner.put(key, body, condition);
    if (!this.#isTarget(key) || !this.#hazards.strikes(this.#aim.permille))
      return this.#inner.put(key, body, condition);
    const strikes = STRIKES[this.#aim.at];
    const strike = strikes[this.#simulation.choices.choose(strikes.length, "aimed-strike")] ?? "lose";
    this.#simulation.incident(strike, this.#context.name, key);
    if (strike === "lose") return this.#silence();
    if (strike !== "crash-before") void this.#inner.put(key, body, condition);
    if (strike === "mute") return this.#silence();
    this.#hazards.kill(this.#node());
    return never();
  }

  /** Whether nothing is heard about this object by now, or from this write on. */
  #mutes(key: string): boolean {
    const { at, permille } = this.#aim;
    if (!isMuteAt(at, key)) return false;
    if (!this.#isMute(key) && this.#hazards.strikes(permille)) {
      this.#muteUntilMs = this.#simulation.now() + 1 + this.#simulation.choices.choose(MUTE_MS, "mute-ms");
      this.#simulation.incident(at, this.#context.name, key);
    }
    return this.#isMute(key);
  }

  #isMute(key: string): boolean {
    return this.#hazards.on && this.#simulation.now() < this.#muteUntilMs && isMuteAt(this.#aim.at, key);
  }

  #isReplyLost(key: string): boolean {
    const nowMs = this.#simulation.now();
    if (key.includes("/history/i-child-") && this.#hazards.strikes(this.#aim.permille)) {
      this.#replyLostUntilMs = nowMs + REPLY_LOST_MS;
      this.#simulation.incident("reply-lost", this.#context.name, key);
    }
    return this.#hazards.on && nowMs < this.#replyLostUntilMs && key.includes("/state/instances/parent-");
  }

  #isTarget(key: string): boolean {
    if (this.#aim.at === "outage" || MUTE[this.#aim.at] !== undefined) return false;
    if (this.#aim.at === "history-silence") return key.includes("/history/");
    if (this.#aim.at === "index-update") return INDEX.test(key);
    const history = /\/history\/i-([^/]+)\//.exec(key)?.[1];
    if (history !== undefined) {
      this.#moving.add(history);
      return true;
    }
    const id = /\/state\/instances\/(.+)\.json$/.exec(key)?.[1];
    return id !== undefined && this.#moving.delete(id);
  }

  /** Whether the store is out of reach now; an outage may begin here, and ends at the heal. */
  #isOut(): boolean {
    if (this.#aim.at !== "outage" || !this.#hazards.on) return false;
    const nowMs = this.#simulation.now();
    if (nowMs < this.#outUntilMs) return true;
    if (!this.#hazards.strikes(this.#aim.permille)) return false;
    const seconds = 1 + this.#simulation.choices.choose(OUTAGE_SECONDS, "outage-seconds");
    this.#outUntilMs = nowMs + 1000 * seconds;
    this.#simulation.incident("outage", this.#context.name, `${seconds} s`);
    return true;
  }

  async #silence(): Promise<UnknownOutcome> {
    await this.#context.clock.sleep(SILENCE_MS);
    return NO_ANSWER;
  }
}

/** Whether the part of the store that may fall mute has this object. */
function isMuteAt(at: AimedFaults["at"], key: string): boolean {
  const part = MUTE[at];
  return part !== undefined && key.includes(part);
}
