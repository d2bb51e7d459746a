/**
 * What the exact model refuses in a request by itself: fields of wrong types, out of range or too large.
 *
 * A field that is absent where the contract has a default is not looked at; null stands for absent only where the contract
 * says so, which is everywhere that the generator sends it. The kinds are few: a name, a whole number in a range, a JSON
 * value of at most so many bytes, one of some words.
 *
 *   names      ids, types, versions, keys, workers and signal names: 1 to 128 of `A-Z a-z 0-9 _ - .`
 *   reserved   message ids `continue-` and `requeue-`, signal ids and names `reply-`: the engine makes those
 *   values     state, output and result 64 KiB; message, signal and resume checkpoint 32 KiB; details 8 KiB; a blob 8 MiB
 *   times      lease 1 s to a day, sleep 0 to 365 days, wait 1 ms to 365 days, operation 100 ms to a day
 *   pages      history 1 to 50, lists and inboxes 1 to 100
 *
 * Only one thing is wrong in a request that the generator makes, so the order of these checks is nobody's business.
 *
 * Source: contract sections 1, 2, 3, 6; seed 000 "Message API", "Progress convention", "Message origins".
 */
import type { Json } from "../../../src/std/json.ts";
import { type Refusal, refuse } from "./refusal.ts";

export type Request = { readonly [field: string]: unknown };
type Check = Refusal | null;

const KIB = 1024;
const DAY_MS = 24 * 3_600_000;
const YEAR_MS = 365 * DAY_MS;
const MOST = Number.MAX_SAFE_INTEGER;

/** The first refusal. */
function first(...checks: readonly Check[]): Check {
  for (const check of checks) if (check !== null) return check;
  return null;
}

/** A name; `invalid_name` also for what is no text at all. */
function name(value: unknown): Check {
  const right = typeof value === "string" && /^[A-Za-z0-9_.-]{1,128}$/.test(value);
  return right ? null : refuse("invalid", "invalid_name");
}

/** A whole number from the least to the most. */
function whole(value: unknown, least: number, most: number): Check {
  const right = typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most;
  return right ? null : refuse("invalid", "invalid_number");
}

/** JSON of at most so many UTF-8 bytes; too much of it is no wrong field but a limit. */
function json(value: unknown, limit: number): Check {
  if (!isJson(value)) return refuse("invalid", "invalid_json");
  return Buffer.byteLength(JSON.stringify(value)) > limit ? refuse("over-limit", "value_too_large") : null;
}

function oneOf(value: unknown, choices: readonly string[], code: string): Check {
  return choices.some((choice) => choice === value) ? null : refuse("invalid", code);
}

/** As much of it as the generator makes: no number or object that JSON does not have. */
function isJson(value: unknown): value is Json {
  if (value === undefined || typeof value === "function" || typeof value === "bigint") return false;
  if (typeof value === "number") return Number.isFinite(value);
  return true;
}

/** Left out, or null, which stands for it. */
function absent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** What names the attempt. */
function lease({ workflow_id, turn, token }: Request): Check {
  const right = typeof token === "string" && token !== "" && token.length <= 128;
  return first(name(workflow_id), whole(turn, 1, MOST), right ? null : refuse("invalid", "invalid_token"));
}

/** What an instance is made of; also of a child, whose id the engine makes. */
function creation(request: Request): Check {
  return first(
    name(request.workflow_type),
    name(request.version),
    json(request.state ?? null, 64 * KIB),
    absent(request.lease_ms) ? null : whole(request.lease_ms, 1_000, DAY_MS),
    absent(request.max_attempts) ? null : whole(request.max_attempts, 1, 100),
    absent(request.on_exhausted)
      ? null
      : oneOf(request.on_exhausted, ["block", "skip"], "invalid_on_exhausted"),
  );
}

function reserved(value: unknown, prefixes: readonly string[], code: string): Check {
  const taken = typeof value === "string" && prefixes.some((prefix) => value.startsWith(prefix));
  return taken ? refuse("invalid", code) : null;
}

function step(request: Request): Check {
  return first(lease(request), whole(request.position, 0, MOST), name(request.key));
}

/** A key of which the engine makes a name. */
function keyWithin(key: unknown, prefix: string): Check {
  return first(name(key), name(`${prefix}${String(key)}`));
}

