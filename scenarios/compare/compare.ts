/**
 * The comparison of engine and exact model over many random commands, in episodes.
 *
 *   D1  a run is a function of its seed and its number of commands.
 *   D2  it goes on after its number until each operation has succeeded and each code of refusal that it is told to see has
 *       been seen, and each deed of the model that no operation has to itself, for at most four times as many commands.
 *   D3  the first difference ends it: the episode is made shorter as long as the same operation still differs, and told
 *       as a list of commands.
 */
import type { ObjectStore } from "../../src/ports/object-store.ts";
import { Draws } from "./draws.ts";
import { type Act, type Difference, type Episode, runEpisode } from "./episode.ts";
import { operations, PROFILES, type Profile } from "./profiles.ts";
import { shrinkSeeds } from "./shrink.ts";

export interface ComparisonPlan {
  readonly seed: number;
  readonly commands: number;
  readonly makeStore: () => ObjectStore;
  /** Codes of refusal that have to be seen. */
  readonly codes: readonly string[];
  /** What has to have come up besides. */
  readonly deeds: readonly string[];
  /** Hears of progress now and then. */
  readonly onProgress?: (commands: number) => Promise<void> | void;
  readonly isStopped?: () => boolean;
}

export interface Comparison {
  readonly commands: number;
  readonly episodes: number;
  /** Successes for each operation, and refusals for each code. */
  readonly succeeded: ReadonlyMap<string, number>;
  readonly refused: ReadonlyMap<string, number>;
  readonly deeds: ReadonlyMap<string, number>;
  /** Operations and codes that never came, though they had to. */
  readonly unseen: readonly string[];
  readonly failure: {
    readonly difference: Difference;
    readonly profile: string;
    readonly acts: readonly Act[];
  } | null;
}

const EPISODE = 250;
/** Of a hundred episodes, how many are plain. */
const PLAIN_PERCENT = 55;

export async function compare(plan: ComparisonPlan): Promise<Comparison> {
  const draws = new Draws(plan.seed);
  const tally: Tally = { succeeded: new Map(), refused: new Map(), deeds: new Map() };
  let commands = 0;
  let episodes = 0;
  const unseen = () => [
    ...OPERATIONS.filter((operation) => !tally.succeeded.has(operation)),
    ...plan.codes.filter((code) => !tally.refused.has(code)),
    ...plan.deeds.filter((deed) => !tally.deeds.has(deed)),
  ];
  const goesOn = () => commands < plan.commands || (commands < 4 * plan.commands && unseen().length > 0);
  while (goesOn() && plan.isStopped?.() !== true) {
    const profile = profileOf(draws);
    const seeds = Array.from({ length: EPISODE }, () => draws.next());
    const episode = await runEpisode(seeds, profile, plan.makeStore());
    episodes += 1;
    commands += count(episode, tally);
    if (episode.difference !== null) {
      const failure = await shrunk(seeds, profile, episode, episode.difference, plan.makeStore);
      return { commands, episodes, ...tally, unseen: unseen(), failure };
    }
    await plan.onProgress?.(commands);
  }
  return { commands, episodes, ...tally, unseen: unseen(), failure: null };
}

const [PLAIN] = PROFILES;
const OPERATIONS = operations();

function profileOf(draws: Draws): Profile {
  return draws.chance(PLAIN_PERCENT) ? PLAIN : draws.pick(PROFILES);
}

interface Tally {
  readonly succeeded: Map<string, number>;
  readonly refused: Map<string, number>;
  readonly deeds: Map<string, number>;
}

/** Adds the episode's commands to the tally; answers how many. */
function count(episode: Episode, tally: Tally): number {
  const add = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  let commands = 0;
  for (const act of episode.acts) {
    if (!("command" in act)) continue;
    commands += 1;
    const { said, command } = act;
    if (said === "ok" || said === "waits") add(tally.succeeded, command.operation);
    else add(tally.refused, said);
    for (const deed of act.deeds) add(tally.deeds, deed);
  }
  return commands;
}

/** D3. */
async function shrunk(
  seeds: readonly number[],
  profile: Profile,
  whole: Episode,
  difference: Difference,
  makeStore: () => ObjectStore,
) {
  let smallest = { difference, acts: whole.acts };
  await shrinkSeeds(seeds, async (fewer) => {
    const { difference: other, acts } = await runEpisode(fewer, profile, makeStore());
    if (other?.operation !== difference.operation) return false;
    smallest = { difference: other, acts };
    return true;
  });
  return { ...smallest, profile: profile.name };
}

/** The acts as a list that can be read, one line each. */
export function tellActs(acts: readonly Act[]): string {
  return acts
    .map((act) => {
      if (!("command" in act)) return `  ${act.passMs} ms pass`;
      const { caller, operation, request } = act.command;
      const who = caller === "key" ? "" : ` as ${caller}`;
      return `  ${operation}${who} ${shortened(JSON.stringify(request))} -> ${act.said}`;
    })
    .join("\n");
}

const MOST_CHARS = 300;

function shortened(text: string): string {
  return text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)}…`;
}
