/**
 * Risk: a client written for the contract meets another status, code or header than it was written for, or a caller
 * comes in without a token.
 */
import { describe, expect, it, test } from "vitest";
import { ScriptedStore } from "../adapters/scripted-store.ts";
import { Bench, bodyOf, CLAIM, lease, said, TOKENS, W, withInstance } from "./bench.contract.ts";

const NEW = {
  id: "i",
  workflow_type: "counter",
  version: "v1",
  state: { n: 0 },
  lease_ms: 60_000,
  max_attempts: 3,
};

describe("a request that is right", () => {
  it("goes the whole way of a turn", async () => {
    const bench = await Bench.open();
    const made = await bench.post(`${W}/instances?graph=main&stack=s&branch=b`, NEW);
    expect([made.status, bodyOf(made).status]).toEqual([200, "idle"]);
    const sent = bodyOf(
      await bench.post(`${W}/instances/message`, { workflow_id: "i", id: "m", message: { add: 1 } }),
    );
    expect([sent.number, sent.status]).toEqual([1, "queued"]);
    const { task } = bodyOf(await bench.post(`${W}/turns/claim`, CLAIM));
    expect(task).toMatchObject({
      workflow_type: "counter",
      state: { n: 0 },
      lease_ms: 60_000,
      migration: null,
    });
    const held = { workflow_id: "i", turn: 1, token: task.token };
    const step = { ...held, position: 0, key: "add" };
    const started = bodyOf(
      await bench.post(`${W}/turns/operation`, { ...step, kind: "step", timeout_ms: 300_000 }),
    );
    expect(started.operation).toMatchObject({ key: "add", checkpoint: null });
    const report = { ...held, key: "add", sequence: 1, details: { phase: "adding", done: 1 }, checkpoint: 7 };
    expect(bodyOf(await bench.post(`${W}/turns/progress`, report)).progress).toMatchObject({
      phase: "adding",
    });
    expect(said(await bench.post(`${W}/turns/heartbeat`, held))).toEqual([200]);
    const saved = bodyOf(await bench.post(`${W}/turns/checkpoint`, { ...step, kind: "step", output: 1 }));
    expect(saved.steps).toHaveLength(1);
    const end = { ...held, state: { n: 1 }, result: 1, continuation: null, usage: { calls: 1 } };
    expect(bodyOf(await bench.post(`${W}/turns/complete`, end)).status).toBe("completed");
    const seen = bodyOf(await bench.get(`${W}/instances/get?id=i`));
    expect(seen).toMatchObject({ status: "idle", state: { n: 1 }, completed_turns: 1, pending_messages: 0 });
    expect(bodyOf(await bench.get(`${W}/instances/history?id=i&limit=50`)).turns).toHaveLength(1);
    expect(bodyOf(await bench.get(`${W}/instances/turn?id=i&turn=1`)).result).toBe(1);
    expect(bodyOf(await bench.post(`${W}/turns/claim`, CLAIM))).toEqual({ task: null });
  });

  it("has its id and the interface's version on the answer, whatever that says", async () => {
    const bench = await Bench.open();
    for (const target of [`${W}/instances`, `${W}/instances/get?id=none`, "/no", "/version", "/healthz"]) {
      const { headers } = await bench.get(target);
      expect(headers["lbb-version"]).toBe("2026-07-23");
      expect(headers["x-request-id"]).toMatch(/^req-\d+$/);
    }
    const gone = await bench.get(`${W}/instances/get?id=none`);
    expect(bodyOf(gone).error.request_id).toBe(gone.headers["x-request-id"]);
  });

  it("reads and changes the instance by every other route", async () => {
    const bench = await withInstance("m", "n");
    const inbox = bodyOf(await bench.get(`${W}/instances/inbox?id=i&payloads=true&limit=1`));
    expect(inbox).toMatchObject({
      pending_messages: 2,
      next_after: 1,
      entries: [{ message_id: "m", message: 1 }],
    });
    const types = bodyOf(await bench.get(`${W}/inbox?workflow_type=counter&version=v1`));
    expect(types).toMatchObject({ identities: 1, with_messages: 1, instances: [{ workflow_id: "i" }] });
    const event = { workflow_id: "i", turn: 1, id: "e", name: "approval", value: null };
    expect(bodyOf(await bench.post(`${W}/turns/signal`, event)).signals).toHaveLength(1);
    const blob = bodyOf(await bench.post(`${W}/blobs`, { workflow_id: "i", value: { large: true } }));
    const got = await bench.get(`${W}/blobs/get?id=i&reference=${encodeURIComponent(blob.reference)}`);
    expect(bodyOf(got).value).toEqual({ large: true });
    const held = await lease(bench);
    const back = { ...held, key: "again", instances: [{ instance: "x", error: "busy" }] };
    expect(bodyOf(await bench.post(`${W}/turns/requeue`, back))).toMatchObject({ attempt: 1 });
    const child = {
      ...held,
      position: 0,
      key: "c",
      workflow_type: "other",
      version: "v1",
      message: 1,
      timeout_ms: 1_000,
    };
    expect(bodyOf(await bench.post(`${W}/turns/start-child`, child))).toMatchObject({ status: "waiting" });
    const paused = await bench.post(`${W}/instances/control`, {
      workflow_id: "i",
      action: "pause",
      turn: null,
    });
    expect(bodyOf(paused).status).toBe("paused");
    expect(bodyOf(await bench.post(`${W}/instances/delete`, { workflow_id: "i" }))).toEqual({
      deleted: true,
    });
    expect(bodyOf(await bench.post(`${W}/instances/delete`, { workflow_id: "i" }))).toEqual({
      deleted: false,
    });
  });

  it("migrates an instance to the version that its task names", async () => {
    const bench = await withInstance("m");
    const workflows = [{ workflow_type: "counter", version: "v2", migrates_from: ["v1"] }];
    const { task } = bodyOf(await bench.post(`${W}/turns/claim`, { worker: "w", workflows }));
    expect(task.migration).toEqual({ from: "v1", to: "v2" });
    const held = { workflow_id: "i", turn: 1, token: task.token };
    expect(said(await bench.post(`${W}/turns/complete`, { ...held, state: null }))).toEqual([
      409,
      "migration_pending",
    ]);
    expect(said(await bench.post(`${W}/turns/migrate`, { ...held, from: "v1", to: "v2", state: 1 }))).toEqual(
      [200],
    );
    expect(said(await bench.post(`${W}/turns/complete`, { ...held, state: null }))).toEqual([200]);
  });
});

