/**
 * The points that the contract leaves open, as this server decides them (README.md "Decisions"). Risk: a client relies on
 * one of them and it changes.
 */
import { describe, expect, it, test } from "vitest";
import { ManualClock } from "../adapters/manual-ports.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import { Bench, bodyOf, CLAIM, lease, said, W, withInstance } from "./bench.contract.ts";

const NEW = { id: "i", workflow_type: "counter", version: "v1" };
const kib = (n: number) => "x".repeat(n * 1_024);

/** A body that is refused, and how. */
const BODIES: [string, object, unknown[]][] = [
  ["instances", { ...NEW, version: "v2" }, [409, "instance_conflict", "id"]],
  ["instances", { ...NEW, id: "a/b" }, [400, "invalid_name", "id"]],
  ["instances", { ...NEW, extra: 1 }, [400, "unknown_field", "extra"]],
  ["instances", { id: "x", version: "v1" }, [400, "missing_field", "workflow_type"]],
  ["instances", { ...NEW, state: { n: { __proto__: null } }, version: 1 }, [400, "invalid_field", "version"]],
  ["instances", { ...NEW, lease_ms: null }, [400, "invalid_field", "lease_ms"]],
  ["instances/message", { workflow_id: "none", id: "m", message: 1 }, [404, "instance_not_found", "id"]],
  ["instances/message", { workflow_id: "i", id: "m", message: 2 }, [409, "message_conflict", "id"]],
  [
    "instances/message",
    { workflow_id: "i", id: "continue-x", message: 2 },
    [400, "reserved_message_id", "id"],
  ],
  [
    "instances/message",
    { workflow_id: "i", id: "n", message: 1, origin: { kind: "app", x: 1 } },
    [400, "unknown_field", "origin.x"],
  ],
  [
    "instances/message",
    { workflow_id: "i", id: "n", message: 1, origin: { kind: "continuation" } },
    [400, "invalid_field", "origin.kind"],
  ],
  ["instances/control", { workflow_id: "i", action: "stop" }, [400, "invalid_field", "action"]],
  ["instances/control", { workflow_id: "i", action: "retry" }, [400, "invalid_number", "turn"]],
  ["instances/control", { workflow_id: "i", action: "retry", turn: 1 }, [409, "turn_not_in_state", "turn"]],
  [
    "turns/signal",
    { workflow_id: "i", turn: 9, id: "e", name: "n", value: 1 },
    [404, "turn_not_found", "turn"],
  ],
  ["turns/heartbeat", { workflow_id: "i", turn: 1, token: "wrong" }, [409, "lease_lost"]],
  ["turns/claim", { ...CLAIM, wait_ms: -1 }, [400, "invalid_number", "wait_ms"]],
  [
    "turns/claim",
    { ...CLAIM, workflows: [{ ...CLAIM.workflows[0], x: 1 }] },
    [400, "unknown_field", "workflows.0.x"],
  ],
  ["blobs", { workflow_id: "none", value: 1 }, [404, "instance_not_found", "id"]],
];

/** The same for a query. */
const QUERIES: [string, unknown[]][] = [
  ["instances/get", [400, "missing_parameter", "id"]],
  ["instances/get?id=none", [404, "instance_not_found", "id"]],
  ["instances/get?id=i&id=i", [400, "invalid_query"]],
  ["instances/get?id=%zz", [400, "invalid_query"]],
  ["instances/get?id=i&turn=1", [400, "unknown_parameter", "turn"]],
  ["instances/get?id=i&graph=a%2Fb", [400, "invalid_name", "graph"]],
  ["instances/turn?id=i&turn=7", [404, "turn_not_found", "turn"]],
  ["instances/turn?id=i&turn=1.0", [400, "invalid_parameter", "turn"]],
  ["instances/turn?id=i&turn=-1", [400, "invalid_parameter", "turn"]],
  ["instances/turn?id=i&turn=%201", [400, "invalid_parameter", "turn"]],
  ["instances/turn?id=i&turn=9999999999999999", [400, "invalid_number", "turn"]],
  ["instances/history?id=i&limit=51", [400, "invalid_number", "limit"]],
  ["instances/history?id=i&limit=0", [400, "invalid_number", "limit"]],
  ["instances?limit=101", [400, "invalid_number", "limit"]],
  ["instances/inbox?id=i&payloads=yes", [400, "invalid_parameter", "payloads"]],
  ["inbox?version=v1", [400, "missing_parameter", "workflow_type"]],
  ["blobs/get?id=i&reference=x", [400, "invalid_reference", "reference"]],
];

