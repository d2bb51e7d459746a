/**
 * The list of what code under test must not call, and what to use instead.
 *
 * One row per object that holds such functions. Only entry points are listed: what they call inside Node is not
 * guarded again.
 *
 * Not covered: functions that were taken off these objects before the trap was installed, `process.env`,
 * `process.memoryUsage`, `Intl` formats of "now", `WeakRef` and `FinalizationRegistry`, real threads.
 */

/** One object and the functions on it that are banned. */
export interface BannedCalls {
  /** How a caller writes the object; empty for globals. */
  readonly prefix: string;
  /** The object itself; null where this Node version has none. */
  readonly holder: () => unknown;
  /** Their names; null: every function of the object that is not a class. */
  readonly names: readonly string[] | null;
  readonly instead: string;
  /** Node forwards to it from other entry points: the caller is then the first frame outside Node. */
  readonly forwarded?: true;
}

const CLOCK = "the Clock port (wallMs, monotonicMs)";
const SLEEP = "the Clock port (sleep)";
const RANDOM = "the Random port (below), or the Ids port (next) for identities";
const IDS = "the Ids port (next)";
const STORE = "the ObjectStore port";
const CALL = "the simulation's call to another process";
const PURE = "a synchronous function: real threads answer at a time that no seed decides";

const TIMERS = ["setTimeout", "setInterval", "setImmediate"];
const RANDOMS = ["randomBytes", "randomInt", "randomUUID", "randomFill", "randomFillSync"];
const KEYS = ["generateKey", "generateKeySync", "generateKeyPair", "generateKeyPairSync"];
const PRIMES = ["generatePrime", "generatePrimeSync"];
const THREADED = ["pbkdf2", "scrypt", "hkdf", "checkPrime"];
const SERVERS = ["connect", "createConnection", "createServer", "createSecureServer"];
const CHILDREN = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"];

function builtin(id: string): () => unknown {
  return () => process.getBuiltinModule(id);
}

/** A member of an object, and of its prototype chain, without knowing its type. */
function member(of: () => unknown, name: string): () => unknown {
  return () => {
    const holder = of();
    if ((typeof holder !== "object" && typeof holder !== "function") || holder === null) return null;
    const value: unknown = Reflect.get(holder, name);
    return value;
  };
}

function globals(): unknown {
  return globalThis;
}

const net = builtin("node:net");
const timersPromises = builtin("node:timers/promises");

export const BANNED_CALLS: readonly BannedCalls[] = [
  { prefix: "", holder: globals, names: TIMERS, instead: SLEEP },
  { prefix: "", holder: globals, names: ["fetch"], instead: CALL },
  { prefix: "Math", holder: () => Math, names: ["random"], instead: RANDOM },
  { prefix: "Date", holder: () => Date, names: ["now"], instead: CLOCK },
  { prefix: "performance", holder: () => performance, names: ["now", "mark", "measure"], instead: CLOCK },
  { prefix: "process.hrtime", holder: () => process.hrtime, names: ["bigint"], instead: CLOCK },
  { prefix: "process", holder: () => process, names: ["hrtime", "uptime"], instead: CLOCK },
  { prefix: "AbortSignal", holder: () => AbortSignal, names: ["timeout"], instead: SLEEP },
  { prefix: "timers", holder: builtin("node:timers"), names: TIMERS, instead: SLEEP },
  { prefix: "timers/promises", holder: timersPromises, names: TIMERS, instead: SLEEP },
  {
    prefix: "scheduler",
    holder: member(timersPromises, "scheduler"),
    names: ["wait", "yield"],
    instead: SLEEP,
  },
  {
    prefix: "crypto",
    holder: () => crypto,
    names: ["getRandomValues", "randomUUID"],
    instead: IDS,
    forwarded: true,
  },
  { prefix: "crypto.subtle", holder: () => Object.getPrototypeOf(crypto.subtle), names: null, instead: PURE },
  { prefix: "crypto", holder: builtin("node:crypto"), names: [...RANDOMS, ...KEYS, ...PRIMES], instead: IDS },
  { prefix: "crypto", holder: builtin("node:crypto"), names: THREADED, instead: PURE },
  { prefix: "fs", holder: builtin("node:fs"), names: null, instead: STORE },
  { prefix: "fs/promises", holder: builtin("node:fs/promises"), names: null, instead: STORE },
  { prefix: "net", holder: net, names: SERVERS, instead: CALL },
  {
    prefix: "net.Socket",
    holder: member(member(net, "Socket"), "prototype"),
    names: ["connect"],
    instead: CALL,
  },
  {
    prefix: "net.Server",
    holder: member(member(net, "Server"), "prototype"),
    names: ["listen"],
    instead: CALL,
  },
  { prefix: "tls", holder: builtin("node:tls"), names: SERVERS, instead: CALL },
  { prefix: "dgram", holder: builtin("node:dgram"), names: ["createSocket"], instead: CALL },
  { prefix: "http", holder: builtin("node:http"), names: ["request", "get", "createServer"], instead: CALL },
  {
    prefix: "https",
    holder: builtin("node:https"),
    names: ["request", "get", "createServer"],
    instead: CALL,
  },
  { prefix: "http2", holder: builtin("node:http2"), names: SERVERS, instead: CALL },
  { prefix: "dns", holder: builtin("node:dns"), names: null, instead: CALL },
  { prefix: "dns/promises", holder: builtin("node:dns/promises"), names: null, instead: CALL },
  { prefix: "child_process", holder: builtin("node:child_process"), names: CHILDREN, instead: CALL },
  { prefix: "worker_threads", holder: builtin("node:worker_threads"), names: ["Worker"], instead: PURE },
];

/** What is said of `new Date()` without arguments and of `Date()`. */
export const DATE_INSTEAD: string = CLOCK;
