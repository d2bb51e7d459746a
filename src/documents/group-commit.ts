/**
 * Group commit: commands on one object that reach a node while it writes that object share the next write.
 *
 *   C1  at most one write of an object is under way from this node, so its own callers never race each other for it.
 *   C2  the commands of a group are decided in the order of their arrival, each on the document as those before it leave
 *       it, and written at once. Each caller hears what was decided for its own command in the very round that was written.
 *       Each has a sequence of its own, as if it had been written alone.
 *   C3  what a command of a group answers without writing (a refusal, a repeat) may rest on what the others of its group
 *       write, so it is told only once that is settled; when it is not, the outcome is unknown to all of the group.
 *   C4  a command that refuses does not keep the others of its group from being written.
 *
 *   C5  only what senders do is shared (a message, a signal: it adds and looks at nothing else). Whatever else a caller
 *       asks waits its turn and is written alone, so that a version of the object is still the work of one such command.
 *       A message may claim its own turn for somebody (`protocol/admit-and-claim.ts`): only one of a group can be the
 *       head, so that is one such command, too.
 *
 * Does not own what is written, nor how it is settled (`conditional-write.ts`). A group has one time.
 * Source: catalogue B29, I17.
 */
import { answer, type Decision, type Moment, nothing, refuse, write } from "../protocol/decision.ts";
import { present } from "../std/assert.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Settled } from "./conditional-write.ts";

/** Decides on the document as it is, null: there is none. May be asked several times. */
export type Question<Document, Reply> = (
  current: Document | null,
  moment: Moment,
) => Promise<Decision<Document, Reply>> | Decision<Document, Reply>;

/** Carries one question to the object. */
export type Carry<Document> = <Reply>(
  id: string,
  question: Question<Document, Reply>,
) => Promise<Result<Settled<Document, Reply>, Failure>>;

/** What a caller of the group hears, and whether it is the one that does for all what follows a write. */
export interface Shared<Document, Reply> {
  readonly settled: Settled<Document, Reply>;
  readonly leads: boolean;
}

/** C5. */
export type Company = "shared" | "alone";

interface Member<Document> {
  readonly company: Company;
  /** Decides in the next round, and remembers what. */
  decide(current: Document | null, moment: Moment): Promise<Decision<Document, null>>;
  /** Tells the caller what came of the round; answers whether that is a success. */
  settle(group: Settled<Document, number>, leads: boolean): boolean;
  /** Nothing was written, and the last round refused all. */
  refuse(): void;
  fail(failure: Failure): void;
  crash(error: unknown): void;
}

/** All of a group have refused, and there is no document to answer from. */
const ALL_REFUSED = failure("conflict", "all_refused", "each command of the group was refused");

export class GroupCommit<Document> {
  readonly #carry: Carry<Document>;
  /** By object, while a write is under way: who waits for the next. */
  readonly #waiting = new Map<string, Member<Document>[]>();

  constructor(carry: Carry<Document>) {
    this.#carry = carry;
  }

  async run<Reply>(
    id: string,
    company: Company,
    question: Question<Document, Reply>,
  ): Promise<Result<Shared<Document, Reply>, Failure>> {
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined)
      return new Promise((resolve, reject) => {
        waiting.push(memberOf(company, question, resolve, reject));
      });
    this.#waiting.set(id, []);
    try {
      const settled = await this.#carry(id, question);
      return settled.ok ? ok({ settled: settled.value, leads: true }) : settled;
    } finally {
      this.#next(id);
    }
  }

  /** The write under way has ended: those that wait go on, or nobody does. */
  #next(id: string): void {
    const waiting = this.#waiting.get(id) ?? [];
    const [first] = waiting;
    if (first === undefined) {
      this.#waiting.delete(id);
      return;
    }
    const goes = (member: Member<Document>) =>
      first.company === "alone" ? member === first : member.company === "shared";
    this.#waiting.set(
      id,
      waiting.filter((member) => !goes(member)),
    );
    void this.#commit(id, waiting.filter(goes));
  }

  async #commit(id: string, members: readonly Member<Document>[]): Promise<void> {
    try {
      let rounds = 0;
      const settled = await this.#carry<number>(id, (current, moment) =>
        decided(members, rounds++, current, moment),
      );
      if (settled.ok) {
        let leads = true;
        for (const member of members) if (member.settle(settled.value, leads)) leads = false;
      } else if (settled.error === ALL_REFUSED) for (const member of members) member.refuse();
      else for (const member of members) member.fail(settled.error);
    } catch (error) {
      for (const member of members) member.crash(error);
    } finally {
      this.#next(id);
    }
  }
}

/** C2. The reply is the number of the round. */
async function decided<Document>(
  members: readonly Member<Document>[],
  round: number,
  stored: Document | null,
  moment: Moment,
): Promise<Decision<Document, number>> {
  let current = stored;
  let writes = 0;
  let answered = true;
  for (const member of members) {
    const sequence = moment.sequence + writes;
    const decision = await member.decide(current, { ...moment, sequence });
    if (decision.kind !== "answer") answered = false;
    if (decision.kind !== "write") continue;
    current = decision.next;
    writes++;
  }
  const sequence = moment.sequence + writes - 1;
  if (writes > 0)
    return { kind: "write", next: present(current, "what the group has written"), reply: round, sequence };
  if (stored === null) return refuse(ALL_REFUSED);
  return answered ? answer(round) : nothing(round);
}

function memberOf<Document, Reply>(
  company: Company,
  question: Question<Document, Reply>,
  resolve: (result: Result<Shared<Document, Reply>, Failure>) => void,
  reject: (error: unknown) => void,
): Member<Document> {
  const rounds: Decision<Document, Reply>[] = [];
  return {
    company,
    async decide(current, moment) {
      const decision = await question(current, moment);
      rounds.push(decision);
      if (decision.kind === "refuse") return decision;
      return decision.kind === "write" ? write(decision.next, null) : { kind: decision.kind, reply: null };
    },
    settle(group, leads) {
      const decision = present(rounds[group.reply], "what was decided in the round");
      if (decision.kind === "refuse") {
        resolve(err(decision.failure));
        return false;
      }
      const wrote = group.wrote && decision.kind === "write";
      resolve(ok({ settled: { ...group, reply: decision.reply, wrote }, leads }));
      return true;
    },
    refuse() {
      const decision = present(rounds.at(-1), "what was decided in the last round");
      resolve(err(decision.kind === "refuse" ? decision.failure : ALL_REFUSED));
    },
    fail(error) {
      resolve(err(error));
    },
    crash: reject,
  };
}