describe("ordinary refusals", () => {
  it.each(BODIES)("%s %j is %j", async (path, body, expected) => {
    const bench = await withInstance("m");
    const before = await bench.objects();
    expect(said(await bench.post(`${W}/${path}`, body as never))).toEqual(expected);
    expect(await bench.objects()).toEqual(before);
  });

  it.each(QUERIES)("GET %s is %j", async (path, expected) => {
    const bench = await withInstance("m");
    expect(said(await bench.get(`${W}/${path}`))).toEqual(expected);
  });

  it.each([
    ["{", [400, "invalid_json"]],
    ["[]", [400, "invalid_field"]],
    ["", [400, "missing_body"]],
    ['{"id":"x","workflow_type":"t","version":"v","state":9007199254740993}', [400, "inexact_number"]],
    ['{"id":"x","workflow_type":"t","version":"v","state":1e999}', [400, "invalid_json", "state"]],
    ['{"id":"x","workflow_type":"t","version":"v","__proto__":{}}', [400, "unknown_field", "__proto__"]],
    [
      `{"id":"x","workflow_type":"t","version":"v","state":${"[".repeat(300)}${"]".repeat(300)}}`,
      [400, "invalid_json", "state"],
    ],
  ])("the body %s is %j", async (raw, expected) => {
    const bench = await Bench.open();
    expect(said(await bench.post(`${W}/instances`, undefined, { raw }))).toEqual(expected);
  });
});

describe("limits", () => {
  it("that no repeat can help are 400", async () => {
    const bench = await withInstance("m");
    const large = { workflow_id: "i", id: "n", message: kib(33) };
    const refused = await bench.post(`${W}/instances/message`, large);
    expect(said(refused)).toEqual([400, "value_too_large", "message"]);
    expect(bodyOf(refused).error).toMatchObject({ type: "limit_error", retryable: false });
    const held = await lease(bench);
    expect(said(await bench.post(`${W}/turns/complete`, { ...held, state: kib(65) }))).toEqual([
      400,
      "value_too_large",
      "state",
    ]);
    expect(said(await bench.post(`${W}/turns/fail`, { ...held, error: kib(5) }))).toEqual([
      400,
      "error_too_long",
      "error",
    ]);
  });

  it("whose room comes by itself are 429, and say when to come again", async () => {
    const bench = await withInstance(...Array.from({ length: LIMITS.pendingMessages }, (_, at) => `m${at}`));
    const refused = await bench.post(`${W}/instances/message`, { workflow_id: "i", id: "more", message: 1 });
    expect([...said(refused), refused.headers["retry-after"]]).toEqual([429, "inbox_full", "1"]);
    expect(bodyOf(refused).error).toMatchObject({
      type: "limit_error",
      retryable: true,
      retry_after_seconds: 1,
    });
  });

  it("of a lease and of attempts are those of the README", async () => {
    const bench = await Bench.open();
    const create = (fields: object) => bench.post(`${W}/instances`, { ...NEW, ...fields } as never);
    for (const lease_ms of [999, 86_400_001, 1.5])
      expect(said(await create({ lease_ms }))).toEqual([400, "invalid_number", "lease_ms"]);
    for (const max_attempts of [0, 101])
      expect(said(await create({ max_attempts }))).toEqual([400, "invalid_number", "max_attempts"]);
    expect(said(await create({ lease_ms: 1_000, max_attempts: 100 }))).toEqual([200]);
  });

  it("of a body depend on the route", async () => {
    const { server } = await Bench.open();
    expect(server.bodyLimit(`${W}/blobs?graph=main`)).toBe(8 * 1_024 * 1_024 + 4_096);
    for (const target of [`${W}/instances`, "/none", `${W}/blobs/get`])
      expect(server.bodyLimit(target)).toBe(1_048_576);
  });
});

