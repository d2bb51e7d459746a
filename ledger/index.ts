/**
 * The ledger's public face: measuring, records, and what is told of them.
 */
export * from "./cause.ts";
export {
  baselineOf,
  type Difference,
  differences,
  figure,
  isFailure,
  NAMES,
  tellDifference,
} from "./compare.ts";
export { countRun } from "./count.ts";
export { DOCUMENTED, DOCUMENTED_TEXT } from "./documented.ts";
export { type MeasuredCode, measure } from "./measure.ts";
export { type Ratio, ratioOf, tellRatio } from "./ratio.ts";
export * from "./record.ts";
export { ledgerRows, trendRows } from "./tables.ts";
