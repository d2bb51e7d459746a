/**
 * What `baton serve` was asked for: from the command line, else from the environment, else by default.
 *
 *   O1  without a token a server listens on a loopback address only: whoever reaches it may do everything.
 *   O2  a value that comes from the environment is checked as one that was typed, and named by its variable. An empty
 *       variable is one that is not set.
 *   O3  each token has rights of its own, so no two are the same.
 *
 * The seed's variables are taken under this program's name: `LBB_WORKFLOW_POLL_MS` is `BATON_WORKFLOW_POLL_MS`.
 */
import { UsageError } from "../terminal/arguments.ts";

export interface ServeOptions {
  readonly store?: string;
  readonly bind?: string;
  readonly tenant?: string;
  readonly graph?: string;
  readonly apiToken?: string;
  readonly consoleToken?: string;
  readonly operatorToken?: string;
  readonly pollMs?: string;
  readonly reconcileMs?: string;
  readonly keepTurns?: string;
  readonly keepMs?: string;
  readonly indexShards?: string;
  readonly keyWritesPerSecond?: string;
  readonly stopMs?: string;
  readonly log?: string;
}

export interface ServeSettings {
  readonly store: string;
  readonly host: string;
  readonly port: number;
  readonly tenant: string;
  readonly graph: string;
  readonly tokens: { readonly api?: string; readonly console?: string; readonly operator?: string };
  readonly pollMs: number;
  readonly reconcileMs: number;
  readonly keepTurns: number;
  readonly keepMs: number;
  readonly indexShards: number;
  /** Null: no limit of the store is known. */
  readonly keyWritesPerSecond: number | null;
  /** How long requests that are being served may take when the server is stopped. */
  readonly stopMs: number;
  readonly log: string;
}

export const DEFAULT_BIND = "127.0.0.1:4321";
export const DEFAULT_STORE = "./baton-data";

type Environment = { readonly [name: string]: string | undefined };
const YEAR_MS = 365 * 24 * 3_600_000;
const LEVELS = ["silent", "error", "warn", "info", "debug"];

/** Where a value may come from. */
interface Source {
  readonly option: keyof ServeOptions;
  readonly flag: string;
  readonly variable: string;
}

function source(option: keyof ServeOptions, flag: string, variable: string): Source {
  return { option, flag: `--${flag}`, variable: `BATON_${variable}` };
}

export function settingsOf(options: ServeOptions, environment: Environment): ServeSettings {
  const found = (from: Source) => given(from, options, environment);
  const whole = (from: Source, byDefault: number, least: number, most: number): number => {
    const { text, name } = found(from);
    return text === undefined ? byDefault : wholeOf(text, name, least, most);
  };
  const graph = found(source("graph", "graph", "GRAPH")).text ?? "main";
  const tenant = found(source("tenant", "tenant", "TENANT")).text ?? "local";
  for (const [what, name] of [["graph", graph] as const, ["tenant", tenant] as const])
    if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name))
      throw new UsageError(`the ${what} must be 1 to 128 of A-Z a-z 0-9 _ . -`);
  const tokens = tokensOf(found);
  const { host, port } = addressOf(found(source("bind", "bind", "BIND")));
  // O1.
  if (Object.keys(tokens).length === 0 && !isLoopback(host))
    throw new UsageError(
      `${host} can be reached from outside, and no token is set: give --api-token or BATON_API_TOKEN, or bind to 127.0.0.1`,
    );
  const log = found(source("log", "log", "LOG")).text ?? "info";
  if (!LEVELS.includes(log)) throw new UsageError(`the log level must be one of ${LEVELS.join(", ")}`);
  return {
    store: found(source("store", "store", "STORE")).text ?? DEFAULT_STORE,
    host,
    port,
    tenant,
    graph,
    tokens,
    pollMs: whole(source("pollMs", "poll-ms", "WORKFLOW_POLL_MS"), 1_000, 10, 60_000),
    reconcileMs: whole(
      source("reconcileMs", "reconcile-ms", "WORKFLOW_RECONCILE_MS"),
      30_000,
      100,
      86_400_000,
    ),
    keepTurns: whole(source("keepTurns", "keep-turns", "WORKFLOW_HISTORY_KEEP_TURNS"), 256, 0, 1_000_000),
    keepMs: whole(source("keepMs", "keep-ms", "WORKFLOW_HISTORY_KEEP_MS"), 86_400_000, 0, 10 * YEAR_MS),
    indexShards: whole(source("indexShards", "index-shards", "WORKFLOW_INDEX_SHARDS"), 1, 1, 16),
    keyWritesPerSecond:
      whole(
        source("keyWritesPerSecond", "key-writes-per-second", "WORKFLOW_KEY_WRITES_PER_SECOND"),
        0,
        0,
        10_000,
      ) || null,
    stopMs: whole(source("stopMs", "stop-ms", "STOP_MS"), 15_000, 0, 600_000),
    log,
  };
}

/** O2. */
function given({ option, flag, variable }: Source, options: ServeOptions, environment: Environment) {
  const typed = options[option];
  if (typed !== undefined) return { text: typed, name: flag };
  return { text: environment[variable] || undefined, name: variable };
}

function wholeOf(text: string, name: string, least: number, most: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}`);
}

function tokensOf(found: (from: Source) => { readonly text: string | undefined; readonly name: string }) {
  const token = (from: Source): string | undefined => {
    const { text, name } = found(from);
    if (text === undefined || /^[!-~]{8,512}$/.test(text)) return text;
    throw new UsageError(`${name} must have 8 to 512 printable characters and no space`);
  };
  const api = token(source("apiToken", "api-token", "API_TOKEN"));
  const person = token(source("consoleToken", "console-token", "CONSOLE_TOKEN"));
  const operator = token(source("operatorToken", "operator-token", "OPERATOR_TOKEN"));
  // O3.
  const all = [api, person, operator].filter((one) => one !== undefined);
  if (new Set(all).size < all.length)
    throw new UsageError("two of the tokens are the same: each has rights of its own");
  return {
    ...(api === undefined ? {} : { api }),
    ...(person === undefined ? {} : { console: person }),
    ...(operator === undefined ? {} : { operator }),
  };
}

/** `host:port`, `[::1]:port`, or a port alone. */
function addressOf({
  text = DEFAULT_BIND,
  name,
}: {
  readonly text: string | undefined;
  readonly name: string;
}) {
  const match = /^(?:(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+)):)?(\d{1,5})$/.exec(text);
  const port = Number(match?.[3] ?? -1);
  if (match === null || port > 65_535)
    throw new UsageError(`${name} must be an address and a port, as in ${DEFAULT_BIND}`);
  return { host: match[1] ?? match[2] ?? "127.0.0.1", port };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
