/**
 * Draws what a turn does beside plain steps, and what is sent about it.
 *
 *   L3  a source of zeroes draws plain steps, no signal and no control.
 *   L4  nothing is drawn here for a shape without waits, so such scenarios are not touched by them.
 */
import type { ChoiceSource } from "../../sim/index.ts";
import type { Act } from "./acts.ts";
import type { ControlPlan, MessagePlan, SignalPlan, WaitShape } from "./workload.ts";

type Waits = Pick<MessagePlan, "acts" | "turnedAway" | "signals" | "controls">;

/** Two of three signals go where they belong. */
const STRAYS = ["no", "no", "no", "next", "missing"] as const;
/** Steps of the times at which signals and controls are sent, milliseconds. */
const GRAIN_MS = 50;
/** One portion of an operation is one of these parts of its limit, so that the most portions take half of it. */
const PORTIONS = [0, 1 / 12, 1 / 6];

/** `leastMs`: no limit of an operation is shorter, see `Circumstances`. */
export function drawWaits(
  choices: ChoiceSource,
  shape: WaitShape,
  id: string,
  steps: number,
  leastMs: number,
): Waits {
  const acts: Act[] = [];
  for (let position = 0; position < steps; position++) acts.push(drawAct(choices, shape, leastMs));
  const times = shape.turnedAway > 0 ? choices.choose(1 + shape.turnedAway, "workload-turned-away") : 0;
  const away = { times, ms: 2_000, busy: times > 0 && choices.choose(2, "workload-busy") === 1 };
  const signals: SignalPlan[] = [];
  const many = shape.signals > 0 ? choices.choose(1 + shape.signals, "workload-signals") : 0;
  for (let n = 1; n <= many; n++) signals.push(drawSignal(choices, shape, `${id}-signal-${n}`));
  const controls: ControlPlan[] = [];
  const acted = shape.controls > 0 ? choices.choose(1 + shape.controls, "workload-controls") : 0;
  for (let n = 1; n <= acted; n++) controls.push(drawControl(choices, shape));
  return { acts, ...(times > 0 ? { turnedAway: away } : {}), signals, controls };
}

function drawAct(choices: ChoiceSource, shape: WaitShape, leastMs: number): Act {
  const kind = pick(choices, shape.acts, "workload-act");
  switch (kind) {
    case "step":
      return { kind };
    case "sleep":
      return { kind, ms: pick(choices, shape.sleepsMs, "workload-sleep") };
    case "wait": {
      const name = pick(choices, shape.names, "workload-wait-name");
      return { kind, name, ms: pick(choices, shape.waitsMs, "workload-wait") };
    }
    case "operate": {
      const limit_ms = Math.max(leastMs, pick(choices, shape.limitsMs, "workload-limit"));
      return {
        kind,
        portions: 1 + choices.choose(3, "workload-portions"),
        portion_ms: Math.trunc(limit_ms * pick(choices, PORTIONS, "workload-portion")),
        limit_ms,
        silence_ms: choices.choose(2, "workload-silence") === 1 ? Math.trunc(limit_ms / 2) : null,
        hangs: shape.hangs > 0 ? choices.choose(1 + shape.hangs, "workload-hangs") : 0,
      };
    }
  }
}

function drawSignal(choices: ChoiceSource, shape: WaitShape, id: string): SignalPlan {
  const name = pick(choices, shape.names, "workload-signal-name");
  const afterMs = GRAIN_MS * choices.choose(1 + shape.afterMs / GRAIN_MS, "workload-signal-after");
  const stray = shape.strays ? pick(choices, STRAYS, "workload-stray") : "no";
  // JSON null is a value like any other.
  const value =
    choices.choose(4, "workload-signal-value") === 3 ? null : choices.choose(100, "workload-signal-number");
  return { id, name, value, afterMs, stray, ...drawRepeats(choices, shape) };
}

function drawControl(choices: ChoiceSource, shape: WaitShape): ControlPlan {
  const action = pick(choices, shape.actions, "workload-action");
  const afterMs = GRAIN_MS * choices.choose(1 + shape.afterMs / GRAIN_MS, "workload-control-after");
  return { action, afterMs, ...drawRepeats(choices, shape) };
}

function drawRepeats(choices: ChoiceSource, shape: WaitShape) {
  const repeats = shape.repeats > 0 ? choices.choose(1 + shape.repeats, "workload-repeats") : 0;
  const repeatAfterMs =
    repeats > 0 ? GRAIN_MS * choices.choose(1 + shape.repeatMs / GRAIN_MS, "workload-repeat-after") : 0;
  const aimed = shape.aimed && choices.choose(2, "workload-aimed") === 1;
  return { repeats, repeatAfterMs, aimed };
}

export function pick<Item>(choices: ChoiceSource, from: readonly Item[], label: string): Item {
  const at = from.length > 1 ? choices.choose(from.length, label) : 0;
  const picked = from[at];
  if (picked === undefined) throw new Error(`${label}: nothing to pick from`);
  return picked;
}
