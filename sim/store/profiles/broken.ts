/**
 * Broken stores: each is a sound profile with one defect, and each defect has been met in the wild or is one setting
 * away from it.
 *
 * None of them is drawn for a run: a run gets one only by its name. `scenarios/README.md` says for each whether the
 * start-up probe refuses it or which invariant breaks over it.
 */
import type { Defect, StoreProfile } from "./profile.ts";
import { AWS_S3 } from "./sound.ts";

export interface BrokenStore extends StoreProfile {
  readonly defect: Defect;
  /** What it does, in words. */
  readonly what: string;
}

function broken(name: Defect, what: string, changes: Partial<StoreProfile> = {}): BrokenStore {
  return { ...AWS_S3, writesPerSecond: null, ...changes, name, what, defect: name };
}

export const BROKEN_STORES: readonly BrokenStore[] = [
  broken("conditions-ignored", "takes every write, whatever its condition says (s3rver, moto; B19)"),
  broken("conditions-not-atomic", "checks a condition some milliseconds before it writes (B21)"),
  broken(
    "conditions-per-endpoint",
    "has two endpoints, each of which checks conditions against what it has seen so far (B20)",
  ),
  broken("recreate-refused", "refuses to create a key that was deleted before (delete markers; F07)"),
  broken(
    "missing-key-creates",
    "takes an if-match on a key that is not there as a create (minio 21526, B18)",
  ),
  broken("etag-by-mtime", "makes etags of the second and the length of a write (B23)"),
  broken("stale-reads", "answers some reads with what was there half a second before (F10)"),
  broken(
    "stale-reads-of-others",
    "answers reads from a cache of each reader that learns of others' writes late (F10)",
  ),
  broken("list-skips", "leaves out the key at the edge of two pages of a listing (F11, B26)"),
  broken("list-repeats", "shows the key at the edge of two pages of a listing twice (F11)"),
];
