/**
 * The sound profiles. The first one is the plainest: a run whose draws are all 0 has it.
 *
 * Each fact has its source: [m] measured (medians, writes to one key, answers of Ceph; prices of 2026), [d] the store's
 * public documentation, [i] an issue in its tracker, [a] assumed. All 99th percentiles are assumed as about four times
 * the median. That a refused condition does not count against the rate of a key is assumed for all.
 */
import type { StoreProfile } from "./profile.ts";

const FREE = { putUsd: 0, getUsd: 0, listUsd: 0, deleteUsd: 0 };

/** Amazon S3, general purpose bucket. */
export const AWS_S3: StoreProfile = {
  name: "aws-s3",
  etags: "content-hash", // [d] MD5 of the body for single-part puts without KMS; B24
  onMissingKey: "not-found", // [d] conditional-writes.html: 404 when the object was deleted; [m]
  deleteConditions: "checked", // [d] conditional deletes of general purpose buckets
  contention: "conflict", // [d] 409 ConditionalRequestConflict
  listOrder: "ascending", // [d] UTF-8 binary order
  writesPerSecond: 15, // [m] about 15/s, then 503
  latency: {
    getMs: { p50: 26, p99: 100 }, // [m]
    createMs: { p50: 40, p99: 160 }, // [m]
    replaceMs: { p50: 63, p99: 250 }, // [m] 58 to 68
    listMs: { p50: 40, p99: 160 }, // [a] as a create
  },
  price: { putUsd: 5, getUsd: 0.4, listUsd: 5, deleteUsd: 0 }, // [m]
  defect: null,
};

/** Amazon S3 Express One Zone, directory bucket. */
export const S3_EXPRESS: StoreProfile = {
  name: "s3-express",
  etags: "opaque", // [d] s3-express-differences.html: random text, no MD5
  onMissingKey: "not-found", // [a] as S3
  deleteConditions: "checked", // [d]
  contention: "conflict", // [a] as S3
  listOrder: "none", // [d] ListObjectsV2 not in lexicographical order, no start-after
  writesPerSecond: 70, // [m] about 70/s
  latency: {
    getMs: { p50: 5, p99: 20 }, // [m]
    createMs: { p50: 7, p99: 30 }, // [m] "single digits"
    replaceMs: { p50: 20, p99: 80 }, // [m] 14 to 26
    listMs: { p50: 7, p99: 30 }, // [a]
  },
  price: { putUsd: 1.13, getUsd: 0.03, listUsd: 1.13, deleteUsd: 0 }, // [m]
  defect: null,
};

/** Cloudflare R2 by its S3 API. */
export const R2: StoreProfile = {
  name: "r2",
  etags: "content-hash", // [d] MD5 for single-part puts
  onMissingKey: "precondition-failed", // [d] "fails if the key does not exist"; the status is [a]
  deleteConditions: "ignored", // [d] conditional-operations lists no delete
  contention: "none", // [a]
  listOrder: "ascending", // [d]
  writesPerSecond: 1, // [d] r2/platform/limits: 1 per second to one key, then 429; [m]
  latency: {
    getMs: { p50: 30, p99: 120 }, // [a]
    createMs: { p50: 60, p99: 240 }, // [a]
    replaceMs: { p50: 80, p99: 320 }, // [a]
    listMs: { p50: 60, p99: 240 }, // [a]
  },
  price: { putUsd: 4.5, getUsd: 0.36, listUsd: 4.5, deleteUsd: 0 }, // [m]
  defect: null,
};

/** Google Cloud Storage with generations as etags. */
export const GCS: StoreProfile = {
  name: "gcs",
  etags: "counter", // [d] x-goog-if-generation-match; generations rise
  onMissingKey: "precondition-failed", // [d] request-preconditions: 412 when the value does not match
  deleteConditions: "checked", // [d] preconditions hold for deletes
  contention: "none", // [a]
  listOrder: "ascending", // [d] lexicographic
  writesPerSecond: 1, // [d] one write per second to one name, then 429; [m]
  latency: {
    getMs: { p50: 30, p99: 120 }, // [a]
    createMs: { p50: 60, p99: 240 }, // [a]
    replaceMs: { p50: 600, p99: 2_400 }, // [m] 500 to 700
    listMs: { p50: 60, p99: 240 }, // [a]
  },
  price: { putUsd: 5, getUsd: 0.4, listUsd: 5, deleteUsd: 0 }, // [m]; deletes [d]
  defect: null,
};

/** Azure Blob Storage, block blobs. Its 409 BlobAlreadyExists is a refused create, which an adapter says as 412. */
export const AZURE: StoreProfile = {
  name: "azure",
  etags: "opaque", // [d] quoted hexadecimal text that changes with each write
  onMissingKey: "precondition-failed", // [d] conditional headers: 412 ConditionNotMet
  deleteConditions: "checked", // [d] If-Match on Delete Blob
  contention: "none", // [a]
  listOrder: "ascending", // [d] alphabetical
  writesPerSecond: null, // [d] 500 requests/s for one blob: more than a node sends
  latency: {
    getMs: { p50: 15, p99: 60 }, // [a]
    createMs: { p50: 25, p99: 100 }, // [a]
    replaceMs: { p50: 25, p99: 100 }, // [a]
    listMs: { p50: 30, p99: 120 }, // [a]
  },
  price: { putUsd: 5, getUsd: 0.4, listUsd: 5, deleteUsd: 0 }, // [d] hot tier, about
  defect: null,
};

/** MinIO from September 2025 on; before that see `missing-key-creates`. */
export const MINIO: StoreProfile = {
  name: "minio",
  etags: "content-hash", // [d] MD5
  onMissingKey: "not-found", // [i] minio 21526, mended by 21550
  deleteConditions: "ignored", // [a]
  contention: "none", // [a] one lock for each object
  listOrder: "ascending", // [d]
  writesPerSecond: null, // [a]
  latency: {
    getMs: { p50: 3, p99: 12 }, // [a] in the same building
    createMs: { p50: 6, p99: 24 }, // [a]
    replaceMs: { p50: 6, p99: 24 }, // [a]
    listMs: { p50: 6, p99: 24 }, // [a]
  },
  price: FREE, // one's own machines
  defect: null,
};

/** Ceph's S3 gateway. Its adapter strips the quotes of etags: with them every if-match is refused [m]. */
export const CEPH: StoreProfile = {
  name: "ceph",
  etags: "content-hash", // [m]
  onMissingKey: "precondition-failed", // [m]; [i] minio 21526 says so too
  deleteConditions: "ignored", // [m]
  contention: "server-error", // [m] losers of a tight race often get 500, never applied
  listOrder: "ascending", // [m]
  writesPerSecond: null, // [m] none met
  latency: {
    getMs: { p50: 3, p99: 12 }, // [a] in the same building
    createMs: { p50: 12, p99: 50 }, // [a]
    replaceMs: { p50: 12, p99: 50 }, // [a]
    listMs: { p50: 6, p99: 24 }, // [a]
  },
  price: FREE, // one's own machines
  defect: null,
};

export const SOUND_PROFILES: readonly StoreProfile[] = [AWS_S3, S3_EXPRESS, R2, GCS, AZURE, MINIO, CEPH];
