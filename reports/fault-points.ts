/**
 * The table of fault points: how often each kind of fault met each sort of request, and which points never fired.
 *
 * A fault point is a kind of fault at a sort of request. Owns which points there are. Does not count: counts come by
 * name, `put if-match x/*` for requests and `F01-lost-answer at put if-match x/*` for strikes, from one run or many.
 *
 *   O1  Points are made of the kinds that were on and of the requests that were met. A request that no run makes has
 *       no row, so it is not said to be missing.
 *   O2  Which kinds can strike which requests is known for those that are noted on requests today; a kind that is
 *       not known here is told where it struck, and nowhere said to be missing.
 */
import type { FaultPointData, FaultPointsData } from "./campaign-data.ts";

export type PointCounts = { readonly [name: string]: number };

interface Point {
  seen: number;
  readonly strikes: Map<string, number>;
}

type Reach = "any" | "read" | "list" | "write" | "conditional" | "call";
const REACH: { readonly [kind: string]: Reach } = {
  "F01-lost-answer": "any",
  "F02-lost-request": "any",
  "F03-late-write": "write",
  "F04-hidden-retry": "any",
  "F05-conflict-409": "conditional",
  "F06-throttle": "any",
  "F11-list": "list",
  "F12-broken-body": "read",
  "F13-partition": "any",
  "N01-crash": "any",
  "N02-pause": "any",
  "N03-starve": "any",
  "N04-stop": "any",
  "N06-twin": "any",
  "D01-duplicate-request": "call",
  "D02-reorder": "call",
  "H01-lost-call": "call",
  "H02-lost-reply": "call",
};

/** The table, for the kinds that were on. */
export function faultPointsData(counts: PointCounts, kindsOn: readonly string[]): FaultPointsData {
  const points = pointsIn(counts);
  const struck = [...points.values()].flatMap(({ strikes }) => [...strikes.keys()]);
  const kinds = [...new Set([...kindsOn.filter((kind) => kind in REACH), ...struck])].sort();
  const shared = sharedStart([...points.keys()].filter((request) => !request.startsWith("call ")));
  const rows = [...points].map(([request, point]): FaultPointData => {
    const counts = kinds.map((kind) => point.strikes.get(kind) ?? (canStrike(kind, request) ? 0 : null));
    const short = request.replace(` ${shared}`, " ");
    return { request: short.endsWith(" ") ? request : short, seen: point.seen, counts };
  });
  rows.sort((a, b) => (a.request < b.request ? -1 : 1));
  return { kinds, rows };
}

/** How many points there are, and those that never fired, as `F01-lost-answer at put if-match x/*`. */
export function pointsCovered({ kinds, rows }: FaultPointsData) {
  const never: string[] = [];
  let all = 0;
  for (const { request, counts } of rows)
    counts.forEach((count, i) => {
      if (count !== null) all++;
      if (count === 0) never.push(`${kinds[i]} at ${request}`);
    });
  return { all, fired: all - never.length, never };
}

function pointsIn(counts: PointCounts): ReadonlyMap<string, Point> {
  const points = new Map<string, Point>();
  for (const [name, n] of Object.entries(counts)) {
    const [, kind, request = name] = /^([A-Z]\d\d-\S+) at (.*)$/.exec(name) ?? [];
    let point = points.get(request);
    if (point === undefined) {
      point = { seen: 0, strikes: new Map() };
      points.set(request, point);
    }
    if (kind === undefined) point.seen = n;
    else point.strikes.set(kind, n);
  }
  return points;
}

/** The folders that all keys begin with. */
function sharedStart(requests: readonly string[]): string {
  const keys = requests.map((request) => request.slice(request.lastIndexOf(" ") + 1));
  let shared = keys[0] ?? "";
  for (const key of keys) while (!key.startsWith(shared)) shared = shared.slice(0, -1);
  return shared.slice(0, shared.lastIndexOf("/") + 1);
}

/** O2. */
function canStrike(kind: string, request: string): boolean {
  const reach = REACH[kind];
  const isCall = request.startsWith("call ");
  const isWrite = /^(put|delete) /.test(request);
  switch (reach) {
    case "any":
      return !isCall;
    case "read":
      return !isCall && !isWrite;
    case "list":
      return request.startsWith("list ");
    case "write":
      return isWrite;
    case "conditional":
      return isWrite && / if-(match|absent) /.test(request);
    case "call":
      return isCall;
    default:
      return false;
  }
}
