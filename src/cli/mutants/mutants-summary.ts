/**
 * What a matrix says of each way of searching, as a table for people: bugs found, runs and seconds, and how many times
 * the runs the baselines need. The figures and what they are over: `mutants-matrix.ts` (X2, X3).
 */

import { table } from "../terminal/table.ts";
import { BASELINES } from "./hunters.ts";
import { count, hunterFigures, type Row, seconds } from "./mutants-matrix.ts";

const HEAD = ["", "found", "by every hunt", "9 of 10 in 10 s", "runs", "seconds"];
const FOOT = "runs and seconds: median and 90th percentile over the bugs, each by its median hunt";

export function strategiesTable(rows: readonly Row[], hunters: readonly string[]): string {
  const head = [...HEAD, ...BASELINES.map((name) => `${name} needs`)];
  return `${table([head, ...hunters.map((name) => line(rows, name))], "")}\n${FOOT}`;
}

function line(rows: readonly Row[], name: string): readonly string[] {
  const of = hunterFigures(rows, name, BASELINES);
  return [
    name,
    `${of.found} of ${of.tried}`,
    String(of.always),
    String(of.quick),
    `${count(of.medianRuns)}/${count(of.p90Runs)}`,
    `${seconds(of.medianMs)}/${seconds(of.p90Ms)}`,
    ...BASELINES.map((baseline) => {
      const ratio = of.ratios.find(({ against }) => against === baseline);
      const over = ratio === undefined ? "" : `${ratio.bugs} ${ratio.bugs === 1 ? "bug" : "bugs"}`;
      return ratio === undefined ? "" : `${ratio.times.toFixed(2)} times the runs, over ${over}`;
    }),
  ];
}
