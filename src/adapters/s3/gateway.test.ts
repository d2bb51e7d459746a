/**
 * The adapter keeps the port's contract over Ceph's gateway, a real S3 service. Risk: what holds over a server that
 * was written for the tests holds nowhere else.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { describeObjectStore } from "../../ports/object-store.contract.ts";
import { GATEWAY, GATEWAY_NOTE, makeBucket } from "./gateway.ts";
import { openBucketAt } from "./index.ts";

async function openAt(options: string) {
  if (GATEWAY === null) throw new Error("there is no gateway");
  const opened = await openBucketAt(GATEWAY.url(options), GATEWAY.credentials);
  if (!opened.ok) throw new Error(opened.error.message);
  const [manner] = opened.value.manners;
  if (manner === undefined) throw new Error("there is no manner to speak in");
  return { store: manner.store, close: async () => opened.value.close() };
}

describe.skipIf(GATEWAY === null)(`Ceph's gateway${GATEWAY_NOTE}`, () => {
  beforeAll(async () => {
    if (GATEWAY !== null) await makeBucket(GATEWAY);
  });

  describeObjectStore("S3 on Ceph's gateway", () => openAt("&etag_quotes=stripped"), {
    etags: "content-hash",
    onMissingKey: "precondition-failed",
    deleteConditions: "ignored",
    uncertainRaces: true,
  });

  it.each([
    [
      "a bucket that is not there",
      "NOBUCKET",
      null,
      "unavailable",
      /^the bucket "NOBUCKET" does not exist at http/,
    ],
    ["an unknown access key", null, ["nobody", "x"], "no-permission", /does not know this access key/],
    ["a wrong secret key", null, ["", "x"], "no-permission", /secret key does not fit/],
  ] as const)("refuses %s with one clear line", async (_name, bucket, keys, kind, message) => {
    if (GATEWAY === null) return expect.fail("there is no gateway");
    const url = bucket === null ? GATEWAY.url() : `s3://${bucket}?endpoint=${GATEWAY.endpoint}`;
    const [id, secretAccessKey] = keys ?? [];
    const credentials =
      secretAccessKey === undefined
        ? GATEWAY.credentials
        : { accessKeyId: id || GATEWAY.credentials.accessKeyId, secretAccessKey };
    const opened = await openBucketAt(url, credentials);
    expect(opened).toMatchObject({ ok: false, error: { kind, message: expect.stringMatching(message) } });
  });
});