describe("turns", () => {
  it("that a sleep or a wait released answer its repeat as they stand, to the same token", async () => {
    const bench = await withInstance("m");
    const held = await lease(bench);
    const wait = { ...held, position: 0, key: "w", name: "n", timeout_ms: 1_000 };
    const first = await bench.post(`${W}/turns/wait-signal`, wait);
    expect(bodyOf(first)).toMatchObject({ status: "waiting", steps: [{ key: "w", output: null }] });
    expect(bodyOf(await bench.post(`${W}/turns/wait-signal`, wait))).toEqual(bodyOf(first));
    const other = await withInstance("m");
    const sleep = {
      ...(await lease(other)),
      position: 0,
      key: "s",
      kind: "sleep",
      delay_ms: 1_000,
      output: null,
    };
    const slept = await other.post(`${W}/turns/checkpoint`, sleep);
    expect(bodyOf(slept).status).toBe("waiting");
    expect(bodyOf(await other.post(`${W}/turns/checkpoint`, sleep))).toEqual(bodyOf(slept));
    expect(
      said(await other.post(`${W}/turns/heartbeat`, { ...sleep, position: undefined } as never))[0],
    ).toBe(400);
  });

  it("that are skipped stay failed and are marked", async () => {
    const bench = await withInstance("m");
    await bench.post(`${W}/turns/fail`, { ...(await lease(bench)), error: "e", non_retryable: true });
    await bench.post(`${W}/instances/control`, { workflow_id: "i", action: "skip", turn: 1 });
    expect(bodyOf(await bench.get(`${W}/instances/turn?id=i&turn=1`))).toMatchObject({
      status: "failed",
      skipped: true,
    });
  });

  it("that failed or are paused take signals, and their status stays", async () => {
    const bench = await withInstance("m");
    await bench.post(`${W}/turns/fail`, { ...(await lease(bench)), error: "e", non_retryable: true });
    const event = { workflow_id: "i", turn: 1, id: "e", name: "n", value: 1 };
    expect(bodyOf(await bench.post(`${W}/turns/signal`, event))).toMatchObject({
      status: "failed",
      signals: [{ id: "e" }],
    });
    await bench.post(`${W}/instances/control`, { workflow_id: "i", action: "pause" });
    expect(said(await bench.post(`${W}/turns/signal`, { ...event, id: "f" }))).toEqual([200]);
    expect(bodyOf(await bench.get(`${W}/instances/get?id=i`)).status).toBe("paused");
  });

  it("are failed once; a failure that comes after the lease is 409, its exact repeat is answered", async () => {
    const clock = new ManualClock(1_000_000);
    const bench = await Bench.open({ clock });
    await bench.post(`${W}/instances`, { ...NEW, max_attempts: 1 });
    await bench.post(`${W}/instances/message`, { workflow_id: "i", id: "m", message: 1 });
    const end = { ...(await lease(bench)), error: "e" };
    expect(bodyOf(await bench.post(`${W}/turns/fail`, end)).status).toBe("failed");
    expect(said(await bench.post(`${W}/turns/fail`, end))).toEqual([200]);
    await bench.post(`${W}/instances/control`, { workflow_id: "i", action: "retry", turn: 1 });
    const late = { ...(await lease(bench)), error: "late" };
    clock.pass(60_001);
    expect(said(await bench.post(`${W}/turns/fail`, late))).toEqual([409, "lease_expired"]);
  });
});

test("a sequence counts the writes of the instance", async () => {
  const bench = await withInstance("m", "n");
  expect(bodyOf(await bench.get(`${W}/instances/get?id=i`)).sequence).toBe(3);
});

test("a list has 50 instances on a page unless another number is asked for", async () => {
  const bench = await Bench.open();
  for (let at = 100; at < 160; at++) await bench.post(`${W}/instances`, { ...NEW, id: `n${at}` });
  const page = bodyOf(await bench.get(`${W}/instances`));
  expect([page.instances.length, page.next_after]).toEqual([50, "n149"]);
  const last = bodyOf(await bench.get(`${W}/instances?after=n149&limit=100`));
  expect([last.instances.length, last.next_after]).toEqual([10, null]);
});

test("numbers are kept exactly or refused, whatever their form", async () => {
  const bench = await Bench.open();
  const kept = async (state: string) => {
    const raw = `{"id":"n","workflow_type":"t","version":"v","state":${state}}`;
    const response = await bench.post(`${W}/instances`, undefined, { raw });
    await bench.post(`${W}/instances/delete`, { workflow_id: "n" });
    return response.status === 200 ? JSON.stringify(bodyOf(response).state) : said(response)[1];
  };
  for (const text of ["9007199254740991", "-9007199254740991", "1152921504606847000", "0.1", "1e+21"])
    expect(await kept(text)).toBe(text);
  for (const text of ["9007199254740993", "-12345678901234567", "[1, 12345678901234567890]"])
    expect(await kept(text)).toBe("inexact_number");
  expect(await kept('"\\"9007199254740993"')).toBe('"\\"9007199254740993"');
  expect(await kept('{"9007199254740993":"\\\\"}')).toBe('{"9007199254740993":"\\\\"}');
  expect(await kept('{"__proto__":{"x":1}}')).toBe('{"__proto__":{"x":1}}');
  expect(await kept('"\\ud800"')).toBe('"\\ud800"');
});
