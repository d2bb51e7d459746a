/**
 * What a chaos run tells at its end: what was asked and done, what struck, what each checker examined, and the verdict.
 *
 *   R1  the exit code tells what makes the rest doubtful first: code that failed by itself, then a broken invariant, then
 *       work that was not done in time.
 *   R2  faults are counted where they took effect, kills also those that a server's own store brought upon it at a write.
 *   R3  a turn counts as completed when a worker was told so; turns whose answer was lost are not in this figure, although
 *       the checkers hold them.
 */
import { LEFT_OUT } from "../../../scenarios/chaos/index.ts";
import type { FaultKind } from "../../../sim/index.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import type { ChaosCounts } from "./chaos-processes.ts";
import type { ChaosResult } from "./chaos-session.ts";

export interface ToldSettings {
  /** Null: not known any more. */
  readonly seed: number | null;
  readonly nodes?: number;
  readonly workers?: number;
  readonly forMs?: number;
  readonly plant: string | null;
  /** What a proxy did, by kind. */
  readonly struck: ReadonlyMap<string, number>;
}

/** Violations of one invariant that are told in words. */
const TOLD = 5;

export function chaosExitCode({ failures, findings, waiting }: ChaosResult): number {
  if (failures.length > 0) return EXIT.crash;
  if ([...findings.values()].some(({ violations }) => violations.length > 0)) return EXIT.violation;
  return waiting.length > 0 ? EXIT.noProgress : EXIT.pass;
}

function figuresOf({ record, counts, end }: ChaosResult) {
  const { instances } = end.workload;
  const { operations, calls, healedAtMs, endedAtMs, chains } = record.history;
  const faults = new Map<FaultKind, number>();
  for (const { faults: kinds } of [...operations, ...calls])
    for (const kind of kinds) faults.set(kind, (faults.get(kind) ?? 0) + 1);
  const turns = new Set<string>();
  for (const { operation, reply } of calls) {
    const view = operation === "complete" && isRecord(reply) ? reply.value : null;
    if (isRecord(view)) turns.add(`${view.workflow_id} ${view.number}`);
  }
  return {
    instances: instances.length,
    messages: instances.reduce((sum, { messages }) => sum + messages.length, 0),
    completedTurns: turns.size,
    effects: record.effects.length,
    calls: calls.length,
    unansweredCalls: calls.filter(({ outcome }) => outcome !== "answered").length,
    storeOperations: operations.length,
    versions: [...chains.values()].reduce((sum, chain) => sum + chain.length, 0),
    seconds: Math.round(endedAtMs / 1_000),
    secondsOfFaults: Math.round((healedAtMs ?? 0) / 1_000),
    ...(counts === null ? {} : processFigures(counts)),
    faults: Object.fromEntries([...faults].sort()),
  };
}

export function chaosJson(told: ToldSettings, result: ChaosResult): object {
  const { findings, waiting, failures } = result;
  const { struck, ...settings } = told;
  return {
    ...settings,
    exitCode: chaosExitCode(result),
    figures: { ...figuresOf(result), proxy: Object.fromEntries(struck) },
    findings: Object.fromEntries(findings),
    waiting,
    failures,
    leftOut: Object.fromEntries(LEFT_OUT),
  };
}

export function chaosText(told: ToldSettings, result: ChaosResult): string {
  const { findings, waiting, failures } = result;
  const { faults, ...figures } = figuresOf(result);
  const lines = Object.entries(figures).map(([name, value]) => `${inWords(name).padEnd(20)} ${value}`);
  for (const [kind, count] of Object.entries(faults)) lines.push(`${kind.padEnd(20)} ${count}`);
  for (const [kind, count] of told.struck) lines.push(`${`proxy ${inWords(kind)}`.padEnd(20)} ${count}`);
  lines.push("");
  for (const [name, { examined, undecided = 0, violations }] of findings) {
    const left = undecided > 0 ? `, ${undecided} undecided` : "";
    const wrong = violations.length > 0 ? `, BROKEN ${violations.length} times` : "";
    lines.push(`${name.padEnd(26)} ${examined} examined${left}${wrong}`);
    for (const { message } of violations.slice(0, TOLD)) lines.push(`    ${message}`);
  }
  for (const [name, why] of LEFT_OUT) lines.push(`${name.padEnd(26)} not judged: ${why}`);
  lines.push("");
  for (const failure of failures) lines.push(`failed by itself: ${failure}`);
  for (const one of waiting) lines.push(`not done: ${one}`);
  lines.push(verdict(told, result));
  return `${lines.join("\n")}\n`;
}

function isRecord(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === "object" && value !== null;
}

function processFigures({ kills, deaths, freezes, restarts, starts, failedStarts }: ChaosCounts) {
  return { kills: kills + deaths, killsAtAWrite: deaths, freezes, restarts, starts, failedStarts };
}

/** `storeOperations` is `store operations`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function verdict({ seed, plant }: ToldSettings, result: ChaosResult): string {
  const broken = [...result.findings].filter(([, { violations }]) => violations.length > 0);
  const bug = plant === null ? "" : ` with the planted bug ${plant}`;
  const head = seed === null ? "judged again:" : `seed ${seed}${bug}:`;
  if (result.failures.length > 0) return `${head} code under test failed by itself`;
  if (broken.length > 0) return `${head} broken: ${broken.map(([name]) => name).join(", ")}`;
  if (result.waiting.length > 0) return `${head} not everything was done in time`;
  return `${head} no invariant broken, every acknowledged message completed`;
}
