/**
 * What each fault does to a request under way. Which fault strikes is decided elsewhere.
 *
 *   W1  Lost answer, lost request, late write and partition look alike to the sender: the same object after a delay
 *       from the same distribution. Only the operation's record knows which it was.
 *   W2  A late write lands after its sender was told, and its condition is judged when it lands.
 *   W3  A fault is counted, and noted on the operation, when it has taken effect: a 409 at the store, a re-send when
 *       it is sent, a late write when it lands, a lost answer when the sender learns that it has none.
 *   W5  What strikes a process is decided with its request, but does not strike once the faults are switched off.
 *
 * Not here: what a broken store does by itself (`broken-key-space.ts`).
 */
import type { ListOutcome, Throttled } from "../../src/ports/object-store.ts";
import { unreachable } from "../../src/std/assert.ts";
import type { StoreOperation } from "../history/history.ts";
import type { ProcessFaultKind, StoreFaultKind } from "./store-faults.ts";
import type { AnyOutcome, Passage, Transport } from "./transport.ts";
import { NO_ANSWER } from "./transport.ts";

const THROTTLED: Throttled = Object.freeze({ kind: "throttled", retryAfterMs: null });
const THROTTLED_FOR_A_SECOND: Throttled = Object.freeze({ kind: "throttled", retryAfterMs: 1000 });

/** One throttled write in this many is applied all the same. */
const THROTTLED_BUT_APPLIED = 4;

/** Moments at which a request can be its sender's last: what the store saw of it differs. */
const CRASH_BEFORE_ARRIVAL = 0;
const CRASH_BEFORE_ANSWER = 1;
const CRASH_MOMENTS = 3;

export function strike<O extends AnyOutcome>(
  way: Transport,
  passage: Passage<O>,
  fault: StoreFaultKind,
): void {
  switch (fault) {
    case "F01-lost-answer":
      loseAnswer(way, passage, fault);
      break;
    case "F02-lost-request":
      loseRequest(way, passage, fault);
      break;
    case "F03-late-write":
      deferWrite(way, passage);
      break;
    case "F04-hidden-retry":
      sendTwice(way, passage);
      break;
    case "F05-conflict-409":
      refuse(way, passage);
      break;
    case "F06-throttle":
      throttle(way, passage);
      break;
    case "F11-list":
      cutPage(way, passage);
      break;
    case "F12-broken-body":
      breakBody(way, passage);
      break;
    case "F13-partition":
      if (way.faults.cut(passage.operation) === "answers") loseAnswer(way, passage, fault);
      else loseRequest(way, passage, fault);
      break;
    case "N01-crash":
      crashSender(way, passage);
      break;
    case "N02-pause":
    case "N03-starve":
    case "N06-twin":
      strikeAtStore(way, passage, fault);
      break;
    case "N04-stop":
      stopSender(way, passage);
      break;
    default:
      unreachable(fault);
  }
}

function loseAnswer<O extends AnyOutcome>(way: Transport, passage: Passage<O>, kind: StoreFaultKind): void {
  way.silence(passage, () => way.struck(passage.operation, kind));
  way.arrive(passage, () => way.serve(passage));
}

function loseRequest<O extends AnyOutcome>(way: Transport, passage: Passage<O>, kind: StoreFaultKind): void {
  way.silence(passage, () => undefined);
  way.struck(passage.operation, kind);
}

function deferWrite<O extends AnyOutcome>(way: Transport, passage: Passage<O>): void {
  const toldMs = way.silence(passage, () => undefined);
  const spanMs = way.faults.lateByMs - toldMs - 1;
  const landsMs = toldMs + 1 + (spanMs > 0 ? way.draw(spanMs, "store-late-ms") : 0);
  way.lateWrites += 1;
  const land = (): void => {
    way.lateWrites -= 1;
    way.struck(passage.operation, "F03-late-write");
    way.serve(passage);
  };
  way.simulation.after(landsMs, "store-late-request", land, passage.operation);
}

/** The first answer is lost to the layer that sends again, so the sender hears of the second send only. */
function sendTwice<O extends AnyOutcome>(way: Transport, passage: Passage<O>): void {
  const waitMs = passage.requestMs + passage.answerMs + way.draw(way.latency.resendMs, "store-resend-ms");
  // A read that nobody hears the answer of is nothing; and it could come after the one that is heard.
  if (isWrite(passage.operation)) way.arrive(passage, () => way.serve(passage));
  way.simulation.deliver(passage.context, waitMs, "store-resend", () => {
    way.struck(passage.operation, "F04-hidden-retry");
    way.plain(passage);
  });
}

