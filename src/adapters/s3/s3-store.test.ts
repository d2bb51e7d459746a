/**
 * The adapter keeps the port's contract over a small server, means by each answer what the status table says, and
 * sends each call once. Risk: a status that is taken for more than it says.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { describeObjectStore } from "../../ports/object-store.contract.ts";
import { IF_ABSENT, ifMatch, NO_CONDITION } from "../../ports/object-store.ts";
import { S3Connection } from "./connection.ts";
import { type EtagQuotes, parseS3Url } from "./location.ts";
import { type Canned, type LoopbackS3, s3Error, startLoopbackS3 } from "./loopback-s3.ts";
import { S3Store } from "./s3-store.ts";

const CREDENTIALS = { accessKeyId: "key", secretAccessKey: "secret" };

function storeAt(url: string, quotes: EtagQuotes = "kept"): { store: S3Store; close: () => void } {
  const location = parseS3Url(url);
  if (!location.ok) throw new Error(location.error);
  const connection = new S3Connection(location.value, CREDENTIALS);
  return { store: new S3Store(connection, quotes), close: () => connection.close() };
}

for (const quotes of ["kept", "stripped"] as const) {
  const open = async () => {
    const server = await startLoopbackS3({ quotes });
    const { store, close } = storeAt(`s3://bucket/some/prefix?endpoint=${server.endpoint}`, quotes);
    return {
      store,
      close: () => {
        close();
        return server.close();
      },
    };
  };
  describeObjectStore(`S3, etags sent with their quotes ${quotes}`, open, { etags: "content-hash" });
}

let server: LoopbackS3;
beforeAll(async () => {
  server = await startLoopbackS3();
});
afterAll(() => server.close());
beforeEach(() => {
  server.canned.length = 0;
  server.requests.length = 0;
});

/** One call in one store, with this answer. */
async function ask<O>(answer: Canned, send: (store: S3Store) => Promise<O>, more = ""): Promise<O> {
  server.canned.push(answer);
  const { store, close } = storeAt(`s3://bucket?endpoint=${server.endpoint}${more}`);
  const outcome = await send(store);
  close();
  return outcome;
}

type Means = readonly [string, string, string, string, string, string];
const ANSWERS: readonly (readonly [string, Canned, ...Means])[] = [
  // answer, then: get, put if-match, put if-absent, put, delete if-match, delete
  ["412", s3Error(412, "PreconditionFailed"), "?", "failed", "failed", "?", "failed", "?"],
  ["412 without a body", { status: 412 }, "?", "failed", "failed", "?", "failed", "?"],
  ["404 NoSuchKey", s3Error(404, "NoSuchKey"), "gone", "gone", "?", "?", "gone", "ok"],
  ["404 NoSuchBucket", s3Error(404, "NoSuchBucket"), "?", "?", "?", "?", "?", "?"],
  ["404 of a proxy", { status: 404, body: "<html><body>404</body></html>" }, "?", "?", "?", "?", "?", "?"],
  ["404 without a body", { status: 404 }, "?", "?", "?", "?", "?", "?"],
  ["409 conflict", s3Error(409, "ConditionalRequestConflict"), "?", "409", "409", "?", "409", "?"],
  ["409 aborted", s3Error(409, "OperationAborted"), "?", "409", "409", "?", "409", "?"],
  ["409 otherwise", s3Error(409, "BucketNotEmpty"), "?", "?", "?", "?", "?", "?"],
  ["429", { status: 429 }, "slow", "slow", "slow", "slow", "slow", "slow"],
  ["503 SlowDown", s3Error(503, "SlowDown"), "slow", "slow", "slow", "slow", "slow", "slow"],
  ["400 SlowDown", s3Error(400, "SlowDown"), "slow", "slow", "slow", "slow", "slow", "slow"],
  ["403", s3Error(403, "AccessDenied"), "?", "?", "?", "?", "?", "?"],
  ["301", s3Error(301, "PermanentRedirect"), "?", "?", "?", "?", "?", "?"],
  ["500", s3Error(500, "InternalError"), "?", "?", "?", "?", "?", "?"],
  ["500 that is no XML", { status: 500, body: "oops" }, "?", "?", "?", "?", "?", "?"],
  ["501", s3Error(501, "NotImplemented"), "?", "?", "?", "?", "?", "?"],
  ["200 without an etag", { status: 200, body: "<html></html>" }, "?", "?", "?", "?", "ok", "ok"],
];
const KIND: { readonly [short: string]: string } = {
  "?": "unknown-outcome",
  failed: "precondition-failed",
  gone: "not-found",
  "409": "conflict",
  slow: "throttled",
  ok: "ok",
};

