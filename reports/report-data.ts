/**
 * What a run's page is made from, as plain JSON: the recorded run, its verdict and where it came from.
 *
 * This is the agreement between whoever has a run (the command line) and whoever shows it (a page, later a
 * campaign's collection of runs). It holds nothing that a page could work out itself.
 *
 *   D1  The value is JSON all through; `format` names this version of the shape.
 *   D2  Texts that repeat are kept once: a body, a request or a key is a number, an index into a table.
 *   D3  Names of faults, verdicts and incidents are plain strings: a page shows also kinds that it does not know.
 *   D4  Times are virtual milliseconds since the start of the run.
 */

export const REPORT_FORMAT = "baton.report.v1";

/** One page: a run, or the same failure several times, as the run that was found beside its shrunken form. */
export interface ReportData {
  readonly format: typeof REPORT_FORMAT;
  /** The run to look at first is in front. */
  readonly runs: readonly RunData[];
}

export interface RunData extends RunOrigin {
  /** What tells it from its neighbours on the page: `original`, `shrunken`. */
  readonly name: string;
  readonly verdict: VerdictData;
  /** Every text of the run once: bodies of the store, requests and replies as JSON text. */
  readonly bodies: readonly string[];
  /** Every key, and every prefix that was listed. */
  readonly keys: readonly string[];
  readonly operations: readonly OperationData[];
  /** The chain of each key that was ever written, oldest version first. */
  readonly chains: readonly ChainData[];
  readonly calls: readonly CallData[];
  readonly incidents: readonly IncidentData[];
  /** When the faults were switched off; null: they never were. */
  readonly healedAtMs: number | null;
  readonly endedAtMs: number;
}

/** Where a run came from and how to see it again. */
export interface RunOrigin {
  readonly scenario: string;
  /** What the scenario claims, in a sentence. */
  readonly claim: string;
  readonly seed: number | null;
  /** The bug that was planted in the code under test; null: none. */
  readonly planted: string | null;
  readonly fingerprint: string;
  /** How many choices made the run. */
  readonly draws: number;
  /** Further facts for people, as `["store profile", "aws-s3"]`. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** The command that makes the run again. */
  readonly again: string;
}

export interface VerdictData {
  /** `pass`, `violation`, `no-progress`, `escape`, `crash`, `divergence`. */
  readonly kind: string;
  /** One sentence that says what is wrong, or that nothing is. */
  readonly message: string;
  /** Every finding, the one to look at first in front. */
  readonly findings: readonly FindingData[];
}

/** A broken invariant. */
export interface FindingData {
  readonly invariant: string;
  /** What the invariant says; null: not known here. */
  readonly statement: string | null;
  readonly message: string;
  /** The key or process to look at first. */
  readonly key: string | null;
  readonly atMs: number | null;
}

export interface ConditionData {
  readonly kind: string;
  readonly etag: string | null;
  /** The version that the etag names, as an index into the key's chain; null: none that ever was. */
  readonly version: number | null;
}

/** One request to the store: what was sent, what the store did, what the sender was told. */
export interface OperationData {
  readonly id: number;
  readonly process: string;
  readonly incarnation: number;
  readonly kind: string;
  /** Index into `keys`; of a list, its prefix. */
  readonly key: number;
  /** Null: none. */
  readonly condition: ConditionData | null;
  /** Of a put, an index into `bodies`. */
  readonly body: number | null;
  readonly sentAtMs: number;
  /** When the store acted on it; null: never. */
  readonly appliedAtMs: number | null;
  readonly verdict: string | null;
  /** The version that it wrote or read. */
  readonly version: number | null;
  readonly answeredAtMs: number | null;
  /** The kind of outcome that the sender learned; null: it never learned one. */
  readonly told: string | null;
  /** Of a list that was answered, the number of keys. */
  readonly listed: number | null;
  readonly faults: readonly string[];
}

export interface ChainData {
  /** Index into `keys`. */
  readonly key: number;
  readonly versions: readonly VersionData[];
}

export interface VersionData {
  /** Index into `bodies`; null: the key was deleted. */
  readonly body: number | null;
  readonly etag: string;
  readonly atMs: number;
  /** The id of the operation that wrote it. */
  readonly operation: number;
}

/** One call of a process to another. */
export interface CallData {
  readonly id: number;
  readonly from: string;
  readonly fromIncarnation: number;
  readonly to: string;
  readonly operation: string;
  /** Index into `bodies`: the request as JSON text. */
  readonly request: number;
  readonly sentAtMs: number;
  readonly answeredAtMs: number | null;
  readonly outcome: string | null;
  /** Index into `bodies`; null: no reply was learned. */
  readonly reply: number | null;
  readonly faults: readonly string[];
}

export interface IncidentData {
  readonly atMs: number;
  readonly kind: string;
  readonly process: string | null;
  readonly detail: string;
}
