/**
 * One connection to a bucket: the SDK's client, set up so that one call is one request.
 *
 *   C1  one attempt each: no layer here sends a request twice. A repeated write that meets its own first send is
 *       answered 412, and that 412 would be a lie (catalogue B01, B04).
 *   C2  a request ends within `timeoutMs`, with its answer's last byte, or is given up; it may still land.
 *   C3  `close` gives up what is in flight and everything later.
 *   C4  no checksums that older services do not know, no "100-continue", no redirect to another region.
 *   C5  the endpoint that the connection tells is the one that requests went to, whoever chose it: the URL, the
 *       environment or the profile.
 */
import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import type { S3Location } from "./location.ts";

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The calls that are under way at the same time; more wait for one to end. */
const CONNECTIONS = 128;
const CONNECT_MS = 3_000;

export class S3Connection {
  readonly location: S3Location;
  readonly #client: S3Client;
  readonly #underWay = new Set<AbortController>();
  #closed = false;
  #endpoint: string | null = null;

  /** Credentials: those given, else what the SDK finds in the environment, files and on the machine. */
  constructor(location: S3Location, credentials: S3Credentials | null = null) {
    this.location = location;
    // The release is pinned to one that runs on this Node version.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
    this.#client = new S3Client(configOf(location, credentials));
    this.#client.middlewareStack.add(
      (next) => (args) => {
        this.#note(args.request);
        return next(args);
      },
      { step: "finalizeRequest", name: "noteEndpoint", priority: "low" },
    );
  }

  /** C5. Null before the first request. */
  get endpoint(): string | null {
    return this.#endpoint;
  }

  /** Makes one call within the deadline; rejects with whatever kept it from being answered (C2). */
  async call<Answer>(send: (client: S3Client, signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    if (this.#closed) throw new Error("the store is closed");
    const { timeoutMs } = this.location;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => controller.abort(new Error(`gave up after ${timeoutMs} ms`)), timeoutMs);
    this.#underWay.add(controller);
    const givenUp = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    try {
      return await Promise.race([send(this.#client, signal), givenUp]);
    } finally {
      clearTimeout(timer);
      this.#underWay.delete(controller);
    }
  }

  /** C3. */
  close(): void {
    this.#closed = true;
    for (const controller of [...this.#underWay]) controller.abort(new Error("the store was closed"));
    this.#client.destroy();
  }

  #note(request: unknown): void {
    // The SDK types its requests as unknown; this one is the HTTP request that is about to be signed.
    const { protocol, hostname, port } = request as { protocol: string; hostname: string; port?: number };
    this.#endpoint = `${protocol}//${hostname}${port === undefined ? "" : `:${port}`}`;
  }
}

function configOf(location: S3Location, credentials: S3Credentials | null): S3ClientConfig {
  const { endpoint, pathStyle, profile } = location;
  const region = location.region ?? process.env.AWS_REGION ?? (endpoint === null ? null : "us-east-1");
  return {
    ...(endpoint === null ? {} : { endpoint }),
    ...(region === null ? {} : { region }),
    ...(profile === null ? {} : { profile }),
    ...(credentials === null ? {} : { credentials }),
    forcePathStyle: pathStyle,
    // C1
    maxAttempts: 1,
    // C4
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    expectContinueHeader: false,
    followRegionRedirects: false,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
    },
  };
}
