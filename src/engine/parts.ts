/**
 * The parts of a node that all its callers share: what it knows of the store, and the work that it does by itself.
 *
 * What the node does by itself (moves, repairs, replies to parents) asks nobody's leave, so it does not go through an
 * `Access`. Each caller's own parts are in `node.ts`.
 *
 * The claims that wait are the node's, whatever epoch they came in: a turn of the present epoch may be handed to one that
 * asked in the epoch before.
 */
import { BlobObjects } from "../documents/blob-objects.ts";
import { identityCodec, indexCodec, shapedIdentity } from "../documents/codec.ts";
import { NO_MEMORY, type StorePorts } from "../documents/conditional-write.ts";
import { Erasure } from "../documents/erasure.ts";
import { History, type Tell } from "../documents/history.ts";
import { IdPages } from "../documents/id-pages.ts";
import { memoryOf } from "../documents/identities.ts";
import { Instances } from "../documents/instances.ts";
import { KeyPace } from "../documents/key-pace.ts";
import { Keys } from "../documents/keys.ts";
import { KnownVersions } from "../documents/known-versions.ts";
import { remembered } from "../documents/remembered-codec.ts";
import { IndexObject } from "../documents/scheduling-index.ts";
import { Segments } from "../documents/segments.ts";
import { Budgets } from "./budgets.ts";
import { Changes, UNGUARDED } from "./changes.ts";
import { Claims } from "./claims.ts";
import type { EngineConfig } from "./config.ts";
import { Inboxes } from "./inboxes.ts";
import { Reads } from "./reads.ts";
import { tellParent } from "./replies.ts";
import { Sweeper } from "./sweeper.ts";
import type { Waits } from "./waits.ts";

/** One memory of decoded bodies for all nodes of a process. */
const CODECS = { identity: remembered(identityCodec, shapedIdentity), index: remembered(indexCodec) };

export interface Parts {
  readonly ports: StorePorts;
  readonly config: EngineConfig;
  readonly keys: Keys;
  readonly history: History;
  readonly instances: Instances;
  readonly blobs: BlobObjects;
  readonly index: IndexObject;
  readonly claims: Claims;
  readonly waits: Waits;
  readonly budgets: Budgets;
  readonly sweeper: Sweeper;
  readonly reads: Reads;
  readonly inboxes: Inboxes;
}

export function partsOf(given: StorePorts, config: EngineConfig, waits: Waits): Parts {
  const ports = { ...given, pace: new KeyPace(config.key_writes_per_second) };
  const keys = new Keys(config);
  const memory = memoryOf(config);
  const index = new IndexObject(
    ports,
    keys,
    CODECS,
    config.remember_identities ? new KnownVersions() : NO_MEMORY,
    { shards: config.index_shards, defers: config.defer_index },
  );
  const tell: Tell = (child, turn) => tellParent(new Changes(instances, claims, UNGUARDED), child, turn);
  const [segments, pages] = [new Segments(ports, keys), new IdPages(ports, keys)];
  const blobs = new BlobObjects(ports, keys, CODECS);
  const history = new History(ports, keys, CODECS, { segments, pages, blobs }, config, tell, memory);
  const erasure = new Erasure(ports, keys, CODECS, index, segments, pages);
  const layout = { segment_turns: config.history_segment_turns, page_turns: config.history_page_turns };
  const instances = new Instances(ports, keys, CODECS, history, index, erasure, memory, config, layout);
  const claims = new Claims(ports, keys, instances, index, config.poll_ms, waits);
  const budgets = new Budgets(index, ports.clock, config, config.poll_ms);
  const sweeper = new Sweeper(ports, keys, instances, history, index, erasure);
  const reads = new Reads(ports, instances, history, sweeper);
  const inboxes = new Inboxes(ports, instances, index);
  return {
    ports,
    config,
    keys,
    history,
    instances,
    blobs,
    index,
    claims,
    waits,
    budgets,
    sweeper,
    reads,
    inboxes,
  };
}
