/**
 * The scenarios' public face: what the command line and the ledger need.
 */
export { catalog } from "./catalog.ts";
export { explorations } from "./explorations/index.ts";
