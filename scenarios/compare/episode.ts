/**
 * One episode: an empty store, one node, and commands that engine and exact model are given alike, until their answers
 * differ or the commands are used up. Then everything that can be read is read and compared.
 *
 *   E1  the engine answers first; the model is then told the answer and says what it had to be.
 *   E2  time passes only between commands, unless the engine waits, which it has no reason for. A claim waits only while a
 *       message is sent: it sleeps by then, and its caller hangs up when the sender has been answered. What time does to one
 *       that waits is the business of other tests.
 *   E3  what only the engine can choose is looked at in the engine, at once: whether a claim that passed an instance has
 *       ended the attempt there, whether a reply that hardly fits was taken, and how many turns retention has removed. A
 *       claim may end a child and then give the parent, which shows the reply: so replies are looked at in between, too.
 *   E4  an assertion of the engine that fails is a difference.
 *
 * The claim begins with the instance that is ready for longest, so that the order in which it passes others is known.
 */
import { createNode, DEFAULT_CONFIG, type Engine } from "../../src/index.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { ObjectStore } from "../../src/ports/object-store.ts";
import { SILENT } from "../../src/ports/trace.ts";
import { type Abortable, Cancel } from "../../src/std/cancel.ts";
import { isKnown, type Outlook, outlookOf, pass } from "../oracle/exact/claims.ts";
import { difference } from "../oracle/exact/expectation.ts";
import { tell } from "../oracle/exact/families.ts";
import { isFields } from "../oracle/exact/fields.ts";
import { type Caller, type Command, execute, type Said } from "../oracle/exact/model.ts";
import { mayPrune } from "../oracle/exact/retention.ts";
import { receive } from "../oracle/exact/senders.ts";
import { headOf, type Instance, type Waiting, World } from "../oracle/exact/world.ts";
import { ask } from "./engine-call.ts";
import { generate, type Memory } from "./generate.ts";
import type { Profile } from "./profiles.ts";

const START_MS = 1_700_000_000_000;

/** What an episode did: time that passed, or a command with the engine's answer in a word. */
export type Act =
  | { readonly passMs: number }
  | { readonly command: Command; readonly said: string; readonly deeds: readonly string[] };

export interface Difference {
  readonly operation: string;
  readonly what: string;
}

export interface Episode {
  readonly acts: readonly Act[];
  /** The last act's, if the answers differed. */
  readonly difference: Difference | null;
}

export async function runEpisode(
  seeds: readonly number[],
  profile: Profile,
  store: ObjectStore,
): Promise<Episode> {
  return new Run(profile, store).run(seeds);
}

type Reply = Awaited<ReturnType<typeof ask>> | { readonly stopped: string };

/** An engine whose own assertions fail says no more. */
async function answered(reply: ReturnType<typeof ask>): Promise<Reply> {
  try {
    return await reply;
  } catch (error) {
    return { stopped: String(error) };
  }
}

/** How long claims wait. No time passes meanwhile, so that any will do. */
const WAIT_MS = 5_000;

function fieldsOf(value: unknown): Command["request"] {
  return isFields(value) ? value : {};
}

/** Sleeps that end by their signal alone: those of claims that wait. */
class Sleeps {
  #heard: (() => void) | null = null;

  until(signal: Abortable): Promise<void> {
    this.#heard?.();
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve());
    });
  }

  /** Resolves when somebody begins to sleep. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#heard = resolve;
    });
  }
}

/** For all commands but claims. */
const NOTHING: Outlook = { mayEnd: [], ready: null };

/** Calls in which a turn may end. */
const MAY_FINISH = new Set(["complete", "fail", "control", "claim"]);

class Run {
  readonly #profile: Profile;
  readonly #world: World;
  readonly #engines: { readonly [caller in Caller]: Engine };
  readonly #newNode: () => ReturnType<typeof createNode>;
  readonly #acts: Act[] = [];
  readonly #sleeps = new Sleeps();

