/**
 * What senders and people ask: create, send, signal, control.
 *
 * Owns the order of such a call: check (nothing is touched before), copy, right and room, command, view. A repeat about a turn that
 * has moved is decided on its segment of history, for the very version of the identity that says that it has moved.
 *
 * An admission may claim its turn for a claim that waits on this node (`handing.ts`); also one that shares its write with
 * others. Creations and people's controls hand nothing over: what they make ready is rung for.
 */
import type { StorePorts } from "../documents/conditional-write.ts";
import type { History } from "../documents/history.ts";
import type { Command, Instances } from "../documents/instances.ts";
import type { Admitted } from "../protocol/admit-and-claim.ts";
import { control, controlFinished, isTurnAction } from "../protocol/control.ts";
import { create } from "../protocol/create.ts";
import { type Decision, type Moment, refuse } from "../protocol/decision.ts";
import { isInHistory } from "../protocol/inbox.ts";
import { repeatedSend, send } from "../protocol/send.ts";
import { repeatedSignal, signal } from "../protocol/signal.ts";
import { instanceView, turnView } from "../protocol/view.ts";
import { copyJson } from "../std/json.ts";
import { err, ok } from "../std/result.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { ControlRequest, CreateRequest, SendRequest, SignalRequest } from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";
import type { InstanceView, TurnView } from "../vocabulary/view.ts";
import type { Access } from "./access.ts";
import type { Budgets, Room } from "./budgets.ts";
import type { Changes } from "./changes.ts";
import type { Reply } from "./engine.ts";
import type { Parts } from "./parts.ts";
import { checkControl, checkCreate, checkSend, checkSignal } from "./request-check.ts";

export class Messages {
  readonly #ports: StorePorts;
  readonly #instances: Instances;
  readonly #history: History;
  readonly #changes: Changes;
  readonly #access: Access;
  readonly #budgets: Budgets;

  constructor({ ports, instances, history, budgets }: Parts, changes: Changes, access: Access) {
    this.#ports = ports;
    this.#instances = instances;
    this.#history = history;
    this.#budgets = budgets;
    this.#changes = changes;
    this.#access = access;
  }

  /** The incarnation is drawn once for the call: a write that is sent again makes the same life. */
  async create(request: CreateRequest): Reply<InstanceView> {
    const wrong = checkCreate(request) ?? this.#access.create(request);
    if (wrong !== null) return err(wrong);
    const own = { ...request, state: copyJson(request.state ?? null) };
    const incarnation = this.#ports.ids.next();
    const room = await this.#budgets.room();
    const settled = await this.#instances.create(request.id, (instance, moment) =>
      room.toCreate(create(instance, own, incarnation, moment)),
    );
    if (!settled.ok) return settled;
    return ok(instanceView(settled.value.reply, settled.value.stamp, this.#ports.clock.wallMs()));
  }

  /** The memory of message ids is asked for the very version that the admission is conditional on (P9). */
  async send(request: SendRequest): Reply<TurnView> {
    const wrong = checkSend(request);
    if (wrong !== null) return err(wrong);
    const { origin } = request;
    const own = {
      ...request,
      message: copyJson(request.message),
      ...(origin === undefined ? {} : { origin: structuredClone(origin) }),
    };
    const room = await this.#budgets.room();
    const handing = this.#changes.handing();
    const command: Command<Admitted> = async (instance, moment) =>
      handing.decide(await this.#admission(instance, own, room, moment), moment);
    const settled = await handing.carry(() => this.#changes.instance(request.workflow_id, command, "shared"));
    return settled.ok ? ok(turnView(request.workflow_id, settled.value.reply.turn)) : settled;
  }

  async #admission(
    instance: Instance,
    request: SendRequest,
    room: Room,
    moment: Moment,
  ): Promise<Decision<Instance, Turn>> {
    const moved = await this.#history.turnOfMessage(instance, request.id);
    if (!moved.ok) return refuse(moved.error);
    return moved.value === null
      ? room.toAdmit(send(instance, request, moment))
      : repeatedSend(moved.value, request);
  }

  /** An event that was received before its turn moved is answered from history (P31). */
  async signal(request: SignalRequest): Reply<TurnView> {
    const wrong = checkSignal(request);
    if (wrong !== null) return err(wrong);
    const own = { ...request, value: copyJson(request.value) };
    const room = await this.#budgets.room();
    const command: Command<Turn> = async (instance, moment) => {
      const moved = await this.#moved(instance, request.turn);
      if (moved === null) return room.toAdmit(signal(instance, own, moment));
      return moved.kind === "refuse"
        ? moved
        : (repeatedSignal(moved.reply, own) ?? signal(instance, own, moment));
    };
    return this.#changes.turn(request.workflow_id, command, "shared");
  }

  /** A repeat about a turn that has moved is answered as long as the turn is kept (P42). */
  async control(request: ControlRequest): Reply<InstanceView> {
    const wrong = checkControl(request);
    if (wrong !== null) return err(wrong);
    // Other actions may name a turn, and mean the instance as it is all the same.
    const named = isTurnAction(request.action) ? (request.turn ?? 0) : 0;
    const command: Command<Instance> = async (instance, moment) => {
      const moved = await this.#moved(instance, named);
      if (moved === null) return control(instance, request, moment);
      return moved.kind === "refuse" ? moved : controlFinished(instance, moved.reply, request);
    };
    const settled = await this.#changes.instance(request.workflow_id, command);
    if (!settled.ok) return settled;
    return ok(instanceView(settled.value.reply, settled.value.stamp, this.#ports.clock.wallMs()));
  }

  /** The turn from history; null when it has not moved there, or was removed from there. */
  async #moved(
    instance: Instance,
    number: number,
  ): Promise<Exclude<Decision<never, Turn>, { kind: "write" }> | null> {
    if (!isInHistory(instance, number)) return null;
    const turn = await this.#history.turn(instance, number);
    return turn.ok ? { kind: "answer", reply: turn.value } : { kind: "refuse", failure: turn.error };
  }
}
