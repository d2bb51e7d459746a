/**
 * Planted bugs of the worker, the client and the server: what is sent, again or not at all, and what is answered.
 *
 * The engine's fence keeps most of these from doing harm to what is stored; they cost time, attempts or other people's
 * turns, or tell somebody something untrue. So what sees them looks at what went over HTTP.
 *
 * `caughtBy` names the invariant that speaks of the mistake itself; others may see what comes of it, too. Where a bug is
 * first seen depends on what was lost on the way, so most need a few runs: `seen-in.ts` has a seed for each.
 *
 * Not here: what only a socket can do wrong (`src/adapters`), and bugs of the engine behind the server, which the other
 * lists have.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const WORKER: readonly PlantedBug[] = [
  // The client: which calls are repeated, and how. A call that means the moment in which it is sent (claim, renewal,
  // failure, control) says something else when it comes a second time; every other one is worth less when it is given up.
  {
    name: "claim-repeated",
    catalogue: "B29",
    file: "src/client/http-engine.ts",
    find: '"/turns/claim",\n      request,\n      "once",',
    replace: '"/turns/claim",\n      request,\n      "repeat",',
    about:
      "A claim whose answer was lost is sent again at once: the turn that it may have leased is held by nobody.",
    caughtBy: ["I28-repeats"],
  },
  {
    name: "failure-repeated",
    catalogue: "B75",
    file: "src/client/http-engine.ts",
    find: 'this.#post("/turns/fail", request, "once", signal)',
    replace: 'this.#post("/turns/fail", request, "repeat", signal)',
    about: "A failure without an answer is told again, when the next attempt may have begun.",
    caughtBy: ["I28-repeats"],
  },
  {
    name: "renewal-repeated",
    catalogue: "B38",
    file: "src/client/http-engine.ts",
    find: 'this.#post("/turns/heartbeat", request, "once", signal)',
    replace: 'this.#post("/turns/heartbeat", request, "repeat", signal)',
    about: "A renewal without an answer is sent again, and its lease counted from the first time.",
    caughtBy: ["I28-turn-let-go"],
  },
  {
    name: "control-repeated",
    catalogue: "B73",
    file: "src/client/http-engine.ts",
    find: 'this.#post("/instances/control", request, "once")',
    replace: 'this.#post("/instances/control", request, "repeat")',
    about: "What a person asked for once is asked for again, whatever has happened meanwhile.",
    caughtBy: ["I28-repeats"],
  },
  {
    name: "completion-sent-once",
    catalogue: "B01",
    file: "src/client/http-engine.ts",
    find: 'this.#post("/turns/complete", request, "repeat", signal)',
    replace: 'this.#post("/turns/complete", request, "once", signal)',
    about: "A completion whose answer was lost is given up, and the attempt called failed.",
    caughtBy: ["I28-repeats"],
  },
  {
    name: "repeat-with-another-body",
    catalogue: "B69",
    file: "src/client/exchange.ts",
    find: "const outcome = await http.send(request, timeoutMs, signal);",
    replace:
      'const outcome = await http.send(request, timeoutMs, signal);\n        if (request.body !== null) Object.assign(request, { body: request.body + "\\n" });',
    about: "A repeat is made anew instead of sent as it was.",
    caughtBy: ["I28-repeats"],
  },
  {
    name: "retry-after-ignored",
    catalogue: "B29",
    file: "src/workflow/retries.ts",
    find: "Math.min(again.afterMs ?? jitterMs, RETRY_LIMITS.waitMs)",
    replace: "Math.min(jitterMs, RETRY_LIMITS.waitMs)",
    about: "A client comes back sooner than a busy server has asked it to.",
    caughtBy: ["I28-repeats"],
  },
  // The worker: leases, and turns that are not its own any more. What it sends then is refused by the engine, so none of
  // these shows in what is stored, as long as the engine has no bug of its own.
  {
    name: "lost-turn-failed",
    catalogue: "B45",
    file: "src/workflow/turn-calls.ts",
    find: 'LOST: readonly FailureKind[] = ["fenced", ',
    replace: "LOST: readonly FailureKind[] = [",
    about: "A worker that is told that the turn is another's calls its attempt failed.",
    caughtBy: ["I28-turn-let-go"],
  },
  {
    name: "failed-renewal-ignored",
    catalogue: "B38",
    file: "src/workflow/lease.ts",
    find: 'else this.end(new Error(answer.kind === "over" ?',
    replace: 'else void (new Error(answer.kind === "over" ?',
    about: "A worker goes on after a renewal that failed, as long as it thinks that its lease lasts.",
    caughtBy: ["I28-turn-let-go"],
  },
  {
    name: "renewed-while-letting-go",
    catalogue: "B44",
    file: "src/workflow/turn-calls.ts",
    find: "    this.lease.pause();\n",
    replace: "",
    about:
      "A worker renews a lease while it completes the turn, and hears that it has lost what it has finished.",
    caughtBy: ["I28-turn-let-go"],
  },
  {
    name: "renewed-too-late",
    catalogue: "B35, B37",
    file: "src/workflow/lease.ts",
    find: "Math.max(RENEW_MS.everyAtLeast, Math.floor(this.leaseMs / 3))",
    replace: "Math.max(RENEW_MS.everyAtLeast, Math.floor(this.leaseMs / 1.5))",
    about: "A lease is renewed after two thirds of it, so one lost renewal loses the turn.",
    caughtBy: ["I28-lease-watched"],
  },
  {
    name: "lease-that-has-run-out-used",
    catalogue: "B40, B02",
    file: "src/workflow/lease.ts",
    find: 'if (!this.#over.signal.aborted && !this.isHeld) this.end(new Error("the lease ran out"));',
    replace: "",
    about: "A worker that was frozen for longer than its lease goes on where it was.",
    caughtBy: ["I28-lease-watched"],
  },
  {
    name: "one-turn-too-many-held",
    catalogue: "B66",
    file: "src/workflow/worker.ts",
    find: "Array.from({ length: this.#options.concurrency ?? 1 }",
    replace: "Array.from({ length: 1 + (this.#options.concurrency ?? 1) }",
    about: "A worker holds one turn more than it was told to.",
    caughtBy: ["I28-concurrency"],
  },
  // The worker's end. Whoever stops it waits, and what it holds waits with it: too long costs time, and a turn that is
  // given back as a failure costs an attempt. A release is none: the turn waits until a time that the engine can take for
  // later, and keeps its steps.
  {
    name: "drain-without-end",
    catalogue: "B44",
    file: "src/workflow/worker.ts",
    find: "sleep(this.#options.drainMs ?? DRAIN_MS,",
    replace: "sleep(4 * (this.#options.drainMs ?? DRAIN_MS),",
    about: "A worker keeps its turns for much longer than it was given to drain.",
    caughtBy: ["I28-drain"],
  },
  {
    name: "release-told-as-failure",
    catalogue: "B44",
    file: "src/workflow/turn-run.ts",
    find: "return this.#defer(why, 0);",
    replace: "return this.#fail(new Error(why));",
    about: "A turn that a stopping worker gives back has spent an attempt.",
    caughtBy: ["I28-drain"],
  },
  {
    name: "claims-after-the-stop",
    catalogue: "B41",
    file: "src/workflow/worker.ts",
    find: 'for (const stop of this.#stops) stop.abort(new Error("the worker stops"));',
    replace: "",
    about: "A worker that rests after a failed claim when it is told to stop claims once more.",
    caughtBy: ["I28-drain"],
  },
  // Steps. The author's code runs again in each attempt: which of it is done again, under which id, and what is told of
  // it, is the worker's promise alone.
  {
    name: "changed-key-replayed",
    catalogue: "B60, B57",
    file: "src/workflow/step-order.ts",
    find: "if (saved.key !== asked.key || saved.kind",
    replace: "if (saved.kind",
    about: "What was saved under one key is given to the step of another.",
    caughtBy: ["I28-replay"],
  },
  {
    name: "saved-step-done-again",
    catalogue: "B60, B72",
    file: "src/workflow/turn-context.ts",
    find: "if (saved !== null) return fromJson<T>(saved.output);",
    replace: "",
    about: "A worker does a step again that an earlier attempt has saved.",
    caughtBy: ["I28-replay"],
  },
  {
    name: "effect-id-of-the-workers-attempt",
    catalogue: "B45, B72",
    file: "src/workflow/turn-run.ts",
    find: "effectPrefix: this.#task.effect_prefix,",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code, which the edit puts in.
    replace: "effectPrefix: `${this.#task.effect_prefix}/${this.#task.turn.attempt}`,",
    about: "A worker makes an effect id of its attempt, so a repeat is another effect.",
    caughtBy: ["I06-steps-once"],
  },
  {
    name: "last-progress-dropped",
    catalogue: "B37",
    file: "src/workflow/step-reports.ts",
    find: "    this.#flush();\n    await this.#tail;",
    replace: "    await this.#tail;",
    about: "The last word of a step's progress is dropped when the step returns.",
    caughtBy: ["I28-progress"],
  },
  {
    name: "progress-never-held-back",
    catalogue: "B29",
    file: "src/workflow/step-reports.ts",
    find: "    this.#everyMs = everyMs;",
    replace: "    this.#everyMs = Math.min(0, everyMs);",
    about: "Each word of progress is a request.",
    caughtBy: ["I28-progress"],
  },
  // The server. A client decides by status, type and code whether it sends again: a refusal told as something else makes
  // it give up what it may not, or come back for ever.
  {
    name: "fence-told-as-forbidden",
    catalogue: "B75",
    file: "src/server/failures.ts",
    find: 'fenced: { status: 409, type: "fence_error" },',
    replace: 'fenced: { status: 403, type: "permission_error" },',
    about: "A worker whose turn is another's is told that it may not ask, and calls its attempt failed.",
    caughtBy: ["I28-honest-answers"],
  },
  {
    name: "refusal-told-as-passing",
    catalogue: "B29",
    file: "src/server/failures.ts",
    find: "retryable: status === 429 || status === 503,",
    replace: "retryable: true,",
    about: "A refusal that stays says that a repeat may help.",
    caughtBy: ["I28-honest-answers"],
  },
  {
    name: "open-outcome-told-as-nothing",
    catalogue: "B75, B37",
    file: "src/server/failures.ts",
    find: 'type: "unknown_outcome_error",',
    replace: 'type: "unavailable_error",',
    about: "A server says that nothing was done where nobody knows.",
    caughtBy: ["I28-honest-answers"],
  },
];
