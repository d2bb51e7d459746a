/**
 * The start-up probe: asks a store for what the engine relies on, in at most 40 requests (or fewer, if told so), and clears away after it.
 *
 *   P1  what is asked for is rules O1 to O6 of the port: conditions are checked, in one step with the write; a refused
 *       write changes nothing; a read sees what was written before it; a listing leaves out no key.
 *   P2  where sound stores differ, the probe tells what this one does and holds nothing against it.
 *   P3  it writes only below its prefix, under an id of its own, and deletes what it wrote, also from an unsafe store.
 *   P4  a store that does not answer is `inconclusive`: neither sound nor unsafe.
 *
 * Blind: what only two clients can see (conditions checked per endpoint, a cache in front of each reader), what a
 * store does under load, and whether it forgets. Racing writers here share one connection.
 * Source: catalogue I23, B18-B23, F07-F11.
 */
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import { type Etag, IF_ABSENT, ifMatch, NO_CONDITION, type ObjectStore } from "../ports/object-store.ts";
import { BUDGET, ProbeBench, Unanswered } from "./probe-bench.ts";

/** What the engine relies on, and an unsafe store lacks. */
export type BrokenProperty =
  | "create-once"
  | "stale-etag-refused"
  | "current-etag-taken"
  | "missing-key-refused"
  | "one-winner"
  | "refused-means-unchanged"
  | "etag-names-body"
  | "create-after-delete"
  | "read-after-write"
  | "listing-complete";

export interface Breach {
  readonly property: BrokenProperty;
  /** What was seen, in one sentence. */
  readonly message: string;
}

/** What sound stores do differently. */
export interface StoreFindings {
  /** Whether equal bodies have equal etags. */
  readonly etags: "of-the-body" | "of-the-write";
  /** The answer to an if-match on a key that is not there. */
  readonly onMissingKey: string;
  readonly deleteConditions: "checked" | "ignored";
  /** What the losers of a race were told, ascending. */
  readonly losersHear: readonly string[];
  /** As far as a few keys show it. */
  readonly listOrder: "ascending" | "none";
  /** Whether a listing showed a key twice. */
  readonly repeatsKeys: boolean;
  readonly throttlesWrites: boolean;
}

export type ProbeReport =
  | { readonly kind: "sound"; readonly findings: StoreFindings; readonly requests: number }
  /** The findings are as far as the probe came. `complete`: it came to its end. */
  | {
      readonly kind: "unsafe";
      readonly complete: boolean;
      readonly breaches: readonly Breach[];
      readonly findings: StoreFindings;
      readonly requests: number;
    }
  | { readonly kind: "inconclusive"; readonly why: string; readonly requests: number };

export interface ProbePorts {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Probes the store below `prefix`, which ends in `/` and holds nothing else. */
export async function probeStore(
  { store, clock, ids }: ProbePorts,
  prefix: string,
  budget: number = BUDGET,
): Promise<ProbeReport> {
  const bench = new ProbeBench(store, clock, `${prefix}${ids.next()}/`, budget);
  const probe = new Probe(bench, ids.next());
  const why = await whatFails(() => probe.run());
  bench.openReserve();
  await whatFails(() => probe.clear());
  const { requests } = bench;
  const { breaches } = probe;
  const findings = probe.findings();
  if (breaches.length > 0) return { kind: "unsafe", complete: why === null, breaches, findings, requests };
  if (why !== null) return { kind: "inconclusive", why, requests };
  return { kind: "sound", findings, requests };
}

async function whatFails(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof Unanswered) return error.message;
    throw error;
  }
}

const RACERS = 3;
const PAGE = 2;

class Probe {
  readonly breaches: Breach[] = [];
  readonly #bench: ProbeBench;
  readonly #nonce: string;
  /** The body that each key must hold; null: it must be gone. */
  readonly #held = new Map<string, string | null>();
  readonly #refused = new Set<string>();
  readonly #losersHear = new Set<string>();
  #bodies = 0;
  #etags: StoreFindings["etags"] = "of-the-write";
  #onMissingKey = "unknown";
  #deleteConditions: StoreFindings["deleteConditions"] = "checked";
  #listOrder: StoreFindings["listOrder"] = "ascending";
  #repeatsKeys = false;

