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
  /** Scenes whose orders were searched. */
  readonly orders: readonly OrdersData[];
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

/** A small scene that was run in its orders. */
export interface OrdersData {
  readonly scene: string;
  /** What was found out, in a sentence. */
  readonly statement: string;
  /** Whether no order of it was left out, and none broke anything. */
  readonly sound: boolean;
  /** In digits: it can be more than a number holds. */
  readonly orders: string;
  readonly classes: number;
  readonly storeOps: number;
  readonly wallMs: number;
}

/** Planted bugs against search strategies. */
export interface MatrixData {
  /** What was left out of it, in a sentence; null: nothing. */
  readonly partial: string | null;
  readonly strategies: readonly StrategyData[];
  readonly rows: readonly MatrixRowData[];
}

/** One strategy over all bugs: half of the bugs, and nine of ten, need at most so much; null: it finds fewer. */
export interface StrategyData {
  readonly name: string;
  readonly found: number;
  readonly tried: number;
  readonly medianRuns: number | null;
  readonly p90Runs: number | null;
  readonly medianSeconds: number | null;
  readonly p90Seconds: number | null;
  /** How many times the runs of this one another strategy needs, over so many bugs that both find. */
  readonly ratios: readonly { readonly against: string; readonly times: number; readonly bugs: number }[];
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
  /** Null: so many seeds did not find it that there is no such figure. */
  readonly medianRuns: number | null;
  readonly p90Runs: number | null;
  readonly medianSeconds: number | null;
  readonly p90Seconds: number | null;
}
