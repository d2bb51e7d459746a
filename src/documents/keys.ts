/**
 * Where each object lives. The only place that builds or reads a key.
 *
 * Numbers in keys have a fixed width, so that key order is number order (catalogue B26). Ids are safe as they are:
 * the name rule allows no separator. Source: seed 000 "Storage, recovery and erasure".
 */
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
  /** The scheduling index of a graph that has one part of it. */
  readonly index: string;
  /** Names the graph in effect ids. */
  readonly effectScope: string;
  readonly #shards: string;
  readonly #history: string;
  readonly #blobs: string;

  constructor({ tenant, graph, epoch }: Namespace) {
    const root = `${graphRoot(tenant, graph)}epoch=${epoch}/`;
    this.instances = `${root}state/instances/`;
    this.index = `${root}state/index${SUFFIX}`;
    this.#shards = `${root}state/index/`;
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

  /** The shard of a scheduling index that is cut into `of`. Another cut has other keys; one shard is the whole. */
  indexShard(shard: number, of: number): string {
    return of === 1 ? this.index : `${this.#shards}${of}-${shard}${SUFFIX}`;
  }

  /** The segment of history that begins with that turn. */
  segment(owner: Owner, first: number): string {
    return `${this.history(owner)}segments/${padded(first)}${SUFFIX}`;
  }

  /** The page of message ids that begins with that turn. */
  idPage(owner: Owner, first: number): string {
    return `${this.history(owner)}ids/${padded(first)}${SUFFIX}`;
  }
}

/** The key of the object that says which epoch of a graph is the present one. */
export function headKey({ tenant, graph }: Omit<Namespace, "epoch">): string {
  return `${graphRoot(tenant, graph)}head${SUFFIX}`;
}

function padded(turn: number): string {
  return String(turn).padStart(TURN_DIGITS, "0");
}

/** Names one life of an id in keys. */
function lifeOf({ id, life }: Owner): string {
  return life === 1 ? `${id}/` : `${id}@${life}/`;
}

function graphRoot(tenant: string, graph: string): string {
  return `tenants/${tenant}/graphs/${graph}/branches/main/workflows/v2/`;
}
