/**
 * What a node tells about itself, for logs and metrics. A trace never changes what the node does.
 */
import type { Json } from "../std/json.ts";

export interface Trace {
  /** One fact: `event` is a short fixed name in kebab-case, `fields` its facts. */
  emit(event: string, fields: { readonly [name: string]: Json }): void;
}

/** Tells nobody. */
export const SILENT: Trace = { emit: () => undefined };
