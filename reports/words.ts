/**
 * Words and figures for people, shared by every page.
 *
 * Owns what each kind of fault is called in a sentence. A kind that is not listed is told by its own name.
 */

const FAULTS: { readonly [kind: string]: string } = {
  "F01-lost-answer": "the store's answer was lost",
  "F02-lost-request": "the request was lost",
  "F03-late-write": "the write landed late, after its sender had given up",
  "F04-hidden-retry": "a layer below the sender sent it twice",
  "F05-conflict-409": "the store answered 409 without looking at the key",
  "F06-throttle": "the store asked to slow down",
  "F07-status": "the store gave an answer that its contract does not have",
  "F08-condition": "the store did not hold the condition against the key",
  "F09-etag-alias": "the store gave two versions one etag",
  "F10-stale-read": "the store answered with an older version",
  "F11-list": "the store's page of keys was not in order or not whole",
  "F12-broken-body": "the body came back damaged",
  "F13-partition": "the store was out of reach",
  "N01-crash": "the sender crashed around it",
  "N02-pause": "the sender was paused before it got the answer",
  "N03-starve": "the process got no turn for a while",
  "N04-stop": "the process was stopped in order",
  "N05-clock-back": "the clock went back over a restart",
  "N06-twin": "two processes ran under one name",
  "N07-drop-hint": "a hint to look again was dropped",
  "C01-skew": "the clock is off",
  "C02-step": "the clock jumped",
  "C03-tick": "the clock shows whole steps only",
  "C04-drift": "the clock runs too fast or too slow",
  "D01-duplicate-request": "the request was delivered twice",
  "D02-reorder": "requests overtook each other",
  "D03-poison": "a message was sent that no handler can take",
  "S01-hops": "the code that waits went on some turns later",
  "H01-lost-call": "the call was lost on its way",
  "H02-lost-reply": "the reply was lost on its way back",
};

/** What the fault did, as a clause. */
export function faultWords(kind: string): string {
  return FAULTS[kind] ?? kind;
}

/** `1234567` as `1,234,567`. */
export function grouped(value: number): string {
  return String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** A length of time in one or two units. */
export function spell(ms: number): string {
  const sign = ms < 0 ? "−" : "";
  const size = Math.abs(ms);
  if (size < 1_000) return `${sign}${Math.round(size)} ms`;
  if (size < 60_000) return `${sign}${trim((size / 1_000).toFixed(size < 10_000 ? 2 : 1))} s`;
  const seconds = Math.round(size / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${sign}${minutes} min ${seconds % 60} s`;
  return `${sign}${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function trim(digits: string): string {
  return digits.replace(/\.?0+$/, "");
}

/** A moment of the run: seconds with three digits, minutes in front when there are any. */
export function clockText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const seconds = ((ms % 60_000) / 1_000).toFixed(3);
  return minutes === 0 ? seconds : `${minutes}:${seconds.padStart(6, "0")}`;
}

/** `1 run`, `2 runs`. */
export function counted(n: number, noun: string): string {
  return `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;
}