function refuse<O extends AnyOutcome>(way: Transport, passage: Passage<O>): void {
  const { operation, conflict } = passage;
  if (conflict === null) {
    way.plain(passage);
    return;
  }
  way.arrive(passage, () => {
    way.struck(operation, "F05-conflict-409");
    operation.verdict = "conflict";
    way.answer(passage, conflict);
  });
}

function throttle<O extends AnyOutcome>(way: Transport, passage: Passage<O>): void {
  const { choices } = way.simulation;
  const { operation } = passage;
  const applies =
    isWrite(operation) &&
    choices.choose(THROTTLED_BUT_APPLIED, "store-throttle-applied") === THROTTLED_BUT_APPLIED - 1;
  const answer = choices.choose(2, "store-retry-after") === 0 ? THROTTLED : THROTTLED_FOR_A_SECOND;
  way.arrive(passage, () => {
    way.struck(operation, "F06-throttle");
    if (applies) way.serve(passage);
    else operation.verdict = "throttled";
    way.answer(passage, answer);
  });
}

/** A page may be shorter than asked for although more follows; the next one goes on behind what was shown. */
function cutPage<O extends AnyOutcome>(way: Transport, passage: Passage<O>): void {
  way.arrive(passage, () => {
    const outcome = way.serve(passage);
    if (outcome.kind === "ok" && "entries" in outcome && outcome.entries.length > 1) {
      way.struck(passage.operation, "F11-list");
      way.answer(passage, { ...outcome, ...firstOnly(outcome) });
    } else way.answer(passage, outcome);
  });
}

/** The first entry; its key is a cursor of the simulated store. */
function firstOnly({ entries }: ListOutcome & { readonly kind: "ok" }) {
  const first = entries.slice(0, 1);
  return { entries: first, next: first[0]?.key ?? null };
}

/** The answer breaks off in the middle of the body: the sender has no whole answer, so it has none. */
function breakBody<O extends AnyOutcome>(way: Transport, passage: Passage<O>): void {
  way.arrive(passage, () => {
    way.serve(passage);
    way.struck(passage.operation, "F12-broken-body");
    way.answer(passage, NO_ANSWER);
  });
}

function crashSender<O extends AnyOutcome>(way: Transport, passage: Passage<O>): void {
  const moment = way.simulation.choices.choose(CRASH_MOMENTS, "store-crash-moment");
  const crash = (): boolean => strikeSender(way, passage, "N01-crash");
  if (moment === CRASH_BEFORE_ARRIVAL) {
    way.arrive(passage, () => {
      if (!crash()) way.answer(passage, way.serve(passage));
    });
  } else if (moment === CRASH_BEFORE_ANSWER) {
    way.arrive(passage, () => {
      const outcome = way.serve(passage);
      if (!crash()) way.answer(passage, outcome);
    });
  } else {
    way.simulation.after(0, "store-crash", crash);
    way.plain(passage);
  }
}

/** The answer is under way when its sender is struck: it comes between a check and the act that follows. */
function strikeAtStore<O extends AnyOutcome>(
  way: Transport,
  passage: Passage<O>,
  kind: ProcessFaultKind,
): void {
  way.arrive(passage, () => {
    const outcome = way.serve(passage);
    strikeSender(way, passage, kind);
    way.answer(passage, outcome);
  });
}

/** The sender is told to stop as it sends, or while the answer is under way. */
function stopSender<O extends AnyOutcome>(way: Transport, passage: Passage<O>): void {
  if (way.simulation.choices.choose(2, "store-stop-moment") === 0) strikeAtStore(way, passage, "N04-stop");
  else {
    way.simulation.after(0, "store-stop", () => strikeSender(way, passage, "N04-stop"));
    way.plain(passage);
  }
}

function isWrite({ kind }: StoreOperation): boolean {
  return kind === "put" || kind === "delete";
}

/** Strikes the sender, if it still runs and somebody can (W5). Answers whether it did. */
function strikeSender<O extends AnyOutcome>(
  way: Transport,
  passage: Passage<O>,
  kind: ProcessFaultKind,
): boolean {
  const { strike: strikeNow, enabled } = way.faults;
  if (strikeNow === null || !enabled || !passage.context.alive) return false;
  way.struck(passage.operation, kind);
  strikeNow(kind, passage.context.name);
  return true;
}
