/**
 * A process of `store-kills.ts`: it is killed at any moment, so what it says, it says at once and in whole lines.
 *
 *   writer DIR NAME    raises counters by compare and swap for ever: some of its own, one that all writers share, and
 *                      creates objects. It tells `seen KEY N` when it begins and `ack KEY N` after each acknowledgement.
 *   reader DIR         opens the store, reads, lists and closes it again, for ever; tells `read`.
 */
import { writeSync } from "node:fs";
import { type EmbeddedStore, openEmbeddedStore } from "../../adapters/embedded/embedded-store.ts";
import { IF_ABSENT, ifMatch, type PutCondition } from "../../ports/index.ts";
import { assert } from "../../std/assert.ts";

export const SHARED = "shared";
const LANES = 8;
/** About a document of the engine. */
const FILLING = "x".repeat(2_000);

const NOTHING = new Int32Array(new SharedArrayBuffer(4));

/** The pipe does not wait when it is full, so this does. */
function tell(line: string): void {
  for (let bytes = Buffer.from(`${line}\n`); bytes.length > 0; ) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(NOTHING, 0, 0, 1);
    }
  }
}

async function open(directory: string): Promise<EmbeddedStore> {
  const opened = await openEmbeddedStore(directory);
  assert(opened.ok, opened.ok ? "" : opened.error.message);
  return opened.value;
}

export function counterOf(body: string): number {
  return Number(body.split(" ", 1)[0]);
}

async function look(store: EmbeddedStore, key: string): Promise<{ n: number; condition: PutCondition }> {
  for (;;) {
    const found = await store.get(key);
    if (found.kind === "not-found") return { n: 0, condition: IF_ABSENT };
    if (found.kind === "ok") return { n: counterOf(found.body), condition: ifMatch(found.etag) };
    tell(`trouble get ${found.kind}`);
  }
}

/** Raises one counter for ever. */
async function raise(store: EmbeddedStore, key: string): Promise<never> {
  for (let from = await look(store, key); ; ) {
    const n = from.n + 1;
    const put = await store.put(key, `${n} ${FILLING}`, from.condition);
    if (put.kind === "ok") {
      tell(`ack ${key} ${n}`);
      from = { n, condition: ifMatch(put.etag) };
      continue;
    }
    if (put.kind !== "precondition-failed" || key !== SHARED) tell(`trouble put ${put.kind}`);
    from = await look(store, key);
  }
}

async function create(store: EmbeddedStore, name: string): Promise<never> {
  for (let n = 1; ; n++) {
    const key = `made/${name}-${process.pid}-${n}`;
    const put = await store.put(key, "1", IF_ABSENT);
    tell(put.kind === "ok" ? `ack ${key} 1` : `trouble create ${put.kind}`);
  }
}

async function write(directory: string, name: string): Promise<void> {
  const store = await open(directory);
  const keys = Array.from({ length: LANES }, (_, lane) => `own/${name}/${lane}`);
  for (const key of keys) tell(`seen ${key} ${(await look(store, key)).n}`);
  await Promise.all([...keys, SHARED].map((key) => raise(store, key)).concat(create(store, name)));
}

async function read(directory: string): Promise<never> {
  for (;;) {
    const store = await open(directory);
    const page = await store.list({ prefix: "own/", cursor: null, limit: 1_000 });
    for (const { key } of page.kind === "ok" ? page.entries : []) await look(store, key);
    await store.close();
    tell("read");
  }
}

const [, script, role = "", directory = "", name = ""] = process.argv;
if (script?.includes("store-kills-child") === true) {
  if (role === "writer") await write(directory, name);
  else await read(directory);
}
