/**
 * Opening a bucket: one request that shows whether it is there and may be used, and what to mend where it is not.
 *
 *   N1  what is said is one line, names the bucket or the address, and no secret.
 *   N2  nothing is written. Whether conditions hold is asked afterwards, over the port.
 *   N3  a store that does not answer for the moment is told apart from one that refuses: trying again helps the first.
 *   N4  an answer that is no answer of S3 is `foreign`: a proxy, a web server, another port of the same machine.
 */
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { err, ok, type Result } from "../../std/result.ts";
import type { StoreRefusal } from "../store-refusal.ts";
import { S3Connection, type S3Credentials } from "./connection.ts";
import { failureOf, isThrottle, type S3Failure, textOf } from "./failures.ts";
import type { EtagQuotes, S3Location } from "./location.ts";
import { S3Store } from "./s3-store.ts";

/** A bucket that answers, and how its etags may have to be sent back. */
export interface OpenBucket {
  /** The address that requests went to, with bucket and prefix: what a finding about the store is true of. */
  readonly identity: string;
  /** The ways to speak to it: one when the location says which, else those to try, in this order. */
  readonly manners: readonly { readonly name: EtagQuotes; readonly store: S3Store }[];
  close(): void;
}

/** Opens the bucket. Credentials: given, or else found by the SDK. */
export async function openBucket(
  location: S3Location,
  credentials: S3Credentials | null = null,
): Promise<Result<OpenBucket, StoreRefusal>> {
  const connection = new S3Connection(location, credentials);
  const wrong = await whatIsWrong(connection);
  if (wrong !== null) {
    connection.close();
    return err(wrong);
  }
  const { bucket, prefix, etagQuotes } = location;
  const names: readonly EtagQuotes[] = etagQuotes === "auto" ? ["kept", "stripped"] : [etagQuotes];
  return ok({
    identity: `${connection.endpoint} ${bucket}/${prefix}`,
    manners: names.map((name) => ({ name, store: new S3Store(connection, name) })),
    close: () => connection.close(),
  });
}

/** Lists one key, since without the right to list, a missing key is answered 403 instead of 404. */
async function whatIsWrong(connection: S3Connection): Promise<StoreRefusal | null> {
  const { bucket, prefix } = connection.location;
  const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 });
  try {
    const page = await connection.call((client, abortSignal) => client.send(command, { abortSignal }));
    if (page.Name === undefined && page.KeyCount === undefined) return notS3(connection);
    return null;
  } catch (error) {
    return explained(failureOf(error), connection);
  }
}

function explained(failure: S3Failure, connection: S3Connection): StoreRefusal {
  const { status, code } = failure;
  const { bucket, region } = connection.location;
  const at = addressOf(connection);
  if (status === null) return unanswered(failure, connection);
  if (isThrottle(failure))
    return refusal("unavailable", `${at} asks to slow down (${status}); try again later`);
  if (code === "NoSuchBucket")
    return refusal(
      "unavailable",
      `the bucket "${bucket}" does not exist at ${at}; create it, or mend the URL`,
    );
  if (code === "RequestTimeTooSkewed")
    return refusal(
      "unavailable",
      `${at} refuses this machine's clock, which is wrong by minutes; set the clock`,
    );
  if (isWrongRegion(failure)) {
    const right = failure.region === null ? "its own region" : `region=${failure.region}`;
    const taken = region ?? "that was taken";
    return refusal(
      "invalid",
      `the bucket "${bucket}" is not in the region ${taken}; add ${right} to the URL`,
    );
  }
  if (status === 401 || status === 403) return refusal("no-permission", forbidden(failure, connection));
  if (status >= 500 && status !== 501)
    return refusal("unavailable", `${textOf(failure)}, at ${at}; try again later`);
  if (status === 400 && code !== "")
    return refusal("invalid", `${at} refuses the request: ${code}, ${failure.message}`);
  return notS3(connection, status);
}

/** 301 and 307 send elsewhere, which nobody follows; the two 400s name the region that was signed for. */
function isWrongRegion({ status, code }: S3Failure): boolean {
  if (code === "PermanentRedirect" || code === "TemporaryRedirect") return true;
  return (
    status === 400 &&
    (code === "AuthorizationHeaderMalformed" || code === "IllegalLocationConstraintException")
  );
}

/** Codes that name the one thing to mend; else what is needed in all. */
function forbidden({ status, code }: S3Failure, connection: S3Connection): string {
  const at = addressOf(connection);
  if (code === "InvalidAccessKeyId") return `${at} does not know this access key; check AWS_ACCESS_KEY_ID`;
  if (code === "SignatureDoesNotMatch")
    return `${at} says that the secret key does not fit the access key; check AWS_SECRET_ACCESS_KEY`;
  if (code === "ExpiredToken") return `${at} says that the credentials have expired; get new ones`;
  const { bucket } = connection.location;
  const needed = "listing, reading, writing and deleting are needed";
  return `no permission for the bucket "${bucket}" at ${at} (${`${status} ${code}`.trimEnd()}); ${needed}`;
}

const NO_CREDENTIALS = ["CredentialsProviderError", "TokenProviderError"];
const NOBODY_THERE: { readonly [code: string]: string } = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no host of that name",
  EAI_AGAIN: "the name could not be looked up",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ECONNRESET: "the connection was reset",
};

function unanswered({ code, message }: S3Failure, connection: S3Connection): StoreRefusal {
  const at = addressOf(connection);
  if (NO_CREDENTIALS.includes(code)) {
    const mend = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or add profile=NAME to the URL";
    return refusal("no-permission", `there are no credentials: ${mend}`);
  }
  if (message === "Region is missing")
    return refusal("invalid", "there is no region: add region=NAME to the URL, or set AWS_REGION");
  if (code === "EPROTO") return refusal("invalid", `${at} does not speak TLS; write http:// in the endpoint`);
  if (/CERT|SELF_SIGNED|ERR_TLS/.test(code))
    return refusal("unavailable", `the certificate of ${at} is not trusted: ${message}`);
  return refusal("unavailable", `cannot reach ${at}: ${NOBODY_THERE[code] ?? message}`);
}

function notS3(connection: S3Connection, status: number | null = null): StoreRefusal {
  const answer = status === null ? "" : `; it answered ${status} and no error of S3`;
  return refusal("foreign", `${addressOf(connection)} is no store on S3${answer}; mend endpoint in the URL`);
}

function refusal(kind: StoreRefusal["kind"], message: string): StoreRefusal {
  return { kind, message };
}

function addressOf({ endpoint, location }: S3Connection): string {
  return endpoint ?? location.endpoint ?? "Amazon S3";
}