describe("graphs", () => {
  it("are apart, must be created, and begin again empty", async () => {
    const bench = await Bench.open();
    expect(said(await bench.post(`${W}/instances?graph=b`, NEW))).toEqual([404, "graph_not_found", "graph"]);
    expect(bodyOf(await bench.post("/v1/graph/create?graph=b", undefined))).toEqual({
      epoch: 1,
      created: true,
    });
    expect(bodyOf(await bench.post("/v1/graph/create?graph=b", {}))).toEqual({ epoch: 1, created: false });
    expect(said(await bench.post(`${W}/instances?graph=b`, NEW))).toEqual([200]);
    expect(said(await bench.get(`${W}/instances/get?id=i`))).toEqual([404, "instance_not_found", "id"]);
    expect(bodyOf(await bench.post("/v1/graph/delete?graph=b", {}))).toEqual({ deleted: true });
    expect(said(await bench.get(`${W}/instances?graph=b`))).toEqual([404, "graph_not_found", "graph"]);
    expect(bodyOf(await bench.post("/v1/graph/create?graph=b", {}))).toEqual({ epoch: 2, created: true });
    expect(bodyOf(await bench.get(`${W}/instances?graph=b`))).toEqual({ instances: [], next_after: null });
    await bench.server.sweep();
  });
});