const CHECKS: { readonly [operation: string]: (request: Request) => Check } = {
  createInstance: (request) => first(name(request.id), creation(request)),
  sendMessage: (request) =>
    first(
      name(request.workflow_id),
      name(request.id),
      reserved(request.id, ["continue-", "requeue-"], "reserved_message_id"),
      json(request.message, 32 * KIB),
      request.origin === undefined ? null : origin(request.origin),
    ),
  signal: (request) =>
    first(
      name(request.workflow_id),
      whole(request.turn, 1, MOST),
      name(request.id),
      name(request.name),
      reserved(request.id, ["reply-"], "reserved_signal"),
      reserved(request.name, ["reply-"], "reserved_signal"),
      json(request.value, 32 * KIB),
    ),
  control: (request) =>
    first(
      name(request.workflow_id),
      oneOf(request.action, ["pause", "resume", "retry", "skip", "cancel_turn", "wake"], "invalid_action"),
      absent(request.turn) && oneOf(request.action, ["pause", "resume", "wake"], "") === null
        ? null
        : whole(request.turn, 1, MOST),
    ),
  claim: (request) =>
    first(workflows(request.workflows), name(request.worker), whole(request.wait_ms ?? 0, 0, MOST)),
  heartbeat: lease,
  operation: (request) => {
    const timeoutMs = request.timeout_ms ?? 300_000;
    return first(
      step(request),
      oneOf(request.kind, ["step", "model", "tool"], "invalid_kind"),
      whole(timeoutMs, 100, DAY_MS),
      absent(request.heartbeat_timeout_ms)
        ? null
        : whole(request.heartbeat_timeout_ms, 100, Number(timeoutMs)),
    );
  },
  progress: (request) =>
    first(
      lease(request),
      name(request.key),
      whole(request.sequence, 1, MOST),
      json(request.details, 8 * KIB),
      json(request.checkpoint, 32 * KIB),
      convention(request.details),
    ),
  checkpoint: (request) => {
    const kind = first(step(request), oneOf(request.kind, ["step", "sleep"], "invalid_kind"));
    if (kind !== null) return kind;
    if (request.kind === "step")
      return first(
        absent(request.delay_ms) ? null : refuse("invalid", "step_with_delay"),
        json(request.output, 64 * KIB),
      );
    return first(
      absent(request.output) ? null : refuse("invalid", "sleep_with_output"),
      whole(request.delay_ms, 0, YEAR_MS),
    );
  },
  waitSignal: (request) =>
    first(
      step(request),
      name(request.name),
      reserved(request.name, ["reply-"], "reserved_signal"),
      whole(request.timeout_ms, 1, YEAR_MS),
    ),
  complete: ({ state, result, continuation, steps, next, ...request }) =>
    first(
      lease(request),
      json(state, 64 * KIB),
      json(result ?? null, 64 * KIB),
      isFields(continuation) ? json(continuation.message, 32 * KIB) : null,
      steps === undefined ? null : folded(steps),
      next === undefined ? null : nextClaim(next),
    ),
  fail: failing,
  migrate: (request) =>
    first(lease(request), name(request.from), name(request.to), json(request.state, 64 * KIB)),
  requeue: (request) =>
    first(
      lease(request),
      keyWithin(request.key, `requeue-${String(request.turn)}-`),
      instances(request.instances),
      json(request.message === undefined ? { requeue: request.instances } : request.message, 32 * KIB),
    ),
  startChild: (request) =>
    first(
      step(request),
      keyWithin(request.key, "reply-"),
      creation(request),
      json(request.message, 32 * KIB),
      whole(request.timeout_ms, 1, YEAR_MS),
    ),
  deleteInstance: (request) => name(request.workflow_id),
  putBlob: (request) => first(name(request.workflow_id), json(request.value, 8 * KIB * KIB)),
  getBlob: (request) => name(request.workflow_id),
  getInstance: (request) => name(request.id),
  getTurn: (request) => first(name(request.workflow_id), whole(request.turn, 1, MOST)),
  history: (request) => page(request, whole, 50),
  inbox: (request) =>
    first(
      page(request, whole, 100),
      request.payloads === undefined || typeof request.payloads === "boolean"
        ? null
        : refuse("invalid", "invalid_boolean"),
    ),
  typeInbox: (request) =>
    first(
      name(request.workflow_type),
      absent(request.version) ? null : name(request.version),
      absent(request.after) ? null : name(request.after),
      whole(request.limit ?? 50, 1, 100),
    ),
  listInstances: (request) =>
    first(absent(request.after) ? null : name(request.after), whole(request.limit ?? 50, 1, 100)),
};

/** Why the request is refused whatever is stored; null: it is not. */
export function checkFields(operation: string, request: Request): Check {
  return CHECKS[operation]?.(request) ?? null;
}

