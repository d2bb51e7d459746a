/**
 * `baton store check`: everything that the engine needs of a store, asked of this one, as a table with a verdict.
 *
 *   Q1  asked twice: by one client (the start-up probe), and by several processes with connections of their own.
 *   Q2  what sound stores do differently is told and held against none.
 *   Q3  everything that it writes lies below one prefix of its own, and is deleted in the end.
 *   Q4  exit code 0: sound; 1: unsafe; 2: it could not be opened; 4: too much was left without an answer to tell.
 *       A store that was found sound by the start-up probe before is asked all the same.
 */
import { SYSTEM_IDS, SystemClock } from "../../adapters/system-ports.ts";
import {
  type BrokenProperty,
  type Manner,
  type ProbeReport,
  probeStore,
  type StoreFindings,
} from "../../index.ts";
import { type Clock, NO_CONDITION, type ObjectStore } from "../../ports/index.ts";
import type { Io } from "../io.ts";
import { type ReachedStore, reachStore } from "../serve/open-store.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { table } from "../terminal/table.ts";
import { runTrials } from "./store-trials.ts";
import { startViews, type Views } from "./store-views.ts";

/** One line of the table. */
export interface Row {
  readonly property: string;
  readonly seen: string;
  readonly needed: boolean;
  /** `told`: no store is better for it. */
  readonly verdict: "holds" | "broken" | "unclear" | "told";
}

export interface StoreCheckOptions {
  readonly json?: boolean;
  readonly processes?: number;
}

/** How the processes are started; tests give views of their own. */
export type OpenViews = (count: number, text: string, folder: string, manner: string) => Promise<Views>;

const PROCESSES = 3;
const PAGE = 1_000;

/** Answers the exit code (Q4). */
export async function storeCheckCommand(
  io: Io,
  text: string,
  options: StoreCheckOptions,
  openViews: OpenViews = startViews,
): Promise<number> {
  const reached = await reachStore(text, io.folder);
  if (!reached.ok) {
    io.err(`error: ${reached.error.message}\n`);
    return EXIT.usage;
  }
  const store = reached.value;
  const processes = options.processes ?? PROCESSES;
  io.err(`checking ${store.name} with ${processes} processes\n`);
  try {
    const rows = await rowsOf(store, (manner) => openViews(processes, text, io.folder, manner));
    const verdict = verdictOf(rows);
    const result = { store: store.name, verdict, rows };
    io.out(options.json === true ? `${JSON.stringify(result)}\n` : told(store.name, verdict, rows));
    return CODES[verdict];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    io.err(`error: the check of ${store.name} could not be finished: ${error.message}\n`);
    return EXIT.noProgress;
  } finally {
    await store.close();
  }
}

/** One broken property makes a store unsafe; one that nobody could see makes it no sound one. */
type Verdict = "sound" | "unsafe" | "unclear";
const CODES: { readonly [verdict in Verdict]: number } = {
  sound: EXIT.pass,
  unsafe: EXIT.violation,
  unclear: EXIT.noProgress,
};

async function rowsOf(
  { manners }: ReachedStore,
  openViews: (manner: string) => Promise<Views>,
): Promise<readonly Row[]> {
  const clock = new SystemClock();
  const prefix = `store-check/${SYSTEM_IDS.next()}/`;
  // In the wrong manner even a sound store refuses, so that comes first.
  const { manner, report } = await firstThatWorks(manners, clock, prefix);
  const rows = [...probeRows(report), ...mannerRow(manners, manner)];
  if (report.kind === "inconclusive") return rows;
  const views = await openViews(manner.name);
  try {
    const throttles = report.findings.throttlesWrites;
    const trials = await runTrials({ views: views.stores, clock, prefix, throttles });
    return [
      ...rows,
      ...trials.map((trial) => ({ ...trial, needed: true })),
      await speedRow(manner.store, prefix),
    ];
  } finally {
    await views.close();
    await clear(manner.store, prefix);
  }
}

/** The manner in which a write on the current etag takes place, with what the probe says then. */
async function firstThatWorks(
  manners: readonly Manner[],
  clock: Clock,
  prefix: string,
): Promise<{ readonly manner: Manner; readonly report: ProbeReport }> {
  let last: { readonly manner: Manner; readonly report: ProbeReport } | null = null;
  for (const manner of manners) {
    const report = await probeStore({ store: manner.store, clock, ids: SYSTEM_IDS }, prefix);
    last = { manner, report };
    const refused =
      report.kind === "unsafe" && report.breaches.some(({ property }) => property === "current-etag-taken");
    if (!refused) break;
  }
  if (last === null) throw new Error("there is no manner to speak to the store");
  return last;
}

