/**
 * `baton store check` calls a sound store sound and an unsafe one unsafe, with the reason; a bucket whose service ignores
 * conditions is not opened. Risk: work is put into a store that loses it.
 *
 * The servers that ignore conditions are real ones, installed apart: `npm ci --prefix tools/lenient-stores`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../../sim/index.ts";
import { ManualClock } from "../../adapters/manual-ports.ts";
import { MemoryStore } from "../../adapters/memory-store.ts";
import { GATEWAY, GATEWAY_NOTE, makeBucket } from "../../adapters/s3/gateway.ts";
import type { S3Credentials } from "../../adapters/s3/index.ts";
import type { ObjectStore } from "../../ports/index.ts";
import { bundled, bundleFolder } from "../bundled.ts";
import type { Io } from "../io.ts";
import { openStore } from "../serve/open-store.ts";
import { type OpenViews, storeCheckCommand } from "./store-check.ts";
import { runTrials } from "./store-trials.ts";
import { startViews } from "./store-views.ts";

const root = packageRoot();
const lenient = join(root, "tools", "lenient-stores");
const installed = existsSync(join(lenient, "node_modules"));
const scratch = mkdtempSync(join(tmpdir(), "baton-check-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Ran {
  readonly code: number | null;
  readonly out: string;
}

/** What the command's processes run. */
const outdir = bundleFolder("store-check");
beforeAll(() => bundled(outdir, { "store-check-child": "cli/store/store-check-child" }));

const startBuilt: OpenViews = (count, text, folder, manner) =>
  startViews(count, text, folder, manner, join(outdir, "store-check-child.mjs"));

/** The command in this process, and its processes beside it. */
async function check(store: string, views: OpenViews = startBuilt): Promise<Ran> {
  let out = "";
  const keep = (text: string) => {
    out += text;
  };
  // The command takes no more of the outside.
  const io = { folder: scratch, out: keep, err: keep } as unknown as Io;
  const code = await storeCheckCommand(io, store, { processes: 2 }, views);
  return { code, out };
}

function useKeys({ accessKeyId, secretAccessKey }: S3Credentials): void {
  process.env.AWS_ACCESS_KEY_ID = accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = secretAccessKey;
}

describe("a sound store", () => {
  it("is called sound: the embedded one", async () => {
    const { code, out } = await check("data");
    expect(out).toMatch(/ok +needed +one winner among racing creates of several processes +20 of 20/);
    expect(out).toMatch(/data is sound/);
    expect(code).toBe(0);
  });

  it.skipIf(GATEWAY === null)(`is called sound: Ceph's gateway${GATEWAY_NOTE}`, async () => {
    if (GATEWAY === null) return expect.fail("there is no gateway");
    await makeBucket(GATEWAY);
    useKeys(GATEWAY.credentials);
    const { code, out } = await check(GATEWAY.url());
    expect(out).toMatch(/a delete looks at its condition +no, it is ignored/);
    expect(out).toMatch(/etags go back with their quotes +stripped/);
    expect(out).toMatch(/is sound/);
    expect(code).toBe(0);
  });
});

/** Servers that ignore conditions, each started by a line of code in the folder where they are installed. */
const SERVERS = {
  s3rver: (port: number) =>
    `new (require("s3rver"))({ port: ${port}, address: "127.0.0.1", silent: true, directory: ${JSON.stringify(join(scratch, "s3rver"))}, configureBuckets: [{ name: "bucket" }] }).run()`,
  "amplify-storage-simulator": (port: number) =>
    `new (require("amplify-storage-simulator").AmplifyStorageSimulator)({ port: ${port}, route: "/bucket", localDirS3: ${JSON.stringify(join(scratch, "amplify"))} }).start()`,
} as const;

const note = installed ? "" : " (skipped: tools/lenient-stores is not installed)";
describe.skipIf(!installed)(`a server that ignores conditions${note}`, () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill("SIGKILL");
  });

  it.each(Object.entries(SERVERS))("is called unsafe and is not opened: %s", async (_name, line) => {
    const port = await freePort();
    children.push(spawn(process.execPath, ["--eval", line(port)], { cwd: lenient, stdio: "ignore" }));
    await expect.poll(() => isOpen(port), { timeout: 20_000 }).toBe(true);
    const url = `s3://bucket/p?endpoint=http://127.0.0.1:${port}`;
    useKeys({ accessKeyId: "S3RVER", secretAccessKey: "S3RVER" });
    const { code, out } = await check(url);
    expect(out).toMatch(
      /UNSAFE +needed +a key is created once +a key that was there was created a second time/,
    );
    expect(out).toMatch(/UNSAFE +needed +one winner among racing creates of several processes/);
    expect(code).toBe(1);
    expect(await openStore(url, scratch)).toMatchObject({
      ok: false,
      error: { kind: "unsafe", message: expect.stringMatching(/not safe to use: .*created a second time/) },
    });
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

function isOpen(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}

describe("trials over several views", () => {
  const trials = (views: readonly ObjectStore[]) =>
    runTrials({ views, clock: new ManualClock(0), prefix: "trials/", throttles: false });

  it("hold over one sound store", async () => {
    const store = new MemoryStore();
    const seen = await trials([store, store, store]);
    expect(seen.map(({ verdict }) => verdict)).toEqual(Array(5).fill("holds"));
  });

  it("see endpoints that do not know each other's writes, which no single client sees", async () => {
    const seen = await trials([new MemoryStore(), new MemoryStore()]);
    expect(seen.map(({ verdict }) => verdict)).toEqual(Array(5).fill("broken"));
  });

  it("are unclear over a store that leaves everything open", async () => {
    const open = async () => ({ kind: "unknown-outcome", detail: "" }) as const;
    const silent: ObjectStore = { get: open, put: open, delete: open, list: open };
    const seen = await trials([silent, silent]);
    expect(seen.map(({ verdict }) => verdict)).toEqual(Array(5).fill("unclear"));
  });
});

it("does not finish, and says why, when its processes cannot be started", async () => {
  const { code, out } = await check("other", () => Promise.reject(new Error("no process could be started")));
  expect(out).toMatch(/could not be finished: no process could be started/);
  expect(code).toBe(4);
});

it.each([
  ["s3://bucket?endpont=x", /no option of a store on S3/],
  ["ftp://x", /a store is a directory or s3:/],
])("does not open %s, and says what to mend in one line", async (store, message) => {
  const { code, out } = await check(store);
  expect(out).toMatch(message);
  expect(out.trim().split("\n")).toHaveLength(1);
  expect(code).toBe(2);
});
