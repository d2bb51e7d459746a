/**
 * The real S3 service of the tests: Ceph's gateway, when `BATON_TEST_GATEWAY` says where it is. Tests only.
 *
 * `tools/radosgw.sh start` starts one and prints the setting. Without it the tests that need it are skipped.
 */
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { S3Connection, type S3Credentials } from "./connection.ts";
import { parseS3Url } from "./location.ts";

export interface Gateway {
  readonly endpoint: string;
  readonly port: number;
  readonly credentials: S3Credentials;
  /** Names a bucket that exists, and a prefix in it that nobody has used. */
  url(options?: string): string;
}

const BUCKET = "baton-tests";
const SETTING = process.env.BATON_TEST_GATEWAY ?? "";

/** What the title of a suite says when it is skipped. */
export const GATEWAY_NOTE = SETTING === "" ? " (skipped: BATON_TEST_GATEWAY is not set)" : "";

/** Null: there is none. */
export const GATEWAY: Gateway | null = SETTING === "" ? null : gatewayAt(new URL(SETTING));

function gatewayAt({ origin, port, username, password }: URL): Gateway {
  let used = 0;
  return {
    endpoint: origin,
    port: Number(port),
    credentials: { accessKeyId: username, secretAccessKey: password },
    url: (options = "") =>
      `s3://${BUCKET}/t-${process.pid}-${Date.now()}-${++used}?endpoint=${origin}${options}`,
  };
}

/** Makes the bucket, if it is not there. */
export async function makeBucket({ url, credentials }: Gateway): Promise<void> {
  const location = parseS3Url(url());
  if (!location.ok) throw new Error(location.error);
  const connection = new S3Connection(location.value, credentials);
  await connection.call((client) => client.send(new CreateBucketCommand({ Bucket: BUCKET })));
  connection.close();
}
