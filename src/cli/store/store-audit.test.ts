/**
 * The simulated `ceph` profile and Ceph's real gateway give the same answers to the same calls: sequences drawn from a
 * seed through the port, compared answer by answer. Risk: the simulator proves the engine over a store that there is not.
 *
 * Compared: the kind of every answer, bodies, which etags are equal, keys and their order, and where a listing ends.
 * Not compared: the text of etags, time, and what a fault does. `src/adapters/s3/README.md` has the result as a table.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { profileNamed, SeedSource } from "../../../sim/index.ts";
import { drivenStore } from "../../../sim/store/store-bench.ts";
import { GATEWAY, GATEWAY_NOTE, makeBucket } from "../../adapters/s3/gateway.ts";
import { openBucketAt } from "../../adapters/s3/index.ts";
import { IF_ABSENT, ifMatch, NO_CONDITION, type ObjectStore, type PutCondition } from "../../ports/index.ts";
import { present } from "../../std/assert.ts";

const STEPS = 250;
const SEEDS = [1, 2, 3];
const ROUNDS = 15;
const RACERS = 12;
const KEYS = ["a", "a/b", "a-b", "aB", "aé", "a漢", "a🜁", "b@2/x=1.json"];
const BODIES = ["", "one", "two", "three", "漢字 🜁"];

/** One call, told without etags: those are numbered in the order in which the run first sees them. */
type Call =
  | { readonly kind: "get"; readonly key: string }
  | { readonly kind: "put"; readonly key: string; readonly body: string; readonly condition: Condition }
  | { readonly kind: "delete"; readonly key: string; readonly condition: Condition }
  | {
      readonly kind: "list";
      readonly prefix: string;
      readonly startAfter: string | null;
      readonly limit: number;
    };
type Condition = "none" | "if-absent" | "never-issued" | number;

/** Draws by chance, or goes for the etag that the key has now, so that not all conditions fail. */
function drawCalls(
  seed: number,
): readonly ((current: ReadonlyMap<string, number>, issued: number) => Call)[] {
  const source = new SeedSource(seed);
  const below = (n: number) => source.choose(n, "audit");
  return Array.from({ length: STEPS }, () => {
    const [dice, which, chance] = [below(10), below(1_000_000), below(4)];
    const key = present(KEYS[below(KEYS.length)], "a key");
    const body = present(BODIES[below(BODIES.length)], "a body");
    const [limit, prefix] = [1 + below(4), present(["", "a", "a/", "c"][below(4)], "a prefix")];
    return (current, issued) => {
      const match: Condition =
        chance < 2
          ? (current.get(key) ?? "never-issued")
          : chance === 2 && issued > 0
            ? which % issued
            : "never-issued";
      if (dice < 2) return { kind: "get", key };
      if (dice < 3) return { kind: "put", key, body, condition: "none" };
      if (dice < 5) return { kind: "put", key, body, condition: "if-absent" };
      if (dice < 7) return { kind: "put", key, body, condition: match };
      if (dice < 8) return { kind: "delete", key, condition: chance < 2 ? "none" : match };
      return { kind: "list", prefix, startAfter: chance === 0 ? key : null, limit };
    };
  });
}

/** One store of the two, with the numbers of its etags. */
class Side {
  readonly #store: ObjectStore;
  readonly #etags: string[] = [];
  readonly current = new Map<string, number>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  get issued(): number {
    return this.#etags.length;
  }

  async make(call: Call): Promise<unknown> {
    if (call.kind === "list") return this.#list(call);
    if (call.kind === "get") {
      const outcome = await this.#store.get(call.key);
      return outcome.kind === "ok" ? { ...outcome, etag: this.#number(outcome.etag) } : outcome;
    }
    const condition = this.#condition(call.condition);
    if (call.kind === "delete") {
      if (condition.kind === "if-absent") throw new Error("a delete has no such condition");
      const outcome = await this.#store.delete(call.key, condition);
      if (outcome.kind === "ok") this.current.delete(call.key);
      return outcome;
    }
    const outcome = await this.#store.put(call.key, call.body, condition);
    if (outcome.kind !== "ok") return outcome;
    const etag = this.#number(outcome.etag);
    this.current.set(call.key, etag);
    return { kind: "ok", etag };
  }

  async #list({ prefix, startAfter, limit }: Call & { readonly kind: "list" }): Promise<unknown> {
    const pages: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<ObjectStore["list"]>> = await this.#store.list({
        prefix,
        startAfter,
        cursor,
        limit,
      });
      if (page.kind !== "ok") return page;
      pages.push(page.entries.map(({ key, etag }) => [key, this.#number(etag)]));
      cursor = page.next;
    } while (cursor !== null);
    return pages;
  }

  #condition(condition: Condition): PutCondition {
    if (condition === "none") return NO_CONDITION;
    if (condition === "if-absent") return IF_ABSENT;
    if (condition === "never-issued") return ifMatch('"0123456789abcdef0123456789abcdef"');
    return ifMatch(present(this.#etags[condition], "an etag that was issued"));
  }

  #number(etag: string): number {
    const known = this.#etags.indexOf(etag);
    return known >= 0 ? known : this.#etags.push(etag) - 1;
  }
}

