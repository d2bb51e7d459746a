/**
 * Turns that are given without a claim of their own, in the exact model: with the completion of the turn before, and with
 * the admission of a message that a claim waits for.
 *
 *   S20  what goes with a completion is the head that it leaves, if a claim by that worker would be given it then. A repeat
 *        of the completion is told that attempt again, under its token, as long as it holds the head and its time is not
 *        over; other workers, other completions and later attempts are told of none. The completion is the same whether or
 *        not it can give.
 *   S21  a message is claimed with its admission when a claim waits that would be given its turn: so when nothing stands in
 *        front of it. The sender is then answered the turn as it runs. A repeat is given to nobody.
 *
 * Whether a claim waits is the caller's to say (`World.waiting`), and that no time passes meanwhile.
 *
 * Source: issue "Handoff cost near the floor" (complete-and-claim, admit-and-claim).
 */
import { isOver } from "./attempts.ts";
import { giveHead, isReady, showTask } from "./claims.ts";
import { isFields, type Request } from "./fields.ts";
import { type Answer, answer } from "./refusal.ts";
import { instanceOf, sendMessage } from "./senders.ts";
import type { Fields } from "./show.ts";
import { complete, onTurn } from "./workers.ts";
import { headOf, type Instance, turnOf, type World } from "./world.ts";

/** S20. `said`: the engine's answer, for the token; null: it refused. */
export function completeAndClaim(
  world: World,
  request: Request,
  engineCode: string | null,
  said: unknown,
): Answer {
  const instance = instanceOf(world, request.workflow_id);
  const isRepeat = instance !== undefined && turnOf(instance, request.turn)?.completion != null;
  const completed = onTurn(world, request, engineCode, complete);
  const { next } = request;
  if (!completed.ok || instance === undefined || !isFields(next) || !isFields(completed.value))
    return completed;
  const task = isFields(said) ? said.next : null;
  const given = isRepeat
    ? toldAgain(world, instance, request, next)
    : granted(world, instance, request, task);
  return answer({ ...completed.value, next: given });
}

function granted(world: World, instance: Instance, { turn, next }: Request, task: unknown): Fields | null {
  if (!isFields(next) || !isReady(world, next, instance)) return null;
  world.deeds.push("next turn given");
  return giveHead(world, next, instance, task, Number(turn));
}

function toldAgain(world: World, instance: Instance, { turn }: Request, next: Request): Fields | null {
  const head = headOf(instance);
  const holder = head?.holder ?? null;
  if (head === null || holder === null || isOver(world, head)) return null;
  if (holder.grantedBy !== turn || holder.worker !== next.worker) return null;
  world.deeds.push("next turn told again");
  return showTask(world, instance, head, holder.token);
}

/** S21. */
export function sendToWaiting(world: World, request: Request): Answer {
  const { waiting } = world;
  const instance = instanceOf(world, request.workflow_id);
  const before = instance?.turns.length;
  const sent = sendMessage(world, request);
  if (waiting === null || instance === undefined || instance.turns.length === before) return sent;
  const isHead = headOf(instance)?.number === instance.turns.length;
  if (!isHead || !isReady(world, waiting.request, instance)) return sent;
  waiting.expected = giveHead(world, waiting.request, instance, waiting.given, null);
  world.deeds.push("turn handed over");
  return answer(waiting.expected?.turn);
}
