/**
 * The chain of versions of each key, rebuilt from what the processes saw.
 *
 * Nobody watched the store. What is known of a key: writes that were answered, versions that somebody read, and the
 * objects that are there at the end. Versions are told apart by their etags, and a conditional write names the etag
 * that it followed; so the order is in the record itself, and no clock is asked for it.
 *
 *   B1  a write of which nobody saw the answer was applied when somebody saw its body under an etag, and else was not.
 *       Of several sends of one body the one that may have been applied counts: first those without an answer.
 *   B2  a version follows the one that its condition names. Two that follow the same one are both kept, side by side:
 *       the checker of chains reports the second.
 *   B3  removals have no etag: one stands where a later write found nothing, or where nothing is at the end.
 *   B4  a version that nobody wrote, and an object that is not at the end what the last write made it, become versions
 *       written by `nobody`. So the checkers see what was lost or came from elsewhere, and it is told by itself, too.
 *
 * When each was applied is `applied-times.ts`.
 */
import type { StoreOperation } from "../../sim/index.ts";
import type { Etag } from "../../src/ports/object-store.ts";
import type { Observed } from "./operations.ts";

/** An object as it is at the end. */
export interface FinalObject {
  readonly key: string;
  readonly body: string;
  readonly etag: Etag;
}

/** A place in a chain. */
export interface Link {
  /** Null: removed. */
  readonly body: string | null;
  readonly etag: Etag;
  /** Null: nobody. */
  readonly author: Observed | null;
  /** When somebody first saw it in the store. */
  readonly seenAtMs: number;
}

export const NOBODY = "nobody";

/** Everything that was asked about one key. */
export class KeyRecord {
  readonly key: string;
  readonly puts: Observed[] = [];
  readonly gets: Observed[] = [];
  readonly deletes: Observed[] = [];
  constructor(key: string) {
    this.key = key;
  }
}

export function byKey(observed: readonly Observed[]): ReadonlyMap<string, KeyRecord> {
  const keys = new Map<string, KeyRecord>();
  for (const one of observed) {
    const { kind, key } = one.operation;
    if (kind === "list") continue;
    let record = keys.get(key);
    if (record === undefined) {
      record = new KeyRecord(key);
      keys.set(key, record);
    }
    (kind === "put" ? record.puts : kind === "get" ? record.gets : record.deletes).push(one);
  }
  return keys;
}

/**
 * The versions of one key, oldest first. `final`: what is there at the end; null: nothing; undefined: nobody looked.
 * `strange` is told what no request explains (B4).
 */
export function chainOf(
  record: KeyRecord,
  final: FinalObject | null | undefined,
  strange: (what: string) => void,
): readonly Link[] {
  const links = linksOf(record, final ?? null, strange);
  const ordered = inOrder(links, final ?? null);
  return withRemovals(ordered, record, final, strange);
}

/** B1: every version that was ever there, by etag. */
function linksOf(
  record: KeyRecord,
  final: FinalObject | null,
  strange: (what: string) => void,
): ReadonlyMap<Etag, Link> {
  const links = new Map<Etag, Link>();
  for (const put of record.puts) {
    const { did, didAtMs, operation } = put;
    if (did?.kind !== "ok" || !("etag" in did) || didAtMs === null) continue;
    const twin = links.get(did.etag);
    if (twin !== undefined && twin.body !== operation.body)
      strange(`two bodies of ${record.key} have the etag ${did.etag}`);
    links.set(did.etag, { body: operation.body, etag: did.etag, author: put, seenAtMs: didAtMs });
  }
  const used = new Set([...links.values()].map(({ author }) => author));
  const see = (etag: Etag, body: string, atMs: number): void => {
    const known = links.get(etag);
    if (known !== undefined) {
      if (known.body !== body) strange(`two bodies of ${record.key} have the etag ${etag}`);
      if (atMs < known.seenAtMs) links.set(etag, { ...known, seenAtMs: atMs });
      return;
    }
    const author = authorOf(record.puts, body, atMs, used);
    used.add(author);
    if (author === null) strange(`a version of ${record.key}, ${etag}, was seen that nobody wrote`);
    links.set(etag, { body, etag, author, seenAtMs: atMs });
  };
  for (const { did, didAtMs } of record.gets)
    if (did?.kind === "ok" && "body" in did && didAtMs !== null) see(did.etag, did.body, didAtMs);
  if (final !== null) see(final.etag, final.body, Number.POSITIVE_INFINITY);
  return links;
}

/** B1: who can have written a body that was seen: somebody who was never answered; else somebody who was refused. */
function authorOf(
  puts: readonly Observed[],
  body: string,
  seenAtMs: number,
  used: ReadonlySet<Observed | null>,
): Observed | null {
  const able = puts.filter(
    (put) => !used.has(put) && put.operation.body === body && put.operation.sentAtMs <= seenAtMs,
  );
  return able.find(mayHaveLanded) ?? able[0] ?? null;
}