/** What the probe asks for, each as a person would say it, in the order of its questions. */
const PROPERTIES: { readonly [property in BrokenProperty]: string } = {
  "missing-key-refused": "a write on the etag of a missing key is refused",
  "create-once": "a key is created once",
  "current-etag-taken": "a write on the current etag is taken",
  "stale-etag-refused": "a write on a stale etag is refused",
  "etag-names-body": "an etag names one body",
  "create-after-delete": "a deleted key can be created again",
  "refused-means-unchanged": "a refused write changes nothing",
  "read-after-write": "a read sees the writes before it",
  "one-winner": "one winner among racing writers",
  "listing-complete": "a listing leaves out no key",
};

function probeRows(report: ProbeReport): readonly Row[] {
  if (report.kind === "inconclusive")
    return [{ property: "answers", seen: report.why, needed: true, verdict: "unclear" }];
  const { breaches, complete } = report.kind === "unsafe" ? report : { breaches: [], complete: true };
  const rows = Object.entries(PROPERTIES).map(([name, property]): Row => {
    const breach = breaches.find((one) => one.property === name);
    if (breach !== undefined) return { property, seen: breach.message, needed: true, verdict: "broken" };
    // What the probe did not come to is not held for true.
    return complete
      ? { property, seen: "yes", needed: true, verdict: "holds" }
      : { property, seen: "perhaps: the probe did not come to its end", needed: true, verdict: "unclear" };
  });
  return [...rows, ...findingRows(report.findings)];
}

/** Q2. */
function findingRows(findings: StoreFindings): readonly Row[] {
  const { etags, onMissingKey, deleteConditions, losersHear, listOrder, repeatsKeys, throttlesWrites } =
    findings;
  const rows: readonly (readonly [string, string])[] = [
    ["equal bodies have equal etags", etags === "of-the-body" ? "yes" : "no"],
    ["an if-match on a missing key is answered", onMissingKey],
    ["a delete looks at its condition", deleteConditions === "checked" ? "yes" : "no, it is ignored"],
    ["losers of a race hear", losersHear.join(", ") || "nothing"],
    ["a listing is in the order of the keys", listOrder === "ascending" ? "yes" : "no"],
    ["a listing shows a key twice", repeatsKeys ? "yes" : "no"],
    ["writes to one key are throttled", throttlesWrites ? "yes" : "no"],
  ];
  return rows.map(([property, seen]) => ({ property, seen, needed: false, verdict: "told" }));
}

/** Only where there is more than one manner is there something to tell. */
function mannerRow(manners: readonly Manner[], { name }: Manner): readonly Row[] {
  if (manners.length < 2) return [];
  return [{ property: "etags go back with their quotes", seen: name, needed: false, verdict: "told" }];
}

const TIMED = 10;

/** Medians of one client that waits for each answer. */
async function speedRow(store: ObjectStore, prefix: string): Promise<Row> {
  const [writes, reads]: [number[], number[]] = [[], []];
  for (let i = 0; i < TIMED; i++) {
    const key = `${prefix}speed/${i}`;
    writes.push(await millisecondsOf(() => store.put(key, "x".repeat(2_000), NO_CONDITION)));
    reads.push(await millisecondsOf(() => store.get(key)));
  }
  const seen = `write ${median(writes)} ms, read ${median(reads)} ms`;
  return { property: "median of 10 small objects", seen, needed: false, verdict: "told" };
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function median(values: readonly number[]): string {
  return ([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(1);
}

/** Q3. A key that cannot be deleted now is left: its prefix is never used again. */
async function clear(store: ObjectStore, prefix: string): Promise<void> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<ObjectStore["list"]>> = await store.list({ prefix, cursor, limit: PAGE });
    if (page.kind !== "ok") return;
    await Promise.all(page.entries.map(({ key }) => store.delete(key, NO_CONDITION)));
    cursor = page.next;
  } while (cursor !== null);
}

/** A broken property outweighs what was left open. */
function verdictOf(rows: readonly Row[]): Verdict {
  if (rows.some(({ verdict }) => verdict === "broken")) return "unsafe";
  return rows.some(({ verdict }) => verdict === "unclear") ? "unclear" : "sound";
}

const WORDS: { readonly [verdict in Row["verdict"]]: string } = {
  holds: "ok",
  broken: "UNSAFE",
  unclear: "unclear",
  told: "",
};

/** The table, and the verdict in one sentence. */
function told(name: string, verdict: Verdict, rows: readonly Row[]): string {
  const cells = rows.map(({ property, seen, needed, verdict: each }) => [
    WORDS[each],
    needed ? "needed" : "",
    property,
    seen,
  ]);
  const lines = table([["verdict", "engine", "property", "this store"], ...cells]);
  const broken = rows.filter((row) => row.verdict === "broken").length;
  const last = {
    sound: `${name} is sound: everything that the engine needs holds`,
    unsafe: `${name} is UNSAFE: ${broken} of the needed properties do not hold; work would be lost or done twice`,
    unclear: `${name}: too much was left without an answer to tell; try again`,
  }[verdict];
  return `${lines}\n\n${last}\n`;
}
