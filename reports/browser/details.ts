/**
 * What stands beside the diagram for the event that was clicked: a sentence, the facts, the documents.
 *
 *   E1  Of a write both documents are shown: the one that its condition names (or that stood there) and the one it
 *       makes or wanted to make.
 *   E2  Everything that it names is a link to that event: the version's maker, the read that a condition came from,
 *       winner and losers of a race, the calls that the sender was serving then.
 *   E3  What the store did and what the sender was told are two facts, also when they agree.
 *   E4  Values are escaped where they are put into HTML, in this file; what comes from `documents.ts` is HTML already.
 */
import { escapeHtml } from "../escape.ts";
import type { CallData, OperationData } from "../report-data.ts";
import { clockText, faultWords } from "../words.ts";
import { changeHtml, documentHtml } from "./documents.ts";
import { type Item, landingMs, wasToldNothing } from "./items.ts";
import { replyWords } from "./reply.ts";
import { isWrite, type RunIndex } from "./run-index.ts";
import { lifeOf, sentence } from "./sentences.ts";

/** Calls under way that are named beside a request. */
const MOST_CALLS = 4;

/** A name, and a value that is HTML already (E4). */
type Fact = readonly [name: string, html: string];

export function detailsHtml(item: Item, run: RunIndex): string {
  const title = `<h2>${escapeHtml(sentence(item, run))}</h2>`;
  switch (item.type) {
    case "operation":
      return title + factsHtml(operationFacts(item.op, run)) + operationDocuments(item.op, run);
    case "call": {
      const { call } = item;
      const bodies = run.data.bodies;
      const reply = call.reply === null ? "" : documentHtml("reply", bodies[call.reply] ?? "");
      return `${title}${factsHtml(callFacts(item, run))}${documentHtml("request", bodies[call.request] ?? "")}${reply}`;
    }
    case "incident":
      return (
        title +
        factsHtml([
          ["at", clockText(item.atMs)],
          ["kind", escapeHtml(item.incident.kind)],
        ])
      );
  }
}

/** A link to another event of the run. */
function eventLink(op: OperationData, words: string): string {
  return `<button class="link" data-show="o${op.id}">${escapeHtml(words)}</button>`;
}

/** E2. */
function callLink(call: CallData): string {
  const words = `${call.operation} of ${call.from}`;
  return `<button class="link" data-show="c${call.id}">${escapeHtml(words)}</button>`;
}

/** In the order of what happened: sending, condition, store, answer, and what bore on it. */
function operationFacts(op: OperationData, run: RunIndex): readonly Fact[] {
  const facts: Fact[] = [
    ["request", `#${op.id}, ${escapeHtml(op.kind)}`],
    [op.kind === "list" ? "prefix" : "key", escapeHtml(run.names.of(op.key).full)],
    ["sent", `${clockText(op.sentAtMs)} by ${escapeHtml(lifeOf(op.process, op.incarnation))}`],
  ];
  if (op.condition !== null) facts.push(["condition", conditionHtml(op, run)]);
  facts.push(["store", storeHtml(op)], ["told", toldHtml(op)]);
  for (const fault of op.faults)
    facts.push([
      "fault",
      `<span class="fault-word">${escapeHtml(fault)}</span> ${escapeHtml(faultWords(fault))}`,
    ]);
  const calls = run
    .servedBy(op)
    .slice(0, MOST_CALLS)
    .map((call) => callLink(call));
  if (calls.length > 0) facts.push(["serving", calls.join(", ")]);
  const rival = run.rivalOf(op);
  if (rival !== null) {
    const words = `${rival.operation.process}, with v${rival.index} at ${clockText(rival.version.atMs)}`;
    facts.push(["lost to", eventLink(rival.operation, words)]);
  }
  const losers = run
    .losersTo(op)
    .map((loser) => eventLink(loser, `${loser.process} at ${clockText(loser.sentAtMs)}`));
  if (losers.length > 0) facts.push(["won against", losers.join(", ")]);
  return facts;
}

