/**
 * Between the adapter and the store, requests and answers get lost, are cut and come late: the outcome is unknown then,
 * whatever is true, and each call is sent once. Risk: an answer that was lost is taken for a refusal or a success.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { IF_ABSENT, ifMatch, NO_CONDITION } from "../../ports/object-store.ts";
import { S3Connection, type S3Credentials } from "./connection.ts";
import { DELAY_MS, type FaultyProxy, type Spoil, startFaultyProxy } from "./faulty-proxy.ts";
import { GATEWAY, GATEWAY_NOTE, makeBucket } from "./gateway.ts";
import { type EtagQuotes, parseS3Url } from "./location.ts";
import { type LoopbackS3, startLoopbackS3 } from "./loopback-s3.ts";
import { S3Store } from "./s3-store.ts";

const KEYS: S3Credentials = { accessKeyId: "key", secretAccessKey: "secret" };
/** Shorter than the proxy's delay, longer than any answer takes. */
const PATIENCE = `&timeout_ms=${DELAY_MS / 2}`;
const LOSSES: readonly Spoil[] = ["lose-request", "lose-answer", "cut-answer", "delay"];
const UNKNOWN = { kind: "unknown-outcome", detail: expect.any(String) };

interface Line {
  readonly proxy: FaultyProxy;
  /** The store behind the proxy, and the same one without it. */
  readonly spoiled: S3Store;
  readonly plain: S3Store;
  close(): Promise<void>;
}

/** Puts a proxy into the way to the bucket of the URL. */
async function openLine(url: string, port: number, keys: S3Credentials, quotes: EtagQuotes): Promise<Line> {
  const proxy = await startFaultyProxy(port);
  const spoiledUrl = url.replace(/endpoint=[^&]*/, `endpoint=${proxy.endpoint}${PATIENCE}`);
  const connections = [spoiledUrl, url].map((text) => {
    const location = parseS3Url(text);
    if (!location.ok) throw new Error(location.error);
    return new S3Connection(location.value, keys);
  });
  const [spoiled, plain] = connections.map((connection) => new S3Store(connection, quotes));
  if (spoiled === undefined || plain === undefined) throw new Error("two stores were opened");
  const close = async () => {
    for (const connection of connections) connection.close();
    await proxy.close();
  };
  return { proxy, spoiled, plain, close };
}

function describeFaults(name: string, open: () => Promise<Line>): void {
  describe(name, () => {
    let line: Line;
    beforeAll(async () => {
      line = await open();
    });
    afterAll(() => line?.close());
    afterEach(() => {
      line.proxy.spoil = "pass";
    });

    it.each(LOSSES)("leaves the outcome of every call open: %s", async (spoil) => {
      const { proxy, spoiled, plain } = line;
      const written = await plain.put(`${spoil}/there`, "before", NO_CONDITION);
      if (written.kind !== "ok") return expect.fail(written.kind);
      proxy.spoil = spoil;
      expect(await spoiled.put(`${spoil}/new`, "new", IF_ABSENT)).toEqual(UNKNOWN);
      // The condition no longer holds if the first send has landed; and still that is not what is said.
      expect(await spoiled.put(`${spoil}/new`, "again", IF_ABSENT)).toEqual(UNKNOWN);
      expect(await spoiled.put(`${spoil}/there`, "after", ifMatch(written.etag))).toEqual(UNKNOWN);
      expect(await spoiled.get(`${spoil}/there`)).toEqual(UNKNOWN);
      expect(await spoiled.list({ prefix: spoil, cursor: null, limit: 10 })).toEqual(UNKNOWN);
      expect(await spoiled.delete(`${spoil}/there`, NO_CONDITION)).toEqual(UNKNOWN);
    });

    it("finds that a lost request did nothing, and that a lost answer was a write", async () => {
      const { proxy, spoiled, plain } = line;
      proxy.spoil = "lose-request";
      await spoiled.put("truth/a", "a", IF_ABSENT);
      proxy.spoil = "lose-answer";
      await spoiled.put("truth/b", "b", IF_ABSENT);
      expect(await plain.get("truth/a")).toEqual({ kind: "not-found" });
      expect(await plain.get("truth/b")).toMatchObject({ kind: "ok", body: "b" });
    });

    it("sees a write land after it was given up, and after a read that did not see it", async () => {
      const { proxy, spoiled, plain } = line;
      proxy.spoil = "delay";
      expect(await spoiled.put("late", "late", IF_ABSENT)).toEqual(UNKNOWN);
      expect(await plain.get("late")).toEqual({ kind: "not-found" });
      await expect
        .poll(() => plain.get("late"), { timeout: 10_000 })
        .toMatchObject({ kind: "ok", body: "late" });
    });

    it("goes on as before when the faults have stopped", async () => {
      const { spoiled } = line;
      expect(await spoiled.put("after", "x", NO_CONDITION)).toMatchObject({ kind: "ok" });
      expect(await spoiled.get("after")).toMatchObject({ kind: "ok", body: "x" });
    });
  });
}

let server: LoopbackS3;
beforeAll(async () => {
  server = await startLoopbackS3();
});
afterAll(() => server.close());

describeFaults("a small server", () =>
  openLine(`s3://bucket?endpoint=${server.endpoint}`, server.port, KEYS, "kept"),
);

describe.skipIf(GATEWAY === null)(`Ceph's gateway${GATEWAY_NOTE}`, () => {
  describeFaults("behind the proxy", async () => {
    if (GATEWAY === null) throw new Error("there is no gateway");
    await makeBucket(GATEWAY);
    return openLine(GATEWAY.url(), GATEWAY.port, GATEWAY.credentials, "stripped");
  });
});

it("sends a call whose answer was lost no second time", async () => {
  const line = await openLine(`s3://bucket?endpoint=${server.endpoint}`, server.port, KEYS, "kept");
  const before = server.requests.length;
  line.proxy.spoil = "lose-answer";
  await line.spoiled.put("once", "x", IF_ABSENT);
  await line.spoiled.get("once");
  expect(server.requests.length - before).toBe(2);
  await line.close();
});
