/**
 * `baton speed`: one-step turns per second on the embedded store, every acknowledged write on disk.
 *
 *   B1  four ways: one turn after the other and many at once, in this process and over HTTP; each with the calls of our
 *       worker and, beside it, with those of the documented protocol. Each takes `--seconds`, as often as `--repeat` says;
 *       the one with the median rate is shown. Before each a process warms up for `--warm-up` turns.
 *   B2  a figure of time is worth what the machine is worth at that moment: the load, and what the disk takes for one
 *       write, stand beside it. Processor time says more on a busy machine.
 *   B3  Ctrl-C is heeded between two measurements, and then nothing is told: half a table is none.
 *
 * What a turn is, and what is left out of its time, is in `speed-turns.ts`; where turns are made in `speed-places.ts`.
 */
import { loadavg, tmpdir } from "node:os";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { Io } from "../io.ts";
import { parseWhole, pickOne } from "../terminal/arguments.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { Progress } from "../terminal/progress.ts";
import { grouped, table } from "../terminal/table.ts";
import { diskSyncMs, inProcess, overHttp, type Place } from "./speed-places.ts";
import { type Measurement, type Protocol, takeTurns } from "./speed-turns.ts";

export interface SpeedOptions {
  readonly seconds?: number;
  readonly warmUp?: number;
  readonly repeat?: number;
  readonly lanes?: number;
  readonly store?: string;
  readonly only?: string;
  readonly json?: boolean;
}

/** What one way gave. */
interface Figure {
  readonly way: string;
  readonly protocol: Protocol;
  readonly turns: number;
  readonly turnsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of all processes that take part; null where it cannot be told. */
  readonly cpuMsPerTurn: number | null;
  readonly requestsPerTurn: number | null;
}

/** Where turns are made, by the name that `--only` takes. */
const PLACES: readonly {
  readonly name: string;
  readonly where: string;
  readonly open: (below: string) => Promise<Place>;
}[] = [
  { name: "process", where: "in process", open: inProcess },
  { name: "http", where: "over HTTP", open: overHttp },
];
const PROTOCOLS: readonly Protocol[] = ["ours", "documented"];
const SECONDS = 5;
const WARM_UP = 5_000;
const LANES = 50;

export function addSpeed(program: Command, io: Io, done: (code: number) => void): void {
  program
    .command("speed")
    .description("one-step turns per second on the embedded store, every acknowledged write on disk")
    .option("--seconds <n>", `for each way (default: ${SECONDS})`, (text) =>
      parseWhole(text, 1, 600, "--seconds"),
    )
    .option(
      "--warm-up <turns>",
      `made first and not counted, for 30 s at most (default: ${WARM_UP})`,
      (text) => parseWhole(text, 0, 1_000_000, "--warm-up"),
    )
    .option("--repeat <n>", "measure each way so often and show the median (default: 1)", (text) =>
      parseWhole(text, 1, 99, "--repeat"),
    )
    .option("--lanes <n>", `turns at once (default: ${LANES})`, (text) =>
      parseWhole(text, 1, 1_000, "--lanes"),
    )
    .option("--store <dir>", "the disk to measure: a folder to make stores in (default: the temporary one)")
    .option("--only <where>", "process or http", (text) => pickOne("place", PLACES, text).name)
    .option("--json", "print one JSON object")
    .action(async (options: SpeedOptions) => done(await speedCommand(io, options)));
}

export async function speedCommand(io: Io, options: SpeedOptions): Promise<number> {
  const { seconds = SECONDS, warmUp = WARM_UP, repeat = 1, lanes = LANES, only } = options;
  const below = resolve(io.folder, options.store ?? tmpdir());
  const wanted = PLACES.filter(({ name }) => only === undefined || name === only);
  const syncMs = diskSyncMs(below, io.nowMs);
  const figures: Figure[] = [];
  const progress = new Progress(io);
  const ways = wanted.flatMap(({ where, open }) =>
    [1, lanes].flatMap((at) => PROTOCOLS.map((protocol) => ({ where, open, at, protocol }))),
  );
  for (const { where, open, at, protocol } of ways) {
    const way = `${where}, ${at === 1 ? "one after the other" : `${at} at once`}`;
    const repeats: Figure[] = [];
    for (let n = 1; n <= repeat; n++) {
      // B3.
      if (io.interrupted()) return EXIT.interrupted;
      const tell = (share: number) =>
        progress.line(`${way}, ${protocol}, ${n} of ${repeat}: ${Math.floor(share * 100)} %`, io.nowMs());
      repeats.push(await measure(io, { way, protocol, lanes: at, seconds, warmUp }, await open(below), tell));
    }
    repeats.sort((a, b) => a.turnsPerSecond - b.turnsPerSecond);
    const median = repeats[Math.floor(repeats.length / 2)];
    if (median !== undefined) figures.push(median);
  }
  progress.clear();
  const [load = 0] = loadavg();
  const result = { node: process.version, seconds, warmUp, repeat, diskSyncMs: syncMs, load, figures };
  io.out(options.json === true ? `${JSON.stringify(result)}\n` : told(figures, syncMs, load));
  return EXIT.pass;
}

/** What is measured. */
interface Way extends Pick<Measurement, "protocol" | "lanes" | "seconds" | "warmUp"> {
  readonly way: string;
}

/** One way, once: in a place of its own, which is gone afterwards. */
async function measure(
  io: Io,
  { way, ...asked }: Way,
  place: Place,
  tell: (share: number) => void,
): Promise<Figure> {
  const marks: { cpuMs: number | null; requests: number | null }[] = [];
  try {
    const mark = () => marks.push({ cpuMs: place.cpuMs(), requests: place.requests() });
    const times = await takeTurns(place.engine, { ...asked, nowMs: io.nowMs, tell, mark });
    const [from, to] = marks;
    const perTurn = (a: number | null | undefined, b: number | null | undefined) =>
      typeof a === "number" && typeof b === "number" ? (b - a) / times.turns : null;
    return {
      way,
      protocol: asked.protocol,
      turns: times.turns,
      turnsPerSecond: times.turns / times.seconds,
      p50Ms: times.p50,
      p99Ms: times.p99,
      cpuMsPerTurn: perTurn(from?.cpuMs, to?.cpuMs),
      requestsPerTurn: perTurn(from?.requests, to?.requests),
    };
  } finally {
    await place.close();
  }
}

function told(figures: readonly Figure[], syncMs: number, load: number): string {
  const shown = (value: number | null, digits: number) => value?.toFixed(digits) ?? "-";
  const rows = figures.map((figure) => [
    figure.way,
    figure.protocol,
    grouped(figure.turnsPerSecond),
    shown(figure.p50Ms, 2),
    shown(figure.p99Ms, 2),
    shown(figure.cpuMsPerTurn, 3),
    shown(figure.requestsPerTurn, 1),
  ]);
  const head = [
    "one-step turns",
    "calls",
    "per second",
    "p50 ms",
    "p99 ms",
    "processor ms a turn",
    "store requests a turn",
  ];
  const machine = `the disk takes ${syncMs.toFixed(2)} ms for one write; load ${load.toFixed(1)}; Node ${process.version}`;
  return `${table([head, ...rows], "")}\n${machine}\n`;
}
