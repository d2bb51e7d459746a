/**
 * Inbox views: the unfinished turns of one instance, and the instances of a type that have some.
 *
 * The first is one read of the identity. The second asks the scheduling index which instances to look at and reads
 * each it shows: the index may lag, so an instance whose inbox has emptied is left out, and counts come from the index.
 *
 * Source: seed 000 "Inbox"; contract section 7.
 */
import type { StorePorts } from "../documents/conditional-write.ts";
import type { Instances } from "../documents/instances.ts";
import type { IndexObject } from "../documents/scheduling-index.ts";
import { inboxPage, inboxSummary } from "../protocol/inbox-view.ts";
import { err, ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import { DEFAULTS, LIMITS } from "../vocabulary/limits.ts";
import type { InboxRequest, TypeInboxRequest } from "../vocabulary/requests.ts";
import type { InboxPage, InboxSummary, TypeInboxPage } from "../vocabulary/view.ts";
import { checkBoolean, checkInteger, checkName } from "./field-check.ts";

export class Inboxes {
  readonly #ports: StorePorts;
  readonly #instances: Instances;
  readonly #index: IndexObject;

  constructor(ports: StorePorts, instances: Instances, index: IndexObject) {
    this.#ports = ports;
    this.#instances = instances;
    this.#index = index;
  }

  async ofInstance(request: InboxRequest): Promise<Result<InboxPage, Failure>> {
    const { workflow_id: id, limit = DEFAULTS.inboxPage, payloads = false } = request;
    const after = request.after ?? 0;
    const wrong =
      checkName(id, "workflow_id") ??
      checkInteger(after, "after", 0, Number.MAX_SAFE_INTEGER) ??
      checkInteger(limit, "limit", 1, LIMITS.inboxPage) ??
      checkBoolean(payloads, "payloads");
    if (wrong !== null) return err(wrong);
    const loaded = await this.#instances.load(id);
    if (!loaded.ok) return loaded;
    const nowMs = this.#ports.clock.wallMs();
    return ok(inboxPage(loaded.value.value, { after, limit, payloads }, nowMs));
  }

  async ofType(request: TypeInboxRequest): Promise<Result<TypeInboxPage, Failure>> {
    const { workflow_type: type, version = null, after = null, limit = DEFAULTS.inboxPage } = request;
    const wrong =
      checkName(type, "workflow_type") ??
      (version === null ? null : checkName(version, "version")) ??
      (after === null ? null : checkName(after, "after")) ??
      checkInteger(limit, "limit", 1, LIMITS.inboxPage);
    if (wrong !== null) return err(wrong);
    const index = await this.#index.read();
    if (!index.ok) return index;
    const entries = [...index.value].filter(
      ([, entry]) => entry.workflow_type === type && (version === null || entry.version === version),
    );
    // A paused instance says nothing of its inbox: it is looked at.
    const listed = entries.filter(([, entry]) => entry.status !== "idle").map(([id]) => id);
    const ids = listed.sort().filter((id) => after === null || id > after);
    const page = ids.slice(0, limit);
    const looks = await Promise.all(page.map((id) => this.#summary(id)));
    const instances: InboxSummary[] = [];
    for (const look of looks) {
      if (!look.ok) return look;
      if (look.value !== null) instances.push(look.value);
    }
    const next_after = ids.length > limit ? (page.at(-1) ?? null) : null;
    return ok({ identities: entries.length, with_messages: listed.length, instances, next_after });
  }

  /** Null: it has no unfinished turn any more, or is gone. */
  async #summary(id: string): Promise<Result<InboxSummary | null, Failure>> {
    const loaded = await this.#instances.load(id);
    if (loaded.ok) return ok(inboxSummary(loaded.value.value, this.#ports.clock.wallMs()));
    return loaded.error.kind === "not-found" ? ok(null) : loaded;
  }
}
