/**
 * Routes about instances: create, look, send, control, delete, inboxes, history, blobs.
 *
 * Numbers of a query are read strictly: decimal digits and nothing else. Whether they are in their range is the engine's
 * to say, as for the numbers of a body.
 *
 * A parameter of a query is called as in the contract (`id`), the field of the engine's request as everywhere
 * (`workflow_id`); that is all that is translated here.
 *
 * Source: contract section 2 and 7. The routes of blobs are this server's own: the contract has none, and what it says of
 * them (a value of at most 8 MiB, under a key that a step may keep) is the engine's.
 */
import { z } from "zod";
import * as body from "./request-schemas.ts";
import { name } from "./request-schemas.ts";
import { BLOB_BODY_BYTES, get, post, type Route } from "./route.ts";
import * as view from "./view-schemas.ts";

const BASE = "/v1/workflows";

const digits = z
  .string()
  .regex(/^\d{1,16}$/, "must be a whole number in decimal digits")
  .transform(Number);
const flag = z.enum(["true", "false"]).transform((text) => text === "true");
const limit = digits.exactOptional();
const afterId = name.exactOptional();
const afterTurn = digits.exactOptional();

const listing: readonly Route[] = [
  get(`${BASE}/instances`, {
    summary: "Instances in the order of their ids; limit 1 to 100, by default 50",
    input: z.strictObject({ after: afterId, limit }),
    answer: view.instances,
    serve: (query, { engine }) => engine.listInstances(query),
  }),
  get(`${BASE}/instances/get`, {
    summary: "One instance with its saved state and its current turn",
    input: z.strictObject({ id: name }),
    answer: view.instance,
    serve: ({ id }, { engine }) => engine.getInstance(id),
  }),
  get(`${BASE}/instances/history`, {
    summary: "Finished turns from the oldest kept one on; limit 1 to 50",
    input: z.strictObject({ id: name, after: afterTurn, limit }),
    answer: view.history,
    serve: ({ id, ...page }, { engine }) => engine.history({ workflow_id: id, ...page }),
  }),
  get(`${BASE}/instances/turn`, {
    summary: "One turn; 404 once it was removed",
    input: z.strictObject({ id: name, turn: digits }),
    answer: view.turn,
    serve: ({ id, turn }, { engine }) => engine.getTurn(id, turn),
  }),
  get(`${BASE}/instances/inbox`, {
    summary: "The unfinished turns of one instance, oldest first; limit 1 to 100, by default 50",
    input: z.strictObject({ id: name, after: afterTurn, limit, payloads: flag.exactOptional() }),
    answer: view.inbox,
    serve: ({ id, ...page }, { engine }) => engine.inbox({ workflow_id: id, ...page }),
  }),
  get(`${BASE}/inbox`, {
    summary: "The instances of a type that have unfinished turns; limit 1 to 100, by default 50",
    input: z.strictObject({ workflow_type: name, version: name.exactOptional(), after: afterId, limit }),
    answer: view.typeInbox,
    serve: (query, { engine }) => engine.typeInbox(query),
  }),
];

const changing: readonly Route[] = [
  post(`${BASE}/instances`, {
    summary: "Creates an instance; an identical repeat is safe",
    input: body.create,
    answer: view.instance,
    serve: (request, { engine }) => engine.createInstance(request),
  }),
  post(`${BASE}/instances/message`, {
    summary: "Sends a message: one turn for each id",
    input: body.message,
    answer: view.turn,
    serve: (request, { engine }) => engine.sendMessage(request),
  }),
  post(`${BASE}/instances/control`, {
    summary: "Pause, resume, wake; retry, skip or cancel one exact turn",
    input: body.control,
    answer: view.instance,
    serve: (request, { engine }) => engine.control(request),
  }),
  post(`${BASE}/instances/delete`, {
    summary: "Deletes the instance with its turns, history and blobs",
    input: body.remove,
    answer: view.deleted,
    serve: (request, { engine }) => engine.deleteInstance(request),
  }),
  post(`${BASE}/blobs`, {
    summary: "Keeps a value of at most 8 MiB under a reference that a step, state or message may hold",
    input: body.putBlob,
    answer: view.blobReference,
    bodyBytes: BLOB_BODY_BYTES,
    serve: (request, { engine }) => engine.putBlob(request),
  }),
  get(`${BASE}/blobs/get`, {
    summary: "The value of a blob of the instance",
    input: z.strictObject({ id: name, reference: z.string() }),
    answer: view.blob,
    serve: ({ id, reference }, { engine }) => engine.getBlob(id, reference),
  }),
];

export const INSTANCE_ROUTES: readonly Route[] = [...listing, ...changing];