function page(request: Request, check: typeof whole, most: number): Check {
  return first(
    name(request.workflow_id),
    check(request.after ?? 0, 0, MOST),
    check(request.limit ?? 50, 1, most),
  );
}

/** Steps that come with a completion: as many as a turn may have, each as by itself. */
function folded(steps: unknown): Check {
  if (!Array.isArray(steps) || steps.length > 64) return refuse("invalid", "invalid_steps");
  return first(
    ...steps.map((step: unknown) => {
      const { position, key, output } = isFields(step) ? step : {};
      return first(whole(position, 0, MOST), name(key), json(output, 64 * KIB));
    }),
  );
}

/** A claim that goes with a completion, which does not wait. */
function nextClaim(next: unknown): Check {
  if (!isFields(next)) return refuse("invalid", "invalid_next");
  return first(workflows(next.workflows), name(next.worker));
}

/** A time to retry at goes with no final failure, and a reason only with a time. */
function failing(request: Request): Check {
  const { error, non_retryable = false, retry_at_ms, reason } = request;
  return first(
    lease(request),
    typeof non_retryable === "boolean" ? null : refuse("invalid", "invalid_boolean"),
    typeof error === "string" ? null : refuse("invalid", "invalid_error"),
    typeof error === "string" && [...error].length > 4_000 ? refuse("over-limit", "error_too_long") : null,
    !absent(retry_at_ms) && non_retryable === true ? refuse("invalid", "retry_of_final") : null,
    !absent(reason) && absent(retry_at_ms) ? refuse("invalid", "reason_without_wait") : null,
    absent(retry_at_ms) ? null : whole(retry_at_ms, 0, MOST),
    absent(reason) ? null : oneOf(reason, ["capacity"], "invalid_reason"),
  );
}

/** What a claim serves, with the versions that its code can migrate from. */
function workflows(value: unknown): Check {
  if (!Array.isArray(value) || value.length === 0) return refuse("invalid", "no_workflows");
  return first(
    ...value.map((one: unknown) => {
      if (!isFields(one)) return refuse("invalid", "invalid_name");
      const { workflow_type, version, migrates_from } = one;
      const named = first(name(workflow_type), name(version));
      if (named !== null || migrates_from === undefined) return named;
      const right = Array.isArray(migrates_from) && migrates_from.length <= 32;
      return right ? first(...migrates_from.map(name)) : refuse("invalid", "invalid_migrates_from");
    }),
  );
}

/** What a turn could not do, and why. */
function instances(value: unknown): Check {
  const right =
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= 1_000 &&
    value.every(
      (one: unknown) => isFields(one) && typeof one.instance === "string" && typeof one.error === "string",
    );
  return right ? null : refuse("invalid", "invalid_instances");
}

/** Seed 000 "Progress convention": details with a phase follow it. */
function convention(details: unknown): Check {
  if (!isFields(details) || !("phase" in details)) return null;
  const { phase, done, total, unit } = details;
  const right =
    typeof phase === "string" &&
    phase.length >= 1 &&
    [...phase].length <= 80 &&
    whole(done, 0, MOST) === null &&
    (absent(total) || whole(total, 0, MOST) === null) &&
    (absent(unit) || (typeof unit === "string" && /^[A-Za-z0-9 _-]{1,32}$/.test(unit)));
  return right ? null : refuse("invalid", "invalid_progress");
}

const ORIGIN_KINDS =
  "app console manual watch backfill commit schema_changed requeue migration schedule event signal";

/** Seed 000 "Message origins". */
function origin(value: unknown): Check {
  const wrong = refuse("invalid", "invalid_origin");
  if (!isFields(value) || !ORIGIN_KINDS.split(" ").some((kind) => kind === value.kind)) return wrong;
  for (const [field, inner] of Object.entries(value)) {
    if (["trigger", "reason", "event"].includes(field) ? name(inner) !== null : false) return wrong;
    if (["from_seq", "to_seq", "target_seq", "attempt"].includes(field) && !Number.isSafeInteger(inner))
      return wrong;
    if (["fields", "requests"].includes(field) && !(Array.isArray(inner) && inner.length <= 32)) return wrong;
    if (field === "actor" && !(typeof inner === "string" && [...inner].length <= 128)) return wrong;
    if (field === "note" && !(typeof inner === "string" && [...inner].length <= 280)) return wrong;
    if (!ORIGIN_FIELDS.includes(field)) return wrong;
  }
  return json(value, KIB);
}

const ORIGIN_FIELDS =
  "kind trigger reason event from_seq to_seq target_seq attempt fields requests actor note".split(" ");

export function isFields(value: unknown): value is Request {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