/** Whether nobody knows that it was not applied: it was passed on, and the store did not refuse it. */
function mayHaveLanded({ did, operation: { faults } }: Observed): boolean {
  if (did !== null) return isOpen(did.kind);
  return faults.length === 0 || faults.includes("F03-late-write");
}

function isOpen(kind: string): boolean {
  return kind === "unknown-outcome" || kind === "throttled";
}

/** B2: the etag of the version that it followed; null: none was there; undefined: its author did not say. */
function predecessor({ author }: Link): Etag | null | undefined {
  const condition = author?.operation.condition;
  if (condition?.kind === "if-match") return condition.etag;
  return condition?.kind === "if-absent" ? null : undefined;
}

/** B2: a walk along the conditions; of versions that follow the same one, the one that leads to the end comes last. */
function inOrder(links: ReadonlyMap<Etag, Link>, final: FinalObject | null): readonly Link[] {
  const followers = new Map<Etag, Link[]>();
  const roots: Link[] = [];
  for (const link of links.values()) {
    const before = predecessor(link);
    // One that follows itself, or a version that nobody ever saw, begins a walk of its own.
    if (before == null || before === link.etag || !links.has(before)) roots.push(link);
    else if (followers.get(before)?.push(link) === undefined) followers.set(before, [link]);
  }
  const onTheWay = wayTo(final, links);
  const rank = (a: Link, b: Link): number => {
    const [mainA, mainB] = [onTheWay.has(a), onTheWay.has(b)];
    return mainA === mainB ? sentAt(a) - sentAt(b) : mainA ? 1 : -1;
  };
  const ordered: Link[] = [];
  const visited = new Set<Link>();
  const walk = (first: Link): void => {
    for (const stack = [first]; stack.length > 0; ) {
      const link = stack.pop();
      if (link === undefined || visited.has(link)) continue;
      visited.add(link);
      ordered.push(link);
      // The last one pushed is walked first.
      stack.push(...[...(followers.get(link.etag) ?? [])].sort(rank).reverse());
    }
  };
  for (const root of roots.sort((a, b) => sentAt(a) - sentAt(b))) walk(root);
  // What is left follows itself in a circle: the store gave an etag twice.
  for (const link of links.values()) walk(link);
  return ordered;
}

/** The versions before the final one, and itself. */
function wayTo(final: FinalObject | null, links: ReadonlyMap<Etag, Link>): ReadonlySet<Link> {
  const way = new Set<Link>();
  for (let link = links.get(final?.etag ?? ""); link !== undefined && !way.has(link); ) {
    way.add(link);
    link = links.get(predecessor(link) ?? "");
  }
  return way;
}

function sentAt({ author, seenAtMs }: Link): number {
  return author === null ? seenAtMs : author.operation.sentAtMs;
}

/** B3, B4. */
function withRemovals(
  ordered: readonly Link[],
  record: KeyRecord,
  final: FinalObject | null | undefined,
  strange: (what: string) => void,
): readonly Link[] {
  // A removal that was answered comes first: the others found nothing.
  const removals = record.deletes
    .filter(({ did }) => did === null || did.kind === "ok" || isOpen(did.kind))
    .sort((a, b) => Number(b.did?.kind === "ok") - Number(a.did?.kind === "ok"));
  const take = (after: Link | undefined): Link | null => {
    const at = removals.findIndex(({ didAtMs }) => (didAtMs ?? Number.POSITIVE_INFINITY) >= sinceOf(after));
    const [author] = at < 0 ? [] : removals.splice(at, 1);
    if (author === undefined) return null;
    return { body: null, etag: "", author, seenAtMs: author.didAtMs ?? Number.POSITIVE_INFINITY };
  };
  const chain: Link[] = [];
  for (const link of ordered) {
    const before = chain.at(-1);
    const removal = before !== undefined && predecessor(link) === null ? take(before) : null;
    if (removal !== null) chain.push(removal);
    chain.push(link);
  }
  if (final === undefined) return chain;
  const last = chain.at(-1);
  const nobodys = { author: null, seenAtMs: Number.POSITIVE_INFINITY };
  if (final === null) {
    if (last === undefined) return chain;
    const removal = take(last);
    if (removal === null) strange(`${record.key} is gone at the end, and nobody removed it`);
    chain.push(removal ?? { body: null, etag: "", ...nobodys });
  } else if (last?.etag !== final.etag) {
    strange(`${record.key} is at the end the version ${final.etag}, which ${last?.etag} had followed`);
    chain.push({ body: final.body, etag: final.etag, ...nobodys });
  }
  return chain;
}

function sinceOf(link: Link | undefined): number {
  return link?.author?.operation.sentAtMs ?? Number.NEGATIVE_INFINITY;
}

/** The request that stands for a version that nobody asked for. */
export function nobodysRequest(key: string, body: string | null, atMs: number): StoreOperation {
  return {
    id: 0,
    process: NOBODY,
    incarnation: 1,
    kind: body === null ? "delete" : "put",
    key,
    condition: { kind: "none" },
    body,
    sentAtMs: atMs,
    appliedAtMs: null,
    verdict: null,
    version: null,
    answeredAtMs: null,
    outcome: null,
    faults: [],
  };
}
