/**
 * Any order of answers, losses, late landings and foreign writes. Risk: a case of settling that no example thought of.
 *
 * The writer decides anew at each look, as it is drawn: to write, to refuse or to answer. What became of its writes is
 * read from the chain of versions, after everything that was in flight has landed.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { ManualClock } from "../adapters/manual-ports.ts";
import {
  conflict,
  followed,
  hiddenRetry,
  InFlight,
  lostAnswer,
  lostRequest,
  type PutStep,
  pass,
  preceded,
  ScriptedStore,
  throttled,
} from "../adapters/scripted-store.ts";
import { answer, refuse, write } from "../protocol/decision.ts";
import { LINEAGE_LENGTH } from "../vocabulary/instance.ts";
import { CLOSED, Marker, type Marks, marksCodec } from "./marks.ts";

const KINDS = ["pass", "lostAnswer", "lostRequest", "hiddenRetry", "conflict", "throttled", "hold"] as const;
const put = fc.record({
  kind: fc.constantFrom(...KINDS),
  /** What happens before the request is sent and before its answer is seen. */
  first: fc.constantFrom("nothing", "nothing", "foreign", "land"),
  last: fc.constantFrom("nothing", "nothing", "foreign", "land", "many"),
});
const run = fc.record({
  exists: fc.boolean(),
  puts: fc.array(put, { maxLength: 8 }),
  unread: fc.oneof(
    { weight: 9, arbitrary: fc.array(fc.boolean(), { maxLength: 8 }) },
    { weight: 1, arbitrary: fc.constant(Array<boolean>(8).fill(true)) },
  ),
  looks: fc.array(fc.constantFrom("write", "write", "refuse", "answer"), { minLength: 8, maxLength: 8 }),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

/** Plays the run; answers what the caller was told and every version that the object had. */
async function play({ exists, puts, unread, looks }: Run) {
  const clock = new ManualClock(0);
  const store = new ScriptedStore();
  const chain: { writeId: string; value: Marks }[] = [];
  const apply = store.beneath.put.bind(store.beneath);
  store.beneath.put = async (key, body, condition) => {
    const outcome = await apply(key, body, condition);
    const decoded = marksCodec.decode(body);
    if (outcome.kind === "ok" && decoded.ok)
      chain.push({ writeId: decoded.value.stamp.write_id, value: decoded.value.value });
    return outcome;
  };
  const other = new Marker("other", store.beneath, clock);
  const inFlight = new InFlight();
  const foreign = () => other.decide((c) => write([...(c?.value ?? []), "o"], "foreign"));
  const many = async () => {
    for (let n = 0; n <= LINEAGE_LENGTH; n++) await foreign();
  };
  const steps: Record<(typeof KINDS)[number], PutStep> = {
    ...{ pass, lostAnswer, lostRequest, hiddenRetry, conflict, throttled: throttled(5), hold: inFlight.hold },
  };
  const events = { nothing: () => Promise.resolve(), foreign, land: inFlight.land, many };
  if (exists) await foreign();
  store.puts = puts.map(({ kind, first, last }) =>
    preceded(events[first], followed<Awaited<ReturnType<PutStep>>>(events[last], steps[kind])),
  );
  store.gets = unread.map((lost) => (lost ? lostRequest : pass));
  let look = 0;
  const result = await new Marker("own", store, clock).decide((current) => {
    const wish = looks[look++];
    if (wish === "write" || current === null) return write([...(current?.value ?? []), "x"], "wrote");
    return wish === "refuse" ? refuse(CLOSED) : answer("nothing");
  });
  await inFlight.land();
  return { result, chain, sleeps: clock.sleeps.length };
}

const count = (value: Marks = []) => value.filter((mark) => mark === "x").length;

it("W1 to W4: what is answered is what happened, now and after everything in flight has landed", async () => {
  const told = new Set<string>();
  await fc.assert(
    fc.asyncProperty(run, async (drawn) => {
      const { result, chain, sleeps } = await play(drawn);
      const applied = chain.filter(({ value }, at) => count(value) > count(chain[at - 1]?.value)).length;
      const blind = drawn.puts.some(({ last }) => last === "many");
      expect(sleeps).toBeLessThan(8);
      told.add(result.ok ? `${result.value.reply} ${result.value.wrote}` : result.error.kind);
      if (!result.ok) {
        if (result.error.kind !== "unknown-outcome") expect(applied).toBe(0);
      } else if (result.value.wrote) {
        const { stamp } = result.value;
        expect(chain.filter(({ writeId }) => writeId === stamp.write_id).length).toBe(1);
        if (!blind) expect(applied).toBe(1);
      } else if (!blind) expect(applied).toBe(0);
    }),
    { numRuns: 1_500 },
  );
  expect([...told].sort()).toEqual([
    "conflict",
    "nothing false",
    "unavailable",
    "unknown-outcome",
    "wrote true",
  ]);
});
