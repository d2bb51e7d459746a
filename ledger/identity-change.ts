/**
 * What a write of an identity was for, from the identity before and after it.
 *
 *   D1  the turn's end comes before anything that happens in the same write, then the claim, then its steps.
 *   D2  a write that only takes finished turns out, or only notes what was pruned, is of the history.
 *   D3  a write that changes nothing of these is told by its call and not from here.
 *
 * Reads the stored text by itself: it shares no code with the engine, whose requests it sorts.
 */
import { isJsonObject, type Json, parseJson } from "../src/std/json.ts";
import type { Cause } from "./cause.ts";

interface SeenTurn {
  readonly ended: boolean;
  readonly token: string | null;
  readonly deadline: number | null;
  readonly steps: number;
  readonly operation: string;
}

interface SeenIdentity {
  readonly turns: ReadonlyMap<number, SeenTurn>;
  /** What the history says of itself, as text. */
  readonly moved: string;
}

const ENDED = ["completed", "failed", "cancelled"];
const HISTORY_FIELDS = ["history_through", "history_pruned_through", "history_erased_through", "history_ids"];

/** The cause of the write, or null when the two do not tell (D3). */
export function causeOfChange(before: string, after: string): Cause | null {
  const [was, now] = [seen(before), seen(after)];
  if (was === null || now === null) return null;
  const causes = new Set<Cause>();
  for (const [number, turn] of now.turns) causes.add(causeOfTurn(was.turns.get(number) ?? null, turn));
  for (const cause of ["complete", "claim", "checkpoint", "operation", "heartbeat", "admit"] as const)
    if (causes.has(cause)) return cause;
  return was.moved !== now.moved || was.turns.size !== now.turns.size ? "history" : null;
}

function causeOfTurn(was: SeenTurn | null, now: SeenTurn): Cause {
  if (was === null) return "admit";
  if (now.ended !== was.ended) return "complete";
  if (now.token !== was.token) return now.token === null ? "complete" : "claim";
  if (now.steps !== was.steps) return "checkpoint";
  if (now.operation !== was.operation) return "operation";
  return now.deadline === was.deadline ? "other" : "heartbeat";
}

function seen(body: string): SeenIdentity | null {
  const value = field(field(parseJson(body), "document"), "value");
  const turns = field(value, "turns");
  if (!Array.isArray(turns)) return null;
  const found = new Map<number, SeenTurn>();
  for (const turn of turns) {
    const number = field(turn, "number");
    if (typeof number === "number") found.set(number, seenTurn(turn));
  }
  return { turns: found, moved: JSON.stringify(HISTORY_FIELDS.map((name) => field(value, name) ?? null)) };
}

function seenTurn(turn: Json): SeenTurn {
  const status = field(turn, "status");
  const holder = field(turn, "holder");
  const [token, deadline, steps] = [
    field(holder, "token"),
    field(holder, "deadline_ms"),
    field(turn, "steps"),
  ];
  return {
    ended: typeof status === "string" && ENDED.includes(status),
    token: typeof token === "string" ? token : null,
    deadline: typeof deadline === "number" ? deadline : null,
    steps: Array.isArray(steps) ? steps.length : 0,
    operation: JSON.stringify(field(turn, "operation") ?? null),
  };
}

function field(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}
