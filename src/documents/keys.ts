/**
 * Where each object lives. The only place that builds or reads a key.
 *
 * Numbers in keys have a fixed width, so that key order is number order (catalogue B26). Ids are safe as they are:
 * the name rule allows no separator. Source: seed 000 "Storage, recovery and erasure".
 */
import { sha256 } from "../std/hash.ts";
import { BLOB_PREFIX } from "../vocabulary/blob.ts";
import { isName } from "../vocabulary/names.ts";

/** One graph in one lifetime: a new `epoch` after the graph is deleted and created again. */
export interface Namespace {
  readonly tenant: string;
  readonly graph: string;
  readonly epoch: number;
}

/** One life of an instance. `@` is in no name, so no two lives share a prefix. */
export interface Owner {
  readonly id: string;
  readonly life: number;
}

const TURN_DIGITS = 12;
const SUFFIX = ".json";

export class Keys {
  /** Prefix of every instance's identity object. */
  readonly instances: string;
  readonly index: string;
  /** Names the graph in effect ids. */
  readonly effectScope: string;
  readonly #history: string;
  readonly #blobs: string;

  constructor({ tenant, graph, epoch }: Namespace) {
    const root = `${graphRoot(tenant, graph)}epoch=${epoch}/`;
    this.instances = `${root}state/instances/`;
    this.index = `${root}state/index${SUFFIX}`;
    this.effectScope = `${tenant}/${graph}/${epoch}`;
    this.#history = `${root}history/i-`;
    this.#blobs = `${root}blobs/i-`;
  }

  instance(id: string): string {
    return `${this.instances}${id}${SUFFIX}`;
  }

  /** The id of the instance that lives under the key, or null when it is no identity object's key. */
  instanceId(key: string): string | null {
    if (!key.startsWith(this.instances) || !key.endsWith(SUFFIX)) return null;
    const id = key.slice(this.instances.length, -SUFFIX.length);
    return isName(id) ? id : null;
  }

  /** Prefix of every history object of one life. */
  history(owner: Owner): string {
    return this.#history + lifeOf(owner);
  }

  /** Prefix of every blob of one life. */
  blobs(owner: Owner): string {
    return this.#blobs + lifeOf(owner);
  }

  blob(owner: Owner, reference: string): string {
    return `${this.blobs(owner)}${reference.slice(BLOB_PREFIX.length)}${SUFFIX}`;
  }

  /** The text that would name the blob under the key. */
  blobReference(owner: Owner, key: string): string {
    return `${BLOB_PREFIX}${key.slice(this.blobs(owner).length, -SUFFIX.length)}`;
  }

  turn(owner: Owner, number: number): string {
    return `${this.history(owner)}turns/${String(number).padStart(TURN_DIGITS, "0")}${SUFFIX}`;
  }

  /** Prefix of one generation of the message-ID index; that of generation 0 has those of the others within it. */
  messages(owner: Owner, generation: number): string {
    return `${this.history(owner)}messages/${generation === 0 ? "" : `g${generation}/`}`;
  }

  message(owner: Owner, generation: number, messageId: string): string {
    return `${this.messages(owner, generation)}${sha256(messageId)}${SUFFIX}`;
  }

  /** Whether a key with the prefix of the generation is one of its own. */
  isMessage(owner: Owner, generation: number, key: string): boolean {
    return !key.slice(this.messages(owner, generation).length).includes("/");
  }
}

/** The key of the object that says which epoch of a graph is the present one. */
export function headKey({ tenant, graph }: Omit<Namespace, "epoch">): string {
  return `${graphRoot(tenant, graph)}head${SUFFIX}`;
}

/** Names one life of an id in keys. */
function lifeOf({ id, life }: Owner): string {
  return life === 1 ? `${id}/` : `${id}@${life}/`;
}

function graphRoot(tenant: string, graph: string): string {
  return `tenants/${tenant}/graphs/${graph}/branches/main/workflows/v2/`;
}
