/**
 * Planted bugs of the scheduling index in shards: what is written where nobody looks, or not written, or not read.
 *
 * A shard that is forgotten hides what belongs to it alone, so most of the graph stays as it should be. One that only polls
 * pass over is no bug of this list: the next pass of the listing reads it, so all it costs is time.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const SHARDS: readonly PlantedBug[] = [
  {
    name: "entry-in-another-shard",
    catalogue: "B26, B77",
    file: "src/documents/scheduling-index.ts",
    find: "return fnv1a(id) % shards;",
    replace: "return fnv1a(id.slice(0, -1)) % shards;",
    about: "The last character of an id is left out of account when its shard is told.",
    caughtBy: ["I14-index-derived"],
  },
  {
    name: "shard-never-swept",
    catalogue: "B26, B53",
    file: "src/documents/scheduling-index.ts",
    find: "const shards = [...new Set(ids.map((id) => this.#shardOf(id)))];",
    replace:
      "const shards = [...new Set(ids.map((id) => this.#shardOf(id)))].filter((shard) => shard !== this.#shards[3]);",
    about: "The periodic listing repairs nothing in the last of four shards.",
    caughtBy: ["I11-progress", "I14-index-converges"],
  },
];