describe("the status table", () => {
  it.each(ANSWERS)(
    "knows what %s says to each operation, which is sent once",
    async (_name, answer, ...means) => {
      const calls = [
        (store: S3Store) => store.get("k"),
        (store: S3Store) => store.put("k", "body", ifMatch('"e"')),
        (store: S3Store) => store.put("k", "body", IF_ABSENT),
        (store: S3Store) => store.put("k", "body", NO_CONDITION),
        (store: S3Store) => store.delete("k", ifMatch('"e"')),
        (store: S3Store) => store.delete("k", NO_CONDITION),
      ];
      const kinds: string[] = [];
      for (const call of calls) kinds.push((await ask<{ readonly kind: string }>(answer, call)).kind);
      expect(kinds).toEqual(means.map((short) => KIND[short]));
      expect(server.requests).toHaveLength(calls.length);
    },
  );

  it.each([
    ["a page of a proxy", { status: 200, body: "<html><body>Welcome</body></html>" }],
    ["nothing", { status: 200 }],
    ["text", { status: 200, body: "hello" }],
    ["403", s3Error(403, "AccessDenied")],
    [
      "a page without the mark of the next",
      { status: 200, body: "<R><Name>b</Name><IsTruncated>true</IsTruncated></R>" },
    ],
    ["404", s3Error(404, "NoSuchKey")],
  ])("takes %s for no listing", async (_name, answer) => {
    const outcome = await ask(answer, (store) => store.list({ prefix: "", cursor: null, limit: 5 }));
    expect(outcome.kind).toBe("unknown-outcome");
  });

  it("takes the mark of the page before for no listing, since it would never end", async () => {
    const body =
      "<R><Name>b</Name><IsTruncated>true</IsTruncated><NextContinuationToken>m</NextContinuationToken></R>";
    const list = (cursor: string) => (store: S3Store) => store.list({ prefix: "", cursor, limit: 5 });
    expect(await ask({ status: 200, body }, list("l"))).toEqual({ kind: "ok", entries: [], next: "m" });
    expect((await ask({ status: 200, body }, list("m"))).kind).toBe("unknown-outcome");
  });

  it("hands on how long the store asks to wait", async () => {
    const date = "Mon, 30 Nov 2026 04:00:00 GMT";
    const later = { status: 503, headers: { date, "retry-after": "Mon, 30 Nov 2026 04:00:05 GMT" } };
    const soon = { status: 429, headers: { "retry-after": "2" } };
    expect(await ask(later, (store) => store.get("k"))).toEqual({ kind: "throttled", retryAfterMs: 5_000 });
    expect(await ask(soon, (store) => store.get("k"))).toEqual({ kind: "throttled", retryAfterMs: 2_000 });
  });

  it("names the answer for people, and no key or secret", async () => {
    const outcome = await ask(s3Error(403, "AccessDenied"), (store) => store.put("k", "body", IF_ABSENT));
    expect(outcome).toEqual({ kind: "unknown-outcome", detail: "the store answered 403 AccessDenied" });
  });
});

describe("a request", () => {
  it("carries the body, its type and its condition, and no checksum of newer services", async () => {
    await ask({ status: 200 }, (store) => store.put("k ü", "body", ifMatch('"e"')));
    const { method, url, headers } = server.requests[0] ?? {};
    expect([method, url]).toEqual(["PUT", "/bucket/k%20%C3%BC?x-id=PutObject"]);
    expect(headers).toMatchObject({ "content-type": "text/plain; charset=utf-8", "if-match": '"e"' });
    const names = Object.keys(headers ?? {}).join(" ");
    expect(names).not.toMatch(/checksum|expect|transfer-encoding|sdk-checksum|x-amz-trailer/);
  });

  it("loses the quotes of the etag where the store wants none", async () => {
    const { store, close } = storeAt(`s3://bucket?endpoint=${server.endpoint}`, "stripped");
    await store.put("k", "body", ifMatch('"e"'));
    await store.delete("k", ifMatch("bare"));
    close();
    expect(server.requests.map(({ headers }) => headers["if-match"])).toEqual(["e", "bare"]);
  });

  it("is given up when the store is closed, and so is every later one", async () => {
    const slow = await startLoopbackS3();
    const { store, close } = storeAt(`s3://bucket?endpoint=${slow.endpoint}&timeout_ms=60000`);
    slow.canned.push("never");
    const waiting = store.put("k", "body", IF_ABSENT);
    while (slow.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    close();
    const detail = "no answer from the store (the store was closed)";
    expect(await waiting).toEqual({ kind: "unknown-outcome", detail });
    expect((await store.get("k")).kind).toBe("unknown-outcome");
    expect(slow.requests).toHaveLength(1);
    await slow.close();
  });
});
