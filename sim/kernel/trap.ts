/**
 * The ambient trap: while a run is executing, a call past the ports fails the run and names the caller's line.
 *
 *   T1  a banned call both throws and is reported, so code that swallows the error still fails its run;
 *   T2  outside a run every guard passes through to the real function, and the real one's properties are kept;
 *   T3  calls that Node makes of itself pass through: the caller is the first frame outside the guard;
 *   T4  installed once per realm, at the first run or by `installAmbientTrap`, also with several copies of this
 *       module; nothing is ever taken down;
 *   T5  nothing is added to the cost of an event: watching is one field, set for a whole stretch of events.
 *
 * To be sure that code under test has not taken a function off its object before, install the trap first and
 * load the code then; this is also when its source maps are read. What is banned: `trap-calls`.
 */
import { syncBuiltinESMExports } from "node:module";
import { BANNED_CALLS, type BannedCalls, DATE_INSTEAD } from "./trap-calls.ts";
import { AMBIENT, type Report, type Trespass } from "./trap-state.ts";

/** Thrown into the code that made a banned call. */
export class AmbientCallError extends Error {
  override readonly name = "AmbientCallError";

  constructor(trespass: Trespass) {
    super(describeTrespass(trespass));
  }
}

export function describeTrespass(trespass: Trespass): string {
  return `${trespass.call} called at ${trespass.at}: use ${trespass.instead}`;
}

/** Starts watching; answers who was watching before, to be given to `leaveTrap`. */
export function enterTrap(report: Report): Report | null {
  if (!AMBIENT.installed) installAmbientTrap();
  const before = AMBIENT.report;
  AMBIENT.report = report;
  return before;
}

/** Ends watching. */
export function leaveTrap(before: Report | null): void {
  AMBIENT.report = before;
}

/** Puts the guards up; nothing happens the second time. */
export function installAmbientTrap(): void {
  if (AMBIENT.installed) return;
  AMBIENT.installed = true;
  process.setSourceMapsEnabled(true);
  const guards: Guards = new Map();
  for (const banned of BANNED_CALLS) guardAll(banned, guards);
  guardDate();
  syncBuiltinESMExports();
}

/** One guard per real function, so that aliases stay equal; and the guards themselves, not to be guarded again. */
type Guards = Map<unknown, unknown>;

function guardAll(banned: BannedCalls, guards: Guards): void {
  const holder: unknown = banned.holder();
  if ((typeof holder !== "object" && typeof holder !== "function") || holder === null) return;
  for (const key of banned.names ?? Object.getOwnPropertyNames(holder)) {
    // A class or an underscored name is only reached through an entry point that is listed.
    if (banned.names === null && !/^[a-z]/.test(key)) continue;
    if (key === "constructor") continue;
    guardOne(holder, key, banned, guards);
  }
}

function guardOne(holder: object, key: string, banned: BannedCalls, guards: Guards): void {
  const owner = ownerOf(holder, key);
  const descriptor = owner === null ? undefined : Reflect.getOwnPropertyDescriptor(owner, key);
  const real: unknown = descriptor?.value;
  if (owner === null || typeof real !== "function") return;
  const call = banned.prefix === "" ? key : `${banned.prefix}.${key}`;
  const guard = guards.get(real) ?? guardOf(real, { call, ...banned }, () => true);
  guards.set(real, guard);
  guards.set(guard, guard);
  Reflect.defineProperty(owner, key, { ...descriptor, value: guard });
}

/** `Date` is the one global that stays usable: only asking it for the present time is banned. */
function guardDate(): void {
  const real = Date;
  const guard = guardOf(
    real,
    { call: "new Date()", instead: DATE_INSTEAD },
    (made, count) => !made || count === 0,
  );
  Reflect.defineProperty(real.prototype, "constructor", { value: guard, writable: true, configurable: true });
  Reflect.defineProperty(globalThis, "Date", { value: guard, writable: true, configurable: true });
}

/** The object of the prototype chain on which the member stands. */
function ownerOf(holder: object, key: string): object | null {
  for (let at: object | null = holder; at !== null; at = Reflect.getPrototypeOf(at)) {
    if (Object.hasOwn(at, key)) return at;
  }
  return null;
}

/** What a guard says when it is tripped. */
interface Ban {
  readonly call: string;
  readonly instead: string;
  readonly forwarded?: true;
}

type Callable = (...args: unknown[]) => unknown;

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}

/**
 * The function that stands in for `real`. `bans` decides from how it was called: with `new` or not, and with
 * how many arguments.
 */
function guardOf(real: unknown, ban: Ban, bans: (made: boolean, count: number) => boolean): unknown {
  if (!isCallable(real)) return real;
  const guard = function (this: unknown, ...args: unknown[]): unknown {
    const made = new.target !== undefined;
    if (AMBIENT.report !== null && bans(made, args.length)) trip(ban, guard);
    if (new.target === undefined) return Reflect.apply(real, this, args);
    return Reflect.construct(real, args, new.target === guard ? real : new.target);
  };
  for (const key of Reflect.ownKeys(real)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(real, key);
    if (descriptor !== undefined) Reflect.defineProperty(guard, key, descriptor);
  }
  return guard;
}

/** Reports and throws, unless the caller is Node itself (T3). */
function trip(ban: Ban, guard: Callable): void {
  const report = AMBIENT.report;
  if (report === null) return;
  // Reading a stack may make Node read files for source maps: nobody watches meanwhile.
  AMBIENT.report = null;
  const at = callerOf(guard, ban.forwarded === true);
  AMBIENT.report = report;
  if (at === null) return;
  const trespass: Trespass = { call: ban.call, at, instead: ban.instead };
  report(trespass);
  throw new AmbientCallError(trespass);
}

/** `file:line` of the first frame outside the guard; null when it is Node's own code. */
function callerOf(guard: Callable, forwarded: boolean): string | null {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 10;
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, guard);
  const lines = String(holder.stack).split("\n");
  Error.stackTraceLimit = limit;
  for (const line of lines) {
    const place = /^\s+at (?:.*? \()?(.+):(\d+):\d+\)?$/.exec(line);
    if (place === null) continue;
    const file = place[1] ?? "";
    // The event loop calling a banned function that code under test handed to it.
    if (file.startsWith("node:internal/process/task_queues")) break;
    if (file.startsWith("node:") && forwarded) continue;
    if (file.startsWith("node:")) return null;
    return `${file.replace(/^(async )?(file:\/\/)?/, "")}:${place[2]}`;
  }
  return "a callback that the event loop ran";
}