  constructor(profile: Profile, store: ObjectStore) {
    this.#profile = profile;
    const world = new World(START_MS, profile.rules);
    this.#world = world;
    const clock: Clock = {
      wallMs: () => world.nowMs,
      monotonicMs: () => world.nowMs - START_MS,
      sleep: (ms, signal) => {
        if (signal !== undefined) return this.#sleeps.until(signal);
        world.nowMs += ms;
        return Promise.resolve();
      },
    };
    let ids = 0;
    const ports = {
      store,
      clock,
      ids: { next: () => `id-${++ids}` },
      // Claims pass instances in the order in which they became ready.
      random: { below: () => 0 },
      trace: SILENT,
    };
    // The node looks at the index for each claim, so that it finds what there is to find.
    const { mostInstances, keepTurns, keepMs, hasGraphs } = profile.rules;
    this.#newNode = () =>
      createNode(ports, {
        ...DEFAULT_CONFIG,
        poll_ms: 0,
        defer_index: false,
        max_instances: mostInstances,
        history_keep_turns: keepTurns,
        history_keep_ms: keepMs,
        history_segment_turns: 1,
        history_page_turns: 2,
        graph_heads: hasGraphs,
      });
    const node = this.#newNode();
    this.#engines = { key: node, person: node.as("person"), own: node.as("own") };
  }

