/**
 * Requests for the property tests: right ones, nearly right ones, and hostile ones, for every route there is.
 *
 * A right body is made for the bench's instance `i`, whose first turn is held. `$LIVE` and `$DEAD` stand for the token of
 * the running attempt and of one whose lease has ended; they are put in when the request is sent.
 */
import fc from "fast-check";
import type { HttpMethod } from "../ports/http.ts";
import { W } from "./bench.contract.ts";
import { ROUTES } from "./routes.ts";

export interface Drawn {
  readonly method: HttpMethod;
  readonly target: string;
  readonly body: string | null;
  readonly token: "right" | "wrong" | "none";
  /** Time that passes before it is sent, milliseconds. */
  readonly passMs: number;
}

type Fields = { readonly [name: string]: unknown };

const lease = { workflow_id: "i", turn: 1, token: "$LIVE" };
const step = { ...lease, position: 0, key: "k" };

/** By path: a request that is right in some state of the bench. */
const RIGHT: { readonly [path: string]: Fields } = {
  [`${W}/instances`]: {
    id: "j",
    workflow_type: "counter",
    version: "v1",
    state: {},
    lease_ms: 60_000,
    max_attempts: 3,
  },
  [`${W}/instances/get`]: { id: "i" },
  [`${W}/instances/history`]: { id: "i", after: "0", limit: "10" },
  [`${W}/instances/turn`]: { id: "i", turn: "1" },
  [`${W}/instances/inbox`]: { id: "i", after: "0", limit: "10", payloads: "true" },
  [`${W}/inbox`]: { workflow_type: "counter", version: "v1", limit: "10" },
  [`${W}/instances/message`]: {
    workflow_id: "i",
    id: "m",
    message: { a: 1 },
    origin: { kind: "app", note: "n" },
  },
  [`${W}/instances/control`]: { workflow_id: "i", action: "cancel_turn", turn: 1 },
  [`${W}/instances/delete`]: { workflow_id: "j" },
  [`${W}/blobs`]: { workflow_id: "i", value: [1] },
  [`${W}/blobs/get`]: { id: "i", reference: "blob:000000000001-00000000-x" },
  [`${W}/turns/claim`]: {
    worker: "w",
    workflows: [{ workflow_type: "counter", version: "v1" }],
    wait_ms: 10,
  },
  [`${W}/turns/heartbeat`]: lease,
  [`${W}/turns/operation`]: { ...step, kind: "step", timeout_ms: 1_000, heartbeat_timeout_ms: null },
  [`${W}/turns/progress`]: {
    ...lease,
    key: "k",
    sequence: 1,
    details: { phase: "p", done: 1 },
    checkpoint: null,
  },
  [`${W}/turns/checkpoint`]: { ...step, kind: "step", output: 1 },
  [`${W}/turns/wait-signal`]: { ...step, name: "n", timeout_ms: 1_000 },
  [`${W}/turns/complete`]: { ...lease, state: 1, result: 2, continuation: { message: 3 } },
  [`${W}/turns/fail`]: { ...lease, error: "e", non_retryable: false, retry_at_ms: null },
  [`${W}/turns/signal`]: { workflow_id: "i", turn: 1, id: "s", name: "n", value: 1 },
  [`${W}/turns/start-child`]: {
    ...step,
    workflow_type: "child",
    version: "v1",
    message: 1,
    timeout_ms: 1_000,
  },
  [`${W}/turns/migrate`]: { ...lease, from: "v1", to: "v2", state: 1 },
  [`${W}/turns/requeue`]: { ...lease, key: "k", instances: [{ instance: "x", error: "e" }] },
  "/v1/graph/create": {},
  "/v1/graph/delete": {},
};

const DEEP = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;

/** Fields that no sender should send. They are JSON texts, because some are more than a value can say. */
const HOSTILE_TEXTS = [
  ...["null", "true", "-1", "0", "1.5", "1e999", "-0", "9007199254740993", "1e308", "12345678901234567890"],
  ...[
    '""',
    '"a/b"',
    '".."',
    '"../../x"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\n"',
    '"__proto__"',
    '"constructor"',
  ],
  ...['"lbb.x"', '"model-checks"', '"$DEAD"', '"continue-1"', '"reply-x"', '"blob:1"', '"none"', '"a%2Fb"'],
  ...[
    "[]",
    "{}",
    "[[]]",
    '[{"workflow_type":"a"}]',
    '{"__proto__":{"x":1}}',
    '{"kind":"continuation"}',
    DEEP,
  ],
  ...[
    JSON.stringify("x".repeat(129)),
    JSON.stringify("x".repeat(40_000)),
    JSON.stringify("ü".repeat(70_000)),
  ],
];

