/**
 * Routes of workers, and the event that anybody may send to a turn.
 *
 * A route of an attempt carries the token that the claim gave; whether it still holds the turn is the engine's to say.
 *
 * The answer of a completion is the contract's turn. It has a field `next` besides, a task or null, when the request asked
 * for the next turn (`CompletedView`): answers are open (W2 of `view-schemas.ts`).
 *
 * What turns used of models (`usage`) is taken and dropped: newer clients send it, and it has no place in a turn.
 *
 * Source: contract section 3. The routes of children, migrations and requeues are this server's own: the contract has
 * none. They are fenced like every write of an attempt.
 */
import { ok } from "../std/result.ts";
import * as body from "./request-schemas.ts";
import { post, type Route } from "./route.ts";
import * as view from "./view-schemas.ts";

const BASE = "/v1/workflows/turns";

const attempts: readonly Route[] = [
  post(`${BASE}/claim`, {
    summary: "The next turn for the worker, or null; waits up to 10 seconds for one",
    input: body.claim,
    answer: view.claimed,
    async serve(request, { engine, gone }) {
      const claimed = await engine.claim(request, gone);
      return claimed.ok ? ok({ task: claimed.value }) : claimed;
    },
  }),
  post(`${BASE}/heartbeat`, {
    summary: "Extends a live lease",
    input: body.heartbeat,
    answer: view.turn,
    serve: (request, { engine }) => engine.heartbeat(request),
  }),
  post(`${BASE}/operation`, {
    summary: "Starts or resumes a step that has limits of its own",
    input: body.operation,
    answer: view.turn,
    serve: (request, { engine }) => engine.operation(request),
  }),
  post(`${BASE}/progress`, {
    summary: "Replaces the details and the checkpoint of the running step",
    input: body.progress,
    answer: view.turn,
    serve: (request, { engine }) => engine.progress(request),
  }),
  post(`${BASE}/checkpoint`, {
    summary: "Saves a step, or a sleep, which releases the turn",
    input: body.checkpoint,
    answer: view.turn,
    serve: (request, { engine }) => engine.checkpoint(request),
  }),
  post(`${BASE}/wait-signal`, {
    summary: "Takes the oldest signal of the name, or releases the turn until one comes",
    input: body.waitSignal,
    answer: view.turn,
    serve: (request, { engine }) => engine.waitSignal(request),
  }),
  post(`${BASE}/complete`, {
    summary:
      "Commits state, result, the inbox's advance and a continuation in one write; may claim the next turn",
    input: body.complete,
    answer: view.completed,
    serve: ({ usage: _, ...request }, { engine }) => engine.complete(request),
  }),
  post(`${BASE}/fail`, {
    summary: "Ends the attempt: another one after a back-off, a wait, or failed for good",
    input: body.fail,
    answer: view.turn,
    serve: ({ usage: _, ...request }, { engine }) => engine.fail(request),
  }),
];

const others: readonly Route[] = [
  post(`${BASE}/signal`, {
    summary: "An event for exactly one turn; needs no token of an attempt",
    input: body.signal,
    answer: view.turn,
    serve: (request, { engine }) => engine.signal(request),
  }),
  post(`${BASE}/start-child`, {
    summary: "Starts another instance and waits for its first turn as for a signal",
    input: body.startChild,
    answer: view.turn,
    serve: (request, { engine }) => engine.startChild(request),
  }),
  post(`${BASE}/migrate`, {
    summary: "Brings the instance to the version that the task names",
    input: body.migrate,
    answer: view.turn,
    serve: (request, { engine }) => engine.migrate(request),
  }),
  post(`${BASE}/requeue`, {
    summary: "Sends back what the turn could not do, to be tried after 1, 4 and 16 minutes",
    input: body.requeue,
    answer: view.requeued,
    serve: (request, { engine }) => engine.requeue(request),
  }),
];

export const TURN_ROUTES: readonly Route[] = [...attempts, ...others];