describe("tokens", () => {
  it.each([
    [null, 401],
    ["", 401],
    ["wrong", 401],
    [TOKENS.api, 200],
    [TOKENS.console, 200],
    [TOKENS.operator, 200],
    [`${TOKENS.api}x`, 401],
  ])("let in who has one: %s is answered %i", async (token, status) => {
    const bench = await withInstance();
    const answers = [await bench.get(`${W}/instances`, { token }), await bench.get("/metrics", { token })];
    expect(answers[0]?.status).toBe(status);
    expect(answers[1]?.status).toBe(status === 200 ? 404 : 401);
    if (status === 401) expect(bodyOf(await bench.get("/no", { token })).error.code).toBe("unauthorized");
  });

  it("say what a caller may do with reserved types", async () => {
    const bench = await Bench.open();
    const own = { id: "model-checks", workflow_type: "lbb.model-checks", version: "v1" };
    const create = (token: string, fields = {}) =>
      bench.post(`${W}/instances`, { ...own, ...fields }, { token });
    expect(said(await create(TOKENS.api))).toEqual([403, "reserved_workflow_id", "id"]);
    expect(said(await create(TOKENS.api, { id: "x" }))).toEqual([
      403,
      "reserved_workflow_type",
      "workflow_type",
    ]);
    expect(said(await create(TOKENS.console, { id: "x" }))).toEqual([
      403,
      "reserved_workflow_type",
      "workflow_type",
    ]);
    expect(said(await create(TOKENS.operator))).toEqual([200]);
    const message = { workflow_id: "model-checks", id: "m", message: 1 };
    const send = (token: string) => bench.post(`${W}/instances/message`, message, { token });
    expect(said(await send(TOKENS.api))).toEqual([403, "reserved_workflow_type", "workflow_id"]);
    expect(said(await send(TOKENS.console))).toEqual([200]);
    expect(said(await bench.get(`${W}/instances/get?id=model-checks`))).toEqual([200]);
  });

  it("are not asked for where none is set, nor by the paths that say nothing", async () => {
    const open = await Bench.open({ tokens: {} });
    expect((await open.get(`${W}/instances`, { token: null })).status).toBe(200);
    const bench = await Bench.open();
    for (const path of ["/version", "/healthz", "/readyz", "/openapi.json"])
      expect((await bench.get(path, { token: null })).status).toBe(200);
  });
});

test("paths that are not served say so", async () => {
  const bench = await Bench.open();
  expect(said(await bench.get("/v1/nothing"))).toEqual([404, "route_not_found"]);
  expect(said(await bench.get(`${W}/instances/`))).toEqual([404, "route_not_found"]);
  expect(said(await bench.get(`${W}/instances/../instances`))).toEqual([404, "route_not_found"]);
  for (const path of ["", "/run", "/claim", "/status", "/archive"])
    expect(said(await bench.get(W + path))).toEqual([404, "activity_graphs_not_served"]);
  const wrong = await bench.get(`${W}/turns/claim`);
  expect([...said(wrong), wrong.headers.allow]).toEqual([405, "method_not_allowed", "POST"]);
  expect(said(await bench.post("/healthz", {}))).toEqual([405, "method_not_allowed"]);
});

describe("the store", () => {
  it("that does not answer is a 503 that says when to come again, and nothing of its keys", async () => {
    const store = new ScriptedStore();
    const told: string[] = [];
    const trace = {
      emit: (event: string, fields: object) => void told.push(`${event} ${JSON.stringify(fields)}`),
    };
    const bench = await Bench.open({ store, trace });
    await bench.post(`${W}/instances`, NEW);
    store.get = async () => ({ kind: "unknown-outcome", detail: "down" });
    const answer = await bench.get(`${W}/instances/get?id=i`);
    expect([...said(answer), answer.headers["retry-after"]]).toEqual([503, "store_unavailable", "1"]);
    expect(bodyOf(answer).error).toMatchObject({
      type: "unavailable_error",
      retryable: true,
      retry_after_seconds: 1,
    });
    expect(answer.body).not.toContain("tenants/");
    expect(told.some((line) => line.startsWith("request-failed") && line.includes("tenants/"))).toBe(true);
    store.get = async () => ({ kind: "ok", body: "not an object", etag: "e" });
    const corrupt = await bench.get(`${W}/instances/get?id=i`);
    expect(said(corrupt)).toEqual([500, "object_corrupt"]);
    expect(bodyOf(corrupt).error.retryable).toBe(false);
    expect(corrupt.body).not.toContain("tenants/");
  });

  it("makes the server ready or not", async () => {
    let answers = false;
    const bench = new Bench({ ready: async () => answers });
    expect(said(await bench.get("/readyz"))).toEqual([503, "not_ready"]);
    answers = true;
    expect(said(await bench.get("/readyz"))).toEqual([200]);
    bench.server.drain();
    expect(said(await bench.get("/readyz"))).toEqual([503, "not_ready"]);
    expect(said(await bench.get("/healthz"))).toEqual([200]);
  });
});

test("a bug is answered with the envelope and told to the log alone", async () => {
  const told: string[] = [];
  const trace = {
    emit: (event: string, fields: object) => void told.push(`${event} ${JSON.stringify(fields)}`),
  };
  const bench = new Bench({ trace, ready: () => Promise.reject(new Error("secret")) });
  const answer = await bench.get("/readyz");
  expect(said(answer)).toEqual([500, "internal_error"]);
  expect(answer.body).not.toContain("secret");
  expect(told.find((line) => line.startsWith("request-crashed"))).toContain("secret");
});