const HOSTILE_BODIES = [
  ...["", "{", "}", "nul", "[]", "null", '"x"', "1", "{}", '{"a":}', "\ufeff{}", "{'a':1}", "\u0000", DEEP],
  ...['{"__proto__":{}}', '{"constructor":1}', '{"workflow_id":"i","workflow_id":"j"}', "[".repeat(500_000)],
  ...['{"id":'.repeat(50_000), `{"message":"${"x".repeat(1_100_000)}"}`, '{"a":1}{"b":2}', "\ud800"],
];

const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
);

/** The fields as JSON text, some of them left out, replaced or added. */
function bodyOf(fields: Fields): fc.Arbitrary<string> {
  const names = Object.keys(fields);
  const change = fc.record({ at: fc.nat(), how: fc.constantFrom("drop", "replace", "add"), text: anyText });
  return fc.array(change, { maxLength: 2 }).map((changes) => {
    const texts = new Map(names.map((name) => [name, JSON.stringify(fields[name])]));
    for (const { at, how, text } of changes) {
      const name = names[at % Math.max(1, names.length)] ?? "x";
      if (how === "drop") texts.delete(name);
      else texts.set(how === "add" ? (["__proto__", "extra", "toString"][at % 3] ?? "extra") : name, text);
    }
    return `{${[...texts].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
  });
}

const hostileQuery = fc.constantFrom(
  ...[
    "",
    "0",
    "-1",
    "1.5",
    "1e3",
    "+1",
    " 1",
    "99999999999999999999",
    "x",
    "a%2Fb",
    "%00",
    "%zz",
    "%ff",
    "..",
    "null",
  ],
);

function queryOf(fields: Fields): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(),
    how: fc.constantFrom("drop", "replace", "add", "twice"),
    text: hostileQuery,
  });
  return fc.array(change, { maxLength: 2 }).map((changes) => {
    const pairs = Object.entries(fields).map(
      ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
    );
    for (const { at, how, text } of changes) {
      const index = at % Math.max(1, pairs.length);
      const name = pairs[index]?.split("=")[0] ?? "x";
      if (how === "drop") pairs.splice(index, 1);
      else if (how === "replace") pairs.splice(index, 1, `${name}=${text}`);
      else pairs.push(how === "add" ? `__proto__=${text}` : `${name}=${text}`);
    }
    return pairs.join("&");
  });
}

const often = <T>(value: T, ...others: readonly T[]) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(value) },
    { weight: 1, arbitrary: fc.constantFrom(value, ...others) },
  );

const graph = often(
  "",
  "graph=main",
  "graph=none",
  "graph=..",
  "graph=a%2Fb",
  "graph=",
  "stack=s",
  "extra=1",
);
/** Of a caller who may not. */
const reserved = fc
  .record({
    path: fc.constant(`${W}/instances`),
    id: fc.constantFrom("x", "calibration"),
    workflow_type: fc.constantFrom("lbb.x", "counter", "lbb."),
  })
  .map(({ path, ...fields }) => ({
    method: "POST" as const,
    path,
    query: "",
    graph: "",
    body: JSON.stringify({ ...fields, version: "v1" }),
    token: "right" as const,
    passMs: 0,
  }));

const token = often<Drawn["token"]>("right", "wrong", "none");
const passMs = often(0, 1_000, 70_000);

const route = fc
  .constantFrom(...ROUTES.filter(({ path }) => path !== "/v1/graph/delete"))
  .chain(({ method, path }) => {
    const fields = RIGHT[path] ?? {};
    const body =
      method === "GET"
        ? fc.constant(null)
        : fc.oneof(
            { weight: 8, arbitrary: bodyOf(fields) },
            { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_BODIES) },
            { weight: 1, arbitrary: fc.constantFrom(null) },
          );
    const query = method === "GET" ? queryOf(fields) : fc.constant("");
    return fc.record({
      method: fc.constant(method),
      path: fc.constant(path),
      query,
      graph,
      body,
      token,
      passMs,
    });
  });

const elsewhere = fc.record({
  method: fc.constantFrom<HttpMethod>("GET", "POST"),
  path: fc.oneof(
    fc.constantFrom(
      W,
      `${W}/claim`,
      `${W}//instances`,
      "/",
      "",
      "/v1/workflows/../..",
      `${W}/instances/get/`,
      "/metrics",
    ),
    fc.webPath(),
  ),
  query: hostileQuery,
  graph,
  body: fc.constantFrom(null, ...HOSTILE_BODIES),
  token,
  passMs,
});

export const request: fc.Arbitrary<Drawn> = fc
  .oneof(
    { weight: 30, arbitrary: route },
    { weight: 2, arbitrary: elsewhere },
    { weight: 1, arbitrary: reserved },
  )
  .map(({ method, path, query, graph: scope, ...rest }) => {
    const all = [query, scope].filter((part) => part !== "").join("&");
    return { ...rest, method, target: all === "" ? path : `${path}?${all}` };
  });