  async run(seeds: readonly number[]): Promise<Episode> {
    const memory: Memory = { recent: [], names: [] };
    for (const seed of seeds) {
      const next = generate(seed, this.#world, memory, this.#profile);
      if ("passMs" in next) {
        this.#world.nowMs += next.passMs;
        this.#acts.push(next);
        // What the next write would prune is pruned, and the engine has said so: by a node that remembers no earlier look.
        await this.#newNode().as("own").reconcile();
        const what = await this.#lookHowPruned();
        if (what !== null) return { acts: this.#acts, difference: { operation: "reconcile", what } };
        continue;
      }
      const other = await (next.operation === "handOver" ? this.#handOver(next) : this.#both(next));
      if (other !== null) return { acts: this.#acts, difference: other };
    }
    return { acts: this.#acts, difference: await this.#audit() };
  }

  /** A claim that waits, and a message meanwhile (E2); one that finds something at once does not wait. */
  async #handOver({ caller, request }: Command): Promise<Difference | null> {
    const send: Command = { caller, operation: "sendMessage", request: fieldsOf(request.send) };
    const claim: Command = { caller, operation: "claim", request: fieldsOf(request.claim) };
    const { mayEnd, ready } = outlookOf(this.#world, claim.request);
    // What it ends may be followed by something that is ready: then it looks once more by itself.
    if (mayEnd.length > 0) return (await this.#both(claim)) ?? this.#both(send);
    const gone = new Cancel();
    const asleep = this.#sleeps.next();
    const engine = this.#engines[caller];
    const claiming = answered(ask(engine, "claim", { ...claim.request, wait_ms: WAIT_MS }, gone));
    const waits = await Promise.race([asleep.then(() => true), claiming.then(() => false)]);
    if (!waits) return (await this.#both(claim, claiming)) ?? this.#both(send);
    if (ready !== null) return { operation: "claim", what: `it waits although ${ready.id} is ready` };
    const sent = await answered(ask(engine, send.operation, send.request));
    gone.abort();
    const claimed = await claiming;
    const given = !("stopped" in claimed) && claimed.ok ? claimed.value : null;
    this.#acts.push({ command: claim, said: given === null ? "waits" : "ok", deeds: [] });
    const waiting: Waiting = { request: claim.request, given, expected: null };
    this.#world.waiting = waiting;
    const other = await this.#both(send, Promise.resolve(sent));
    this.#world.waiting = null;
    if (other !== null) return other;
    const ends = "stopped" in claimed ? claimed.stopped : claimed.ok ? null : claimed.error.code;
    const what = ends ?? difference(waiting.expected, given);
    return what === null ? null : { operation: "handOver", what };
  }

  /** `asked`: the engine's answer, if it was asked before. */
  async #both(command: Command, asked?: Promise<Reply>): Promise<Difference | null> {
    const { operation, caller, request } = command;
    const differs = (what: string): Difference => ({ operation, what });
    const outlook = operation === "claim" ? outlookOf(this.#world, request) : NOTHING;
    const deeds: string[] = [];
    const act = { command, said: "nothing", deeds };
    this.#acts.push(act);
    const reply = await (asked ?? answered(ask(this.#engines[caller], operation, request)));
    if ("stopped" in reply) return differs(`the engine stops: ${reply.stopped}`);
    // Finished turns have left the instance by the next command: what is answered of them is the same from there on.
    if (MAY_FINISH.has(operation)) await this.#engines.own.reconcile();
    const said: Said = reply.ok ? reply : { ok: false, code: reply.error.code };
    act.said = said.ok ? "ok" : said.code;
    const passedAll = reply.ok && reply.value === null;
    for (const instance of outlook.mayEnd)
      if (!(await this.#hasPassed(instance)) && passedAll && isKnown(this.#world, instance))
        return differs(`nothing was claimed, and the attempt on ${instance.id} was not ended`);
    const expected = execute(this.#world, command, said, outlook);
    deeds.push(...this.#world.deeds.splice(0));
    if (typeof expected === "string") return differs(expected);
    if (expected.ok !== reply.ok || !reply.ok || !expected.ok) {
      const wanted = expected.ok ? "a success" : `${expected.kind} ${expected.code}`;
      const got = reply.ok ? "a success" : `${reply.error.kind} ${reply.error.code}`;
      return wanted === got ? null : differs(`the engine answers ${got}, the model ${wanted}`);
    }
    const what = difference(expected.value, reply.value) ?? (await this.#lookWhatIsOpen());
    return what === null ? null : differs(what);
  }

  /** Whether a claim has passed the instance and ended its attempt: then that is written, not only shown. */
  async #hasPassed(instance: Instance): Promise<boolean> {
    const seen = await this.#engines.own.getInstance(instance.id);
    if (!seen.ok) return false;
    const { current_turn: head, completed_turns } = seen.value;
    const before = headOf(instance);
    const has =
      completed_turns > instance.finished ||
      (head?.finished_at_ms ?? null) !== null ||
      head?.ready_at_ms !== before?.ready_at_ms;
    if (!has) return false;
    pass(this.#world, instance);
    tell(this.#world);
    await this.#lookWhoReplied();
    return true;
  }

  async #lookWhatIsOpen(): Promise<string | null> {
    await this.#lookWhoReplied();
    return this.#lookHowPruned();
  }

  async #lookWhoReplied(): Promise<void> {
    for (const open of this.#world.openReplies.splice(0)) await this.#lookWhetherReplied(open);
  }

  /** A reply that may be too large for the turn that waits for it is there, is there in short, or is not there. */
  async #lookWhetherReplied({ parent, turn, id, name }: World["openReplies"][number]): Promise<void> {
    const seen = await this.#engines.own.getTurn(parent.id, turn.number);
    const signal = seen.ok ? seen.value.signals.find((one) => one.id === id) : undefined;
    if (signal !== undefined) receive(this.#world, parent, turn, { id, name, value: signal.value }, false);
  }

  /** What retention has taken is the engine's choice between two bounds. */
  async #lookHowPruned(): Promise<string | null> {
    for (const instance of this.#world.instances.values()) {
      mayPrune(this.#world, instance);
      const { prunedAtLeast, prunedAtMost } = instance;
      if (prunedAtLeast === prunedAtMost) continue;
      const seen = await this.#engines.own.getInstance(instance.id);
      if (!seen.ok) return `${instance.id} cannot be read`;
      const pruned = seen.value.history_pruned_through;
      if (pruned < prunedAtLeast || pruned > prunedAtMost)
        return `${instance.id} has pruned ${pruned} turns, expected ${prunedAtLeast} to ${prunedAtMost}`;
      Object.assign(instance, { pruned, prunedAtLeast: pruned, prunedAtMost: pruned });
    }
    return null;
  }

  /** Everything there is to read, at the end. */
  async #audit(): Promise<Difference | null> {
    const read = (operation: string, request: Command["request"]): Command => {
      return { caller: "key", operation, request };
    };
    const reads = [read("listInstances", { limit: 100 })];
    for (const workflow_type of this.#profile.types)
      reads.push(read("typeInbox", { workflow_type, limit: 100 }));
    for (const { id: workflow_id, turns } of this.#world.instances.values()) {
      reads.push(read("inbox", { workflow_id, limit: 100, payloads: true }));
      for (let after = 0; after < turns.length; after += 50)
        reads.push(read("history", { workflow_id, after }));
    }
    for (const command of reads) {
      const other = await this.#both(command);
      if (other !== null) return other;
    }
    return null;
  }
}