async function openReal() {
  if (GATEWAY === null) throw new Error("there is no gateway");
  const opened = await openBucketAt(GATEWAY.url("&etag_quotes=stripped"), GATEWAY.credentials);
  if (!opened.ok) throw new Error(opened.error.message);
  const { store } = present(opened.value.manners[0], "a manner");
  return { store, close: async () => opened.value.close() };
}

const openSimulated = (name: string) => drivenStore(present(profileNamed(name) ?? undefined, "the profile"));

/** Where the gateway and the profile differ, and which answers the gateway gave. */
async function compare(seed: number, profile: string) {
  const [real, simulated] = [await openReal(), await openSimulated(profile)];
  const [one, other] = [new Side(real.store), new Side(simulated.store)];
  const answers = new Set<string>();
  const differences: unknown[] = [];
  for (const [step, draw] of drawCalls(seed).entries()) {
    const call = draw(one.current, one.issued);
    const [answer, expected] = [await one.make(call), await other.make(call)];
    const kind = Array.isArray(answer) ? "pages" : (answer as { readonly kind: string }).kind;
    const about = call.kind === "put" || call.kind === "delete" ? typeof call.condition : "";
    answers.add(`${call.kind} ${about} ${kind}`);
    if (JSON.stringify(answer) === JSON.stringify(expected)) continue;
    differences.push({ step, call, real: answer, simulated: expected });
    // From here on the two hold different objects.
    if (call.kind === "put" || call.kind === "delete") break;
  }
  await real.close();
  return { answers, differences };
}

/** Both answers of each condition. */
const TO_MEET = [
  "put number ok",
  "put number precondition-failed",
  "put string ok",
  "put string precondition-failed",
  "get  ok",
  "get  not-found",
  "delete number ok",
  "list  pages",
];

describe.skipIf(GATEWAY === null)(`the ceph profile against Ceph's gateway${GATEWAY_NOTE}`, () => {
  beforeAll(async () => {
    if (GATEWAY !== null) await makeBucket(GATEWAY);
  });

  it.each(SEEDS)("answers each call alike, seed %i", async (seed) => {
    const { answers, differences } = await compare(seed, "ceph");
    expect(differences).toEqual([]);
    for (const met of TO_MEET) expect(answers).toContain(met);
  });

  it("would differ from the profile of another store", async () => {
    expect((await compare(1, "aws-s3")).differences).not.toEqual([]);
  });

  it("tells the losers of a race what the profile says, and lets one writer win", async () => {
    const { store, close } = await openReal();
    const heard = new Set<string>();
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const key = `race/${round}`;
      const bodies = Array.from({ length: RACERS }, (_, racer) => `${round}.${racer}`);
      const before = round % 2 === 0 ? null : await store.put(key, "before", IF_ABSENT);
      if (before !== null && before.kind !== "ok") return expect.fail(before.kind);
      const condition = before === null ? IF_ABSENT : ifMatch(before.etag);
      const outcomes = await Promise.all(bodies.map((body) => store.put(key, body, condition)));
      const winners = bodies.filter((_, at) => outcomes[at]?.kind === "ok");
      expect(winners).toHaveLength(1);
      expect(await store.get(key)).toMatchObject({ body: winners[0] });
      for (const { kind } of outcomes) heard.add(kind);
    }
    await close();
    // `server-error`: a loser hears 412, or a 5xx that leaves it open.
    expect(profileNamed("ceph")?.contention).toBe("server-error");
    for (const kind of heard) expect(["ok", "precondition-failed", "unknown-outcome"]).toContain(kind);
  });
});
