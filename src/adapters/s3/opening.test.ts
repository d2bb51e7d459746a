/**
 * An address is read strictly, and what keeps a bucket from being opened is told in one line that says what to mend.
 * Risk: an error of the SDK, which tells a person nothing, or a secret in a log.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBucketAt } from "./index.ts";
import { parseS3Url, withoutSecrets } from "./location.ts";
import { type Canned, type LoopbackS3, s3Error, startLoopbackS3 } from "./loopback-s3.ts";

const KEYS = { accessKeyId: "key", secretAccessKey: "do-not-show" };

describe("an address", () => {
  it("is a bucket, a prefix and options, with defaults that suit the service", () => {
    expect(parseS3Url("s3://my.bucket")).toEqual({
      ok: true,
      value: {
        bucket: "my.bucket",
        prefix: "",
        endpoint: null,
        region: null,
        pathStyle: false,
        etagQuotes: "auto",
        timeoutMs: 10_000,
        profile: null,
      },
    });
    const url =
      "s3://b-1/x/y z/?endpoint=http://[::1]:9000/&region=auto&etag_quotes=kept&timeout_ms=500&profile=p";
    expect(parseS3Url(url)).toMatchObject({
      value: {
        prefix: "x/y z/",
        endpoint: "http://[::1]:9000",
        pathStyle: true,
        etagQuotes: "kept",
        profile: "p",
      },
    });
    expect(parseS3Url("s3://b-1?endpoint=https://h&path_style=false")).toMatchObject({
      value: { pathStyle: false },
    });
  });

  it.each([
    ["s3:/bucket", /no address of a bucket/],
    ["s3://", /no name of a bucket/],
    ["s3://a b", /no name of a bucket/],
    ["s3://key:secret@bucket", /^credentials do not go into the URL/],
    ["s3://bucket/a//b", /empty part/],
    ["s3://bucket/a/../b", /empty part or one of dots/],
    ["s3://bucket/a\nb", /control character/],
    [`s3://bucket/${"a".repeat(257)}`, /longer than 256 bytes/],
    ["s3://bucket?endpont=http://h", /"endpont" is no option .* endpoint, region/],
    ["s3://bucket?region=a&region=b", /given twice/],
    ["s3://bucket?region=", /has no value/],
    ["s3://bucket?endpoint=localhost:9000", /no address; write http:/],
    ["s3://bucket?endpoint=http://me:secret@h", /no address/],
    ["s3://bucket?path_style=yes", /path_style is true or false/],
    ["s3://bucket?etag_quotes=maybe", /auto, kept or stripped/],
    ["s3://bucket?timeout_ms=99", /100 to 300000/],
    ["s3://bucket#part", /no address of a bucket/],
  ])("is refused when it is %s", (url, message) => {
    const read = parseS3Url(url);
    expect(read).toMatchObject({ ok: false, error: expect.stringMatching(message) });
    expect(JSON.stringify(read)).not.toContain("secret@");
    expect(withoutSecrets(url)).not.toContain("secret@");
  });
});

describe("a bucket that cannot be opened", () => {
  let server: LoopbackS3;
  beforeAll(async () => {
    server = await startLoopbackS3();
  });
  afterAll(() => server.close());

  const open = (url: string) => openBucketAt(`${url}&timeout_ms=2000`, KEYS);
  const elsewhere = "<Region>eu-west-1</Region>";
  const rows: readonly (readonly [string, Canned, string, RegExp])[] = [
    [
      "403",
      s3Error(403, "AccessDenied"),
      "no-permission",
      /no permission for the bucket "bucket" at .*403 AccessDenied/,
    ],
    ["401", { status: 401 }, "no-permission", /no permission/],
    ["an expired token", s3Error(400, "ExpiredToken"), "invalid", /ExpiredToken/],
    ["clock skew", s3Error(403, "RequestTimeTooSkewed"), "unavailable", /set the clock/],
    [
      "a wrong region",
      s3Error(400, "AuthorizationHeaderMalformed", elsewhere),
      "invalid",
      /add region=eu-west-1/,
    ],
    [
      "a redirect",
      s3Error(301, "PermanentRedirect", "", { "x-amz-bucket-region": "eu-west-1" }),
      "invalid",
      /add region=eu-west-1 to the URL/,
    ],
    ["a page", { status: 200, body: "<html><body>Hi</body></html>" }, "foreign", /is no store on S3/],
    ["JSON", { status: 200, body: "{}" }, "foreign", /is no store on S3/],
    ["404 of something else", { status: 404, body: "no" }, "foreign", /no store on S3; it answered 404/],
    ["501", s3Error(501, "NotImplemented"), "foreign", /no store on S3; it answered 501/],
    ["a redirect to a login", { status: 302, headers: { location: "/login" } }, "foreign", /no store on S3/],
    [
      "500",
      s3Error(500, "InternalError"),
      "unavailable",
      /the store answered 500 InternalError.*try again later/,
    ],
    ["503", s3Error(503, "SlowDown"), "unavailable", /slow down/],
  ];
  it.each(rows)("says so after %s", async (_name, answer, kind, message) => {
    server.canned.push(answer);
    const opened = await open(`s3://bucket?endpoint=${server.endpoint}`);
    expect(opened).toMatchObject({ ok: false, error: { kind, message: expect.stringMatching(message) } });
    expect(JSON.stringify(opened)).not.toMatch(/\\n|do-not-show/);
  });

  it("says so when nobody is there, the name is unknown, or TLS is not spoken", async () => {
    const gone = await startLoopbackS3();
    await gone.close();
    const rows = [
      [gone.endpoint, "unavailable", /cannot reach .*: nothing listens there/],
      ["http://no-such-host.invalid", "unavailable", /cannot reach http:..no-such-host.invalid/],
      [server.endpoint.replace("http:", "https:"), "invalid", /does not speak TLS/],
    ] as const;
    for (const [endpoint, kind, message] of rows) {
      const opened = await open(`s3://bucket?endpoint=${endpoint}`);
      expect(opened).toMatchObject({ error: { kind, message: expect.stringMatching(message) } });
    }
    expect(await open(`s3://nobucket?endpoint=${server.endpoint}`)).toMatchObject({
      error: { message: expect.stringMatching(/the bucket "nobucket" does not exist at http/) },
    });
  });

  it("tells where requests went, and gives the manners that the address leaves open", async () => {
    const opened = await open(`s3://bucket/p?endpoint=${server.endpoint}`);
    if (!opened.ok) return expect.fail(opened.error.message);
    expect(opened.value.identity).toBe(`${server.endpoint} bucket/p/`);
    expect(opened.value.manners.map(({ name }) => name)).toEqual(["kept", "stripped"]);
    opened.value.close();
    const fixed = await open(`s3://bucket?etag_quotes=stripped&endpoint=${server.endpoint}`);
    if (!fixed.ok) return expect.fail(fixed.error.message);
    expect(fixed.value.manners.map(({ name }) => name)).toEqual(["stripped"]);
    fixed.value.close();
  });
});
