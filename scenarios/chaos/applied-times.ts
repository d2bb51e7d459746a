/**
 * When each version was applied, and each read served: as early as everything that was seen allows.
 *
 * Nobody watched the store, so a time is a choice within bounds. Of a version:
 *
 *   T1  not before its request was sent, nor before its predecessor, nor before a read that still found what was there
 *       before it was sent;
 *   T2  not after its answer, nor after a successor, nor after the answer of a read that found it.
 *   T3  the earliest such moment is taken. Whoever acted on a version had seen it, so it stands before what was done
 *       because of it; and by T1 whoever still saw the version before it is not too late either.
 *   T4  when no moment is left (the store answered an old version, or a later one to an earlier read), T2 wins: then the
 *       read stands outside the time of its version, and the checker of chains tells of it.
 */
import type { RunHistory, StoreOperation, Version } from "../../sim/index.ts";
import type { Etag } from "../../src/ports/object-store.ts";
import { type KeyRecord, type Link, nobodysRequest } from "./chains.ts";
import type { Observed } from "./operations.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** The versions of one key; fills in what the store did with each request. */
export function versionsOf(record: KeyRecord, links: readonly Link[], endedAtMs: number): readonly Version[] {
  const reads = readsOf(record, links);
  const latest = latestTimes(links, reads, endedAtMs);
  const versions: Version[] = [];
  let earliestMs = 0;
  for (const [index, { author, body, etag, seenAtMs }] of links.entries()) {
    const mostMs = latest[index] ?? endedAtMs;
    const operation =
      author?.operation ?? nobodysRequest(record.key, body, Math.max(earliestMs, Math.min(seenAtMs, mostMs)));
    earliestMs = Math.max(earliestMs, operation.sentAtMs);
    for (const { operation: read } of reads.get(index - 1) ?? [])
      earliestMs = Math.max(earliestMs, read.sentAtMs);
    // T4.
    earliestMs = Math.min(earliestMs, mostMs);
    versions.push({ key: record.key, index, body, etag, atMs: earliestMs, operation });
    decided(operation, "applied", earliestMs, index);
  }
  for (const [index, found] of reads) for (const read of found) served(read, versions[index], index);
  for (const put of [...record.puts, ...record.deletes]) refused(put);
  return versions;
}

/** What each read found, by place in the chain; -1: nothing was there yet. */
function readsOf(record: KeyRecord, links: readonly Link[]): ReadonlyMap<number, readonly Observed[]> {
  const places = new Map<Etag, number>();
  // What nobody wrote again comes last; whoever read it before read the first.
  for (const [index, { etag, body }] of links.entries())
    if (body !== null && !places.has(etag)) places.set(etag, index);
  const removed = links.findIndex(({ body }) => body === null);
  const reads = new Map<number, Observed[]>();
  for (const read of record.gets) {
    const { did, operation } = read;
    let index: number | undefined;
    if (did?.kind === "ok" && "etag" in did) index = places.get(did.etag);
    // Nothing there: before the first version, unless a removal had been sent.
    else if (did?.kind === "not-found")
      index = removed >= 0 && (read.didAtMs ?? NEVER) >= sentAt(links[removed]) ? removed : -1;
    if (index === undefined) continue;
    if (removed >= 0 && index === removed) {
      decided(operation, "absent", read.didAtMs, null);
      continue;
    }
    const found = reads.get(index);
    if (found === undefined) reads.set(index, [read]);
    else found.push(read);
  }
  return reads;
}

function sentAt(link: Link | undefined): number {
  return link?.author?.operation.sentAtMs ?? NEVER;
}

/** T2, by place. */
function latestTimes(
  links: readonly Link[],
  reads: ReadonlyMap<number, readonly Observed[]>,
  endedAtMs: number,
): readonly number[] {
  const latest = new Array<number>(links.length);
  let mostMs = endedAtMs;
  for (let index = links.length - 1; index >= 0; index--) {
    const author = links[index]?.author ?? null;
    if (author?.did?.kind === "ok" && author.didAtMs !== null) mostMs = Math.min(mostMs, author.didAtMs);
    for (const { didAtMs } of reads.get(index) ?? []) mostMs = Math.min(mostMs, didAtMs ?? mostMs);
    latest[index] = mostMs;
  }
  return latest;
}

/** T3 for a read: when its version was there, within the time of the read. */
function served({ operation, didAtMs }: Observed, version: Version | undefined, index: number): void {
  const mostMs = didAtMs ?? NEVER;
  const atMs = Math.min(Math.max(operation.sentAtMs, version?.atMs ?? 0), mostMs);
  if (version === undefined) decided(operation, "absent", atMs, null);
  else decided(operation, "served", atMs, index);
}

function refused({ operation, did, didAtMs }: Observed): void {
  if (operation.verdict !== null || did === null) return;
  const { kind } = did;
  if (kind === "precondition-failed" || kind === "not-found" || kind === "conflict" || kind === "throttled")
    decided(operation, kind, didAtMs, null);
  // A removal of nothing.
  if (kind === "ok" && operation.kind === "delete") decided(operation, "absent", didAtMs, null);
}

function decided(
  operation: StoreOperation,
  verdict: NonNullable<StoreOperation["verdict"]>,
  atMs: number | null,
  version: number | null,
): void {
  operation.verdict = verdict;
  operation.appliedAtMs = atMs;
  operation.version = version;
}

/** Reads that found nothing although a version was there all the while; the checker of chains does not look at them. */
export function falseAbsences(history: Pick<RunHistory, "operations" | "chains">): readonly string[] {
  const found: string[] = [];
  for (const { kind, verdict, key, sentAtMs, answeredAtMs, id, process } of history.operations) {
    if (kind !== "get" || verdict !== "absent") continue;
    const chain = history.chains.get(key) ?? [];
    const there = chain.filter(({ atMs }) => atMs < sentAtMs).at(-1);
    const first = chain.find(({ atMs }) => atMs >= sentAtMs);
    if (there === undefined || there.body === null) continue;
    const goneMeanwhile = first?.body === null && first.atMs <= (answeredAtMs ?? NEVER);
    if (!goneMeanwhile) found.push(`read ${id} of ${process} found nothing under ${key}, which was there`);
  }
  return found;
}
