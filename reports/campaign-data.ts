/**
 * What a campaign's page is made from, as plain JSON: the figures of many runs, and what failed.
 *
 *   C1  The value is JSON all through; `format` names this version of the shape.
 *   C2  A count of 0 says something: the kind was on, or the point was passed, and nothing struck there. What could
 *       not have struck is left out.
 *   C3  Links are relative to the page, or null where nothing was written.
 */

export const CAMPAIGN_FORMAT = "baton.campaign.v1";

export interface CampaignData {
  readonly format: typeof CAMPAIGN_FORMAT;
  /** The command that makes the campaign again. */
  readonly again: string;
  readonly ended: "done" | "time" | "interrupted";
  readonly firstSeed: number;
  readonly fingerprint: string;
  /** The bug that was planted in the code under test; null: none. */
  readonly planted: string | null;
  readonly runs: number;
  readonly pinned: number;
  readonly storeOps: number;
  readonly events: number;
  readonly virtualMs: number;
  /** Real time, milliseconds. */
  readonly wallMs: number;
  readonly scenarios: readonly ScenarioData[];
  /** Runs by store profile; empty: not counted. */
  readonly profiles: readonly CountData[];
  /** Faults that struck, by kind. */
  readonly faults: readonly CountData[];
  /** Facts that each check examined. */
  readonly checks: readonly CheckData[];
  /** Where faults struck; null: not counted. */
  readonly points: FaultPointsData | null;
  readonly failures: readonly FailureData[];
  /** What was searched to the end, each in a sentence. */
  readonly orders: readonly string[];
  readonly matrix: MatrixData | null;
}

export interface CountData {
  readonly name: string;
  readonly count: number;
}

export interface ScenarioData {
  readonly name: string;
  readonly claim: string;
  /** It failed so often that the rest of the campaign went on without it. */
  readonly leftOut: boolean;
}

export interface CheckData extends CountData {
  /** What the invariant says; null: not known here. */
  readonly statement: string | null;
}

/** How often each kind of fault struck each kind of request. */
export interface FaultPointsData {
  /** The columns. */
  readonly kinds: readonly string[];
  readonly rows: readonly FaultPointData[];
}

export interface FaultPointData {
  /** As `put if-match state/instances/*`, or `call claim`. */
  readonly request: string;
  /** How many such requests there were. */
  readonly seen: number;
  /** For each kind how often it struck; null: it cannot strike such a request. */
  readonly counts: readonly (number | null)[];
}

export interface FailureData {
  readonly scenario: string;
  readonly seed: number | null;
  readonly invariant: string;
  readonly message: string;
  readonly replayFile: string | null;
  readonly page: string | null;
}

/** Planted bugs against search strategies. */
export interface MatrixData {
  readonly strategies: readonly string[];
  readonly rows: readonly MatrixRowData[];
}

export interface MatrixRowData {
  readonly bug: string;
  /** The invariant that saw it first most often; null: none did. */
  readonly invariant: string | null;
  /** One for each strategy; null: not tried. */
  readonly cells: readonly (MatrixCellData | null)[];
}

export interface MatrixCellData {
  /** How many of the tried seeds found it. */
  readonly found: number;
  readonly tried: number;
  /** Over those that found it. */
  readonly medianRuns: number;
  readonly p90Runs: number;
  readonly medianSeconds: number;
  readonly p90Seconds: number;
}