  constructor(bench: ProbeBench, nonce: string) {
    this.#bench = bench;
    this.#nonce = nonce;
  }

  async run(): Promise<void> {
    await this.#missingKey("m");
    const first = await this.#createTwice("a");
    const second = await this.#replace("a", first);
    await this.#deleteAndCreate("a", first, second);
    await this.#race("r");
    await this.#list(["a", "b", "c", "r"]);
  }

  findings(): StoreFindings {
    return {
      etags: this.#etags,
      onMissingKey: this.#onMissingKey,
      deleteConditions: this.#deleteConditions,
      losersHear: [...this.#losersHear].sort(),
      listOrder: this.#listOrder,
      repeatsKeys: this.#repeatsKeys,
      throttlesWrites: this.#bench.throttles,
    };
  }

  /** P3. Also what only a read that cannot be trusted says to be gone. */
  async clear(): Promise<void> {
    for (const key of this.#bench.written) await this.#bench.delete(key, NO_CONDITION);
  }

  async #missingKey(key: string): Promise<void> {
    const body = this.#body();
    const outcome = await this.#bench.put(key, body, ifMatch("0123456789abcdef0123456789abcdef"));
    if (outcome.kind === "ok") {
      this.#held.set(key, body);
      this.#report("missing-key-refused", "a write on the etag of a key that is not there created the key");
      return;
    }
    this.#onMissingKey = outcome.answer;
    this.#held.set(key, null);
    this.#refused.add(body);
    await this.#look(key, 1);
  }

  async #createTwice(key: string): Promise<Etag> {
    const created = await this.#write(key, this.#body(), null);
    const again = this.#body();
    const repeated = await this.#bench.put(key, again, IF_ABSENT);
    if (repeated.kind === "ok") {
      this.#held.set(key, again);
      this.#report("create-once", "a key that was there was created a second time");
      return repeated.etag;
    }
    this.#refused.add(again);
    const seen = await this.#look(key, 2);
    if (created !== null && seen !== null && seen !== created)
      this.#report("etag-names-body", "a read shows another etag than the write was answered with");
    return seen ?? created ?? "";
  }

  /** Under the right etag, and then under the one that has become stale. */
  async #replace(key: string, current: Etag): Promise<Etag> {
    const replaced = await this.#write(key, this.#body(), current);
    if (replaced === current)
      this.#report("etag-names-body", "two different bodies of one key have the same etag");
    await this.#refuse(key, current, "a write on an etag that was no longer current was taken");
    return (await this.#look(key, 2)) ?? replaced ?? current;
  }

  /** Creates anew with the very body that was deleted, which tells what etags are made of. */
  async #deleteAndCreate(key: string, stale: Etag, current: Etag): Promise<void> {
    const body = this.#held.get(key) ?? this.#body();
    if (stale !== current && (await this.#bench.delete(key, ifMatch(stale))) === "gone")
      this.#deleteConditions = "ignored";
    else await this.#bench.delete(key, NO_CONDITION);
    this.#held.set(key, null);
    await this.#look(key, 2);
    const created = await this.#bench.put(key, body, IF_ABSENT);
    if (created.kind === "refused") {
      this.#report("create-after-delete", "a key that was deleted could not be created again");
      return;
    }
    this.#held.set(key, body);
    if (created.etag === current) this.#etags = "of-the-body";
    await this.#refuse(key, stale, "a write on an etag from before a delete was taken");
  }

  /** Writers at the same time: of creates, and then of replacements of one etag, exactly one takes place. */
  async #race(key: string): Promise<void> {
    const created = await this.#raceOnce(key, null);
    if (created !== null) await this.#raceOnce(key, created);
  }

