/**
 * Every limit of the engine in one place, with its unit. A write that would pass one is refused before it is
 * sent; nothing is ever truncated.
 *
 * Source: seed 000 "Message API" (defaults and limits), contract section 6.
 */
const KIB = 1024;

export const LIMITS = {
  /** Steps of one turn, sequential. */
  stepsPerTurn: 64,
  /** Saved state, a step's output, a turn's result: UTF-8 bytes of their JSON, each. */
  stateBytes: 64 * KIB,
  outputBytes: 64 * KIB,
  resultBytes: 64 * KIB,
  messageBytes: 32 * KIB,
  originBytes: KIB,
  /** A signal's value. */
  signalBytes: 32 * KIB,
  /** Signals of one turn, consumed ones included; replies of children, at most one for each step, apart. */
  signalsPerTurn: 64,
  /** What an operation reports of its progress, and where it could go on. */
  detailsBytes: 8 * KIB,
  resumeBytes: 32 * KIB,
  /** One turn as stored, with its message, steps, result and state. */
  storedTurnBytes: 256 * KIB,
  /** Unfinished messages of one instance, the running one included. */
  pendingMessages: 128,
  /** Instances that one call sends back to be done later. */
  requeuedInstances: 1_000,
  /** Versions that a worker's code can migrate from. */
  migratesFrom: 32,
  /** Characters of an id, type, version, worker or step key. */
  idChars: 128,
  /** Characters of a failure's text that are stored, by code point; the contract's client sends 1,000. */
  errorChars: 4_000,
  /** Instances of one graph, and UTF-8 bytes of their current state. A configuration may set others. */
  graphInstances: 1_000,
  graphBytes: 64 * KIB * KIB,
  /** A blob: UTF-8 bytes of its value's JSON. */
  blobBytes: 8 * KIB * KIB,
  /** Blobs that one instance names beyond their tag. */
  namedBlobs: 256,
  /** Turns on one page of history. */
  historyPage: 50,
  /** Instances on one page of a list. */
  instancePage: 100,
  /** Turns, or instances, on one page of an inbox. */
  inboxPage: 100,
  /** A claim's wait, milliseconds. */
  claimWaitMs: 10_000,
} as const;

export const DEFAULTS = {
  leaseMs: 60_000,
  maxAttempts: 3,
  /** Back-off after a failed attempt: doubles from the first to the cap, milliseconds. */
  backoffFirstMs: 1_000,
  backoffCapMs: 60_000,
  historyPage: 50,
  instancePage: 50,
  inboxPage: 50,
  /** How long an operation may run when its start does not say so, milliseconds. */
  operationMs: 300_000,
} as const;

/** The lease a creator may ask for, milliseconds. */
export const LEASE_MS = { min: 1_000, max: 24 * 3_600_000 } as const;
/** The attempts a creator may ask for. */
export const MAX_ATTEMPTS = { min: 1, max: 100 } as const;
const DAY_MS = 24 * 3_600_000;
/** A durable sleep, milliseconds. */
export const SLEEP_MS = { min: 0, max: 365 * DAY_MS } as const;
/** The time-out of a wait for a signal, milliseconds. */
export const WAIT_MS = { min: 1, max: 365 * DAY_MS } as const;
/** An operation's limits, milliseconds; that on its progress is at most that on its execution. */
export const OPERATION_MS = { min: 100, max: DAY_MS } as const;
/** A wait that counts no attempt ends at least this much later, milliseconds. */
export const RETRY_AHEAD_MS = 1_000;

/** How long instances that could not be done wait before each next try, milliseconds; after the last they are given up. */
export const REQUEUE_DELAYS_MS = [60_000, 4 * 60_000, 16 * 60_000] as const;

/** Message ids with these prefixes are made by the engine. */
export const CONTINUATION_PREFIX = "continue-";
export const REQUEUE_PREFIX = "requeue-";
/** Signal ids and names with this prefix are made by the engine: replies of children. */
export const REPLY_PREFIX = "reply-";
/** How the engine calls the instances that turns start. */
export const CHILD_PREFIX = "child-";
