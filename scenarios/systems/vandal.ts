/**
 * A vandal process: leaves a damaged identity object in the store, and an entry in the scheduling index that says it
 * has work. As a disk, a bad restore or another version could.
 *
 * It goes on until both are there, and does nothing else. What it wrote is told to the checkers by `DAMAGED`.
 */

import type { Process, SimulatedStore, Simulation } from "../../sim/index.ts";
import type { WriteStamp } from "../../src/index.ts";
import type { ObjectStore } from "../../src/ports/index.ts";
import { sha256 } from "../../src/std/hash.ts";
import { parseJson } from "../../src/std/json.ts";
import type { Decoder } from "../checkers/records.ts";
import { isObject, isStamp } from "../checkers/shapes.ts";

/** The ids that it spoils. Nobody creates them. */
export const DAMAGED: readonly string[] = ["damaged-1"];
/** Between two tries, and at most before the first one, milliseconds. */
const PAUSE_MS = 200;
const LATEST_MS = 3_000;
const LINEAGE = 8;
const ENTRY = { workflow_type: "order", version: "v1", status: "queued", ready_at_ms: 0, sequence: 1 };

export interface VandalSetup {
  readonly simulation: Simulation;
  readonly store: SimulatedStore;
  readonly decoder: Decoder;
  /** Of the scheduling index. */
  readonly shards: number;
}

export function vandal(name: string, setup: VandalSetup): Process<null> {
  const { simulation, store, decoder } = setup;
  return simulation.process<null>(name, async (context) => {
    const { clock, random, ids } = context;
    const client = store.client(context);
    await clock.sleep(random.below(LATEST_MS, "vandal-pause"));
    for (const id of DAMAGED) {
      while (!(await spoil(client, decoder.identityKey(id)))) await clock.sleep(PAUSE_MS);
      const key = decoder.indexKey(id, setup.shards);
      while (!(await announce(client, key, id, ids.next()))) await clock.sleep(PAUSE_MS);
    }
  });
}

/** Whether the damaged object is there. */
async function spoil(store: ObjectStore, key: string): Promise<boolean> {
  if ((await store.get(key)).kind === "ok") return true;
  await store.put(key, '{"format":"baton.instance.v1","sha256":"0000', { kind: "if-absent" });
  return false;
}

/** Whether the index names the instance; otherwise it is written so, and looked at again. */
async function announce(store: ObjectStore, key: string, id: string, writeId: string): Promise<boolean> {
  const found = await store.get(key);
  if (found.kind === "not-found") {
    await store.put(key, indexText({ sequence: 1, write_id: writeId, lineage: [] }, { [id]: ENTRY }), {
      kind: "if-absent",
    });
    return false;
  }
  if (found.kind !== "ok") return false;
  const { body, etag } = found;
  const document = parseJson(body);
  const payload = isObject(document) ? document.document : null;
  if (!isObject(payload) || !isStamp(payload.stamp) || !isObject(payload.value)) return false;
  const { entries } = payload.value;
  if (!isObject(entries)) return false;
  if (entries[id] !== undefined) return true;
  const { sequence, write_id, lineage } = payload.stamp;
  const stamp = {
    sequence: sequence + 1,
    write_id: writeId,
    lineage: [write_id, ...lineage].slice(0, LINEAGE),
  };
  await store.put(key, indexText(stamp, { ...entries, [id]: ENTRY }), { kind: "if-match", etag });
  return false;
}

function indexText(stamp: WriteStamp, entries: { readonly [id: string]: unknown }): string {
  const text = JSON.stringify({ stamp, value: { entries } });
  return `{"format":"baton.index.v1","sha256":"${sha256(text)}","document":${text}}`;
}