  /** Answers the etag that stands after the race, or null when there was nobody to win it. */
  async #raceOnce(key: string, current: Etag | null): Promise<Etag | null> {
    const condition = current === null ? IF_ABSENT : ifMatch(current);
    const bodies = Array.from({ length: RACERS }, () => this.#body());
    const outcomes = await Promise.all(bodies.map((body) => this.#bench.putOnce(key, body, condition)));
    const winners = bodies.filter((_, at) => outcomes[at]?.kind === "ok");
    for (const { kind } of outcomes) if (kind !== "ok") this.#losersHear.add(kind);
    if (winners.length > 1)
      this.#report(
        "one-winner",
        `${winners.length} of ${RACERS} racing writers were told that theirs took place`,
      );
    const seen = await this.#bench.get(key);
    if (seen.kind === "not-found") {
      this.#held.set(key, null);
      if (winners.length > 0)
        this.#report("read-after-write", `${key} was written, and a read does not find it`);
      return null;
    }
    this.#held.set(key, seen.body);
    if (winners.length > 0 && !bodies.includes(seen.body))
      this.#report("read-after-write", `a read of ${key} does not see the write that was answered before it`);
    else if (winners.length === 1 && seen.body !== winners[0])
      this.#report("one-winner", "after a race the body of another writer stands than of the one that won");
    return seen.etag;
  }

  async #list(expected: readonly string[]): Promise<void> {
    for (const key of expected) if (!this.#held.has(key)) await this.#write(key, this.#body(), null);
    const keys: string[] = [];
    let next: string | null = null;
    do {
      const page = await this.#bench.list({ cursor: next, limit: PAGE });
      keys.push(...page.keys);
      next = page.next;
    } while (next !== null);
    const there = [...this.#held].filter(([, body]) => body !== null).map(([key]) => key);
    const missed = there.filter((key) => !keys.includes(key)).sort();
    if (missed.length > 0) this.#report("listing-complete", `a listing left out ${missed.join(", ")}`);
    const gone = keys.filter((key) => this.#held.get(key) === null);
    if (gone.length > 0)
      this.#report("read-after-write", `a listing shows ${gone.join(", ")}, which was deleted`);
    const once = [...new Set(keys)];
    this.#repeatsKeys = once.length < keys.length;
    if (once.some((key, at) => at > 0 && key < (once[at - 1] ?? ""))) this.#listOrder = "none";
  }

  /** A write that must take place: a create, or on the current etag. */
  async #write(key: string, body: string, current: Etag | null): Promise<Etag | null> {
    const outcome = await this.#bench.put(key, body, current === null ? IF_ABSENT : ifMatch(current));
    if (outcome.kind === "ok") {
      this.#held.set(key, body);
      return outcome.etag;
    }
    this.#refused.add(body);
    if (current === null) this.#report("create-once", "a key that was not there could not be created");
    else
      this.#report(
        "current-etag-taken",
        "a write on the current etag was refused; is it sent as the store gave it?",
      );
    return null;
  }

  /** A write on an etag that is not current, which must not take place. */
  async #refuse(key: string, stale: Etag, message: string): Promise<void> {
    const body = this.#body();
    const outcome = await this.#bench.put(key, body, ifMatch(stale));
    if (outcome.kind === "ok") {
      this.#held.set(key, body);
      this.#report("stale-etag-refused", message);
    } else this.#refused.add(body);
  }

  /** Reads a key several times and holds it against what was written; answers the etag that was seen last. */
  async #look(key: string, times: number): Promise<Etag | null> {
    const seen = await Promise.all(Array.from({ length: times }, () => this.#bench.get(key)));
    const held = this.#held.get(key) ?? null;
    let etag: Etag | null = null;
    for (const outcome of seen) {
      const body = outcome.kind === "ok" ? outcome.body : null;
      if (outcome.kind === "ok" && body === held) etag = outcome.etag;
      if (body === held) continue;
      if (body !== null && this.#refused.has(body))
        this.#report("refused-means-unchanged", `${key} holds the body of a write that was refused`);
      else
        this.#report(
          "read-after-write",
          `a read of ${key} does not see the write that was answered before it`,
        );
    }
    return etag;
  }

  #body(): string {
    this.#bodies += 1;
    return `probe ${this.#nonce} ${String(this.#bodies).padStart(2, "0")}`;
  }

  /** Each property once. */
  #report(property: BrokenProperty, message: string): void {
    if (this.breaches.some((breach) => breach.property === property)) return;
    this.breaches.push({ property, message });
  }
}