function conditionHtml(op: OperationData, run: RunIndex): string {
  const { condition } = op;
  if (condition === null) return "none";
  if (condition.kind !== "if-match") return escapeHtml(condition.kind);
  const named = run.version(op.key, condition.version);
  const etag = `<code title="${escapeHtml(condition.etag ?? "")}">${escapeHtml(shortEtag(condition.etag ?? ""))}</code>`;
  if (named === null) return `if-match ${etag}, which no version had`;
  const basis = run.basisOf(op);
  const read = basis === null ? "" : `, ${eventLink(basis, `read at ${clockText(basis.answeredAtMs ?? 0)}`)}`;
  return `if-match ${etag}, that is ${eventLink(named.operation, `v${named.index} by ${named.operation.process}`)}${read}`;
}

function shortEtag(etag: string): string {
  return etag.length <= 14 ? etag : `${etag.slice(0, 12)}…`;
}

function storeHtml(op: OperationData): string {
  const atMs = landingMs(op);
  if (op.verdict === null || atMs === null) return "never got it";
  const version = op.version === null ? "" : ` v${op.version}`;
  const when = op.appliedAtMs === null ? "" : `${clockText(atMs)} `;
  return `${when}${escapeHtml(op.verdict)}${version}`;
}

/** E3. */
function toldHtml(op: OperationData): string {
  if (op.answeredAtMs === null || op.told === null) return "nothing: the sender was gone";
  const what = wasToldNothing(op) ? "no answer; it cannot know what happened" : escapeHtml(op.told);
  return `${clockText(op.answeredAtMs)} ${what}`;
}

/** E1. */
function operationDocuments(op: OperationData, run: RunIndex): string {
  const { bodies } = run.data;
  const bodyOf = (index: number | null | undefined): string | null =>
    index === null || index === undefined ? null : (bodies[index] ?? null);
  if (op.kind === "list" || op.verdict === "absent") return "";
  if (!isWrite(op)) {
    const read = run.version(op.key, op.version);
    if (read === null) return "";
    const before = run.version(op.key, read.index - 1);
    const title = before === null ? `v${read.index}` : `v${read.index}, changed since v${before.index}`;
    return changeHtml(title, bodyOf(before?.version.body), bodyOf(read.version.body));
  }
  const base = run.version(op.key, op.condition?.version ?? null) ?? run.before(op);
  const before = bodyOf(base?.version.body);
  const from = base === null ? "nothing" : `v${base.index}`;
  if (op.verdict === "applied") return changeHtml(`${from} → v${op.version}`, before, bodyOf(op.body));
  const wanted = changeHtml(`${from} → what it wanted to write`, before, bodyOf(op.body));
  const rival = run.rivalOf(op);
  if (rival === null || rival === base) return wanted;
  return `${wanted}${changeHtml(`${from} → v${rival.index}, which was there`, before, bodyOf(rival.version.body))}`;
}

function callFacts(item: Extract<Item, { readonly type: "call" }>, run: RunIndex): readonly Fact[] {
  const { call } = item;
  const facts: Fact[] = [
    ["call", `#${call.id}, ${escapeHtml(call.operation)}`],
    [
      "sent",
      `${clockText(call.sentAtMs)} by ${escapeHtml(lifeOf(call.from, call.fromIncarnation))} to ${escapeHtml(call.to)}`,
    ],
    [
      "told",
      `${call.answeredAtMs === null ? "" : clockText(call.answeredAtMs)} ${escapeHtml(replyWords(run.data, call).words)}`,
    ],
  ];
  for (const fault of call.faults)
    facts.push([
      "fault",
      `<span class="fault-word">${escapeHtml(fault)}</span> ${escapeHtml(faultWords(fault))}`,
    ]);
  return facts;
}

/** Names come from this file, values are HTML (E4). */
function factsHtml(facts: readonly Fact[]): string {
  return `<dl>${facts.map(([name, html]) => `<dt>${name}</dt><dd>${html}</dd>`).join("")}</dl>`;
}
