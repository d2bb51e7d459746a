/**
 * Opening a store for serving: it is let in when it keeps the contract, refused with the reasons when it does not.
 *
 *   A1  the probe takes at most 40 requests; the record and the manner take 6 where each is answered, and at most
 *       `OWN_BUDGET`. On Amazon S3 and on Ceph an opening takes 38 in all, and 4 when the store is remembered.
 *   A2  a store that was found sound is remembered in the store itself, with what the finding is true of: the address,
 *       the bucket and the prefix (`identity`). A record that came from elsewhere, with copied objects, is none.
 *   A3  nor is a record believed on its own word, since the service behind an address may change. The store must still
 *       refuse two writes to it: to create it again, and to replace it on an etag that was never issued. A store that
 *       ignores conditions takes them, and what it takes is the same text.
 *       An answer that was lost counts as taken: it costs a probe.
 *   A4  where a store may have to be spoken to in several manners (etags with their quotes or without), the first one
 *       is taken in which a write on the current etag takes place. A manner is never changed while a store is open.
 *   A5  what is remembered is a hint that saves requests. Lost, it is found out again; in doubt, it is not believed.
 *
 * Source: catalogue I23, B18-B23.
 */
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import {
  type DeleteCondition,
  IF_ABSENT,
  ifMatch,
  type ListRequest,
  NO_CONDITION,
  type ObjectStore,
  type PutCondition,
} from "../ports/object-store.ts";
import { present } from "../std/assert.ts";
import { ProbeBench, Unanswered } from "./probe-bench.ts";
import { type Breach, probeStore, type StoreFindings } from "./store-probe.ts";

/** One way to speak to the store. */
export interface Manner {
  readonly name: string;
  readonly store: ObjectStore;
}

export interface AdmissionPorts {
  /** At least one; in the order in which they are tried (A4). */
  readonly manners: readonly Manner[];
  /** What a finding is true of (A2). */
  readonly identity: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

export type Admission =
  | {
      readonly kind: "admitted";
      readonly manner: Manner;
      /** Null: remembered from an earlier opening. */
      readonly findings: StoreFindings | null;
      readonly requests: number;
    }
  | { readonly kind: "refused"; readonly breaches: readonly Breach[]; readonly requests: number }
  /** The store did not answer: neither sound nor unsafe. */
  | { readonly kind: "inconclusive"; readonly why: string; readonly requests: number };

/** Everything that an opening writes lies below it. No key of the engine does. */
export const ADMISSION_PREFIX = "store-probe/";
const RECORD = "record.json";
const FORMAT = "baton/store-probe/1";
/** Requests for the record and the manner, with repeats. */
const OWN_BUDGET = 15;
const NEVER_ISSUED = "0123456789abcdef0123456789abcdef";

/** Asks the store whether it may be served from. */
export async function admitStore(ports: AdmissionPorts): Promise<Admission> {
  const opening = new Opening(ports);
  try {
    return await opening.run();
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return { kind: "inconclusive", why: error.message, requests: opening.requests };
  }
}

class Opening {
  readonly #ports: AdmissionPorts;
  readonly #spoken: Spoken;
  readonly #bench: ProbeBench;

  constructor(ports: AdmissionPorts) {
    this.#ports = ports;
    this.#spoken = new Spoken(present(ports.manners[0], "a manner to speak in"));
    this.#bench = new ProbeBench(this.#spoken, ports.clock, ADMISSION_PREFIX, OWN_BUDGET);
  }

  /** Requests sent so far, without those of the probe. */
  get requests(): number {
    return this.#bench.requests;
  }

  async run(): Promise<Admission> {
    const { clock, ids } = this.#ports;
    const remembered = await this.#remembered();
    if (remembered !== null)
      return { kind: "admitted", manner: remembered, findings: null, requests: this.requests };
    const manner = await this.#chosen();
    if (manner === null) return { kind: "refused", breaches: [NO_MANNER], requests: this.requests };
    const report = await probeStore({ store: manner.store, clock, ids }, ADMISSION_PREFIX);
    const requests = this.requests + report.requests;
    if (report.kind === "inconclusive") return { kind: "inconclusive", why: report.why, requests };
    if (report.kind === "unsafe") return { kind: "refused", breaches: report.breaches, requests };
    // Whatever becomes of it: without the record the next opening asks again (A5).
    await manner.store.put(ADMISSION_PREFIX + RECORD, recordOf(this.#ports, manner), NO_CONDITION);
    return { kind: "admitted", manner, findings: report.findings, requests: requests + 1 };
  }

  /** The manner in which this very store was found sound before, if it still refuses what it must (A2, A3). */
  async #remembered(): Promise<Manner | null> {
    const seen = await this.#bench.get(RECORD);
    if (seen.kind === "not-found") return null;
    const manner = this.#ports.manners.find((one) => recordOf(this.#ports, one) === seen.body);
    if (manner === undefined) return null;
    this.#spoken.manner = manner;
    for (const condition of [IF_ABSENT, ifMatch(NEVER_ISSUED)])
      if ((await this.#bench.put(RECORD, seen.body, condition)).kind === "ok") return null;
    return manner;
  }

  /** The first manner in which a write on the current etag takes place, or null (A4). */
  async #chosen(): Promise<Manner | null> {
    const { manners, ids } = this.#ports;
    const [only, another] = manners;
    if (only !== undefined && another === undefined) return only;
    const key = `${ids.next()}/manner`;
    const created = await this.#bench.put(key, `manner ${ids.next()}`, IF_ABSENT);
    // The probe will say what is wrong.
    if (created.kind === "refused") return only ?? null;
    let chosen: Manner | null = null;
    for (const manner of manners) {
      this.#spoken.manner = manner;
      const replaced = await this.#bench.put(key, `manner ${ids.next()}`, ifMatch(created.etag));
      if (replaced.kind !== "ok") continue;
      chosen = manner;
      break;
    }
    this.#bench.openReserve();
    await this.#bench.delete(key, NO_CONDITION);
    return chosen;
  }
}

const NO_MANNER: Breach = {
  property: "current-etag-taken",
  message: "a write on the current etag was refused, with the quotes of the etag and without them",
};

/** The text of a record, which is the same for the same finding: so it is compared, and not read. */
function recordOf({ identity }: AdmissionPorts, { name }: Manner): string {
  return JSON.stringify({ format: FORMAT, found: "sound", store: identity, manner: name });
}

/** The store in the manner of the moment. */
class Spoken implements ObjectStore {
  manner: Manner;

  constructor(manner: Manner) {
    this.manner = manner;
  }

  get(key: string) {
    return this.manner.store.get(key);
  }

  put(key: string, body: string, condition: PutCondition) {
    return this.manner.store.put(key, body, condition);
  }

  delete(key: string, condition: DeleteCondition) {
    return this.manner.store.delete(key, condition);
  }

  list(request: ListRequest) {
    return this.manner.store.list(request);
  }
}
