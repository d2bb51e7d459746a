/**
 * What a handler asks of a child, as the engine is asked for it.
 *
 * Refused here is what the engine would refuse and what cannot be sent; the place in the turn and the lease are added by
 * the caller. A child that names a `Workflow` begins with that workflow's own state.
 */
import { LEASE_MS, MAX_ATTEMPTS, WAIT_MS } from "../vocabulary/limits.ts";
import type { StartChildRequest } from "../vocabulary/requests.ts";
import type { ChildOptions, NamedVersion } from "./context.ts";
import { toJson } from "./json-values.ts";
import { checkRange } from "./ranges.ts";

export type ChildRequest = Omit<StartChildRequest, "workflow_id" | "turn" | "token" | "position">;

/** Throws for what cannot be asked. */
export function childRequest(key: string, workflow: NamedVersion, options: ChildOptions): ChildRequest {
  const { timeoutMs, leaseMs, maxAttempts } = options;
  checkRange(timeoutMs, `the time limit of the child ${key}`, WAIT_MS);
  checkRange(leaseMs, `the lease of the child ${key}`, LEASE_MS);
  checkRange(maxAttempts, `maxAttempts of the child ${key}`, MAX_ATTEMPTS);
  const ownState = "initialState" in workflow ? workflow.initialState : null;
  return {
    key,
    workflow_type: workflow.name,
    version: workflow.version,
    state: toJson(options.state ?? ownState, `the state of the child ${key}`),
    message: toJson(options.message, `the message of the child ${key}`),
    timeout_ms: timeoutMs,
    ...(leaseMs === undefined ? {} : { lease_ms: leaseMs }),
    ...(maxAttempts === undefined ? {} : { max_attempts: maxAttempts }),
  };
}
