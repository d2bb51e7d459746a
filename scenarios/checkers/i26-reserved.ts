/**
 * I26: reserved types and ids are the operator's: an ordinary caller never gets through, whatever token it holds.
 *
 *   V1  a stranger's call that would change anything of a reserved instance, or make one, is refused for just that; before
 *       the instance is there, it may also be told that there is none, or nothing to delete.
 *   V2  nobody else is refused for it: not the operator, not a person who sends, signals or controls, not whoever reads.
 *   V3  nothing of a stranger stands in any version of a reserved instance, and no reserved one is there but the operator's.
 *
 * Processes are named after who they are. Which calls are forbidden is written here from the published rules (seed 000
 * "LBB's own workflow types"), apart from the engine.
 */
import type { CallRecord, Checker } from "../../sim/index.ts";
import type { Instance } from "../../src/index.ts";
import { AUDIT } from "../systems/reserved-system.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { isObject } from "./shapes.ts";

const NAME = "I26-reserved";
const PREFIX = "lbb.";
const IDS = ["model-checks", "search-tuning", "model-trials", "calibration"];
const READS = new Set([
  "getInstance",
  "listInstances",
  "getTurn",
  "history",
  "inbox",
  "typeInbox",
  "getBlob",
]);

export const reserved: Checker<Facts> = {
  name: NAME,
  statement:
    "an ordinary caller neither makes, claims, writes to nor manages what has a reserved type or id, whatever token it holds, and is told so; reads are open, and a person and the operator are never refused for it",
  blind:
    "who a caller is, which is decided before the engine; a call that nobody answered and that changed nothing",
  check(history, facts) {
    const report = new Report(NAME);
    for (const record of history.calls) answered(record, facts, report);
    for (const chain of facts.records.identities.values())
      for (const { version, value } of chain) {
        if (!isReserved(value.workflow_type) && !IDS.includes(value.id)) continue;
        report.examine();
        const wrong = trace(value);
        if (wrong !== null) report.at(version, `${value.id}: ${wrong}`);
      }
    return report.finding();
  },
};

function isReserved(type: unknown): boolean {
  return typeof type === "string" && type.startsWith(PREFIX);
}

/** V1, V2. */
function answered(record: CallRecord, facts: Facts, report: Report): void {
  const { from, reply, outcome, operation, answeredAtMs } = record;
  if (outcome !== "answered" || !isObject(reply)) return;
  const error = isObject(reply.error) ? reply.error : null;
  if (error !== null && (error.kind === "unavailable" || error.kind === "unknown-outcome")) return;
  report.examine();
  const said = error === null ? "ok" : String(error.code);
  const forbidden = from.startsWith("stranger") && isForbidden(record);
  const refused = said.startsWith("reserved_workflow");
  const absent = error?.kind === "not-found" || (isObject(reply.value) && reply.value.deleted === false);
  if (forbidden ? refused || absent : !refused) return;
  report.add(
    `${from} asked for ${operation} (call ${record.id}) and was answered ${said}`,
    facts.decoder.identityKey(AUDIT.id),
    answeredAtMs,
  );
}

function isForbidden({ operation, request }: CallRecord): boolean {
  if (READS.has(operation) || !isObject(request)) return false;
  const { id, workflow_id, workflow_type, workflows } = request;
  if (operation === "createInstance") return isReserved(workflow_type) || IDS.includes(String(id));
  if (operation === "claim")
    return (
      Array.isArray(workflows) && workflows.some((one) => isObject(one) && isReserved(one.workflow_type))
    );
  return workflow_id === AUDIT.id || isReserved(workflow_type);
}

/** V3. */
function trace({ id, turns, deferred, state }: Instance): string | null {
  if (id !== AUDIT.id) return "it is there, and the operator never made it";
  if (typeof state !== "number") return `its state is ${JSON.stringify(state)}`;
  if (deferred.length > 0) return "something was sent back to it";
  for (const { number, message_id, holder, steps, signals, status, operation, migrations } of turns) {
    const where = `turn ${number}`;
    if (!message_id.startsWith("person")) return `${where} is of ${message_id}`;
    if (holder !== null && !holder.worker.startsWith("operator"))
      return `${where} is held by ${holder.worker}`;
    if (steps.some(({ key }) => key !== "look")) return `${where} has a step that is none of the operator's`;
    if (signals.some((one) => !one.id.startsWith("person"))) return `${where} got a stranger's signal`;
    if (status === "cancelled" || status === "failed" || operation !== null || migrations.length > 0)
      return `${where} is ${status}, as nobody asked`;
  }
  return null;
}
