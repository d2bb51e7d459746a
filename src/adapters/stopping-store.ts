/**
 * A store whose client stops for ever after some requests, as a node does that dies: the last one is still applied,
 * its answer and all that follow never come. Only tests use it.
 */
import type {
  DeleteCondition,
  DeleteOutcome,
  GetOutcome,
  ListOutcome,
  ListRequest,
  ObjectStore,
  PutCondition,
  PutOutcome,
} from "../ports/object-store.ts";

export class StoppingStore implements ObjectStore {
  readonly #beneath: ObjectStore;
  readonly #requests: number;
  #sent = 0;
  #stop: () => void = () => undefined;
  /** Resolved when the request comes that is not answered. */
  readonly stopped = new Promise<"stopped">((resolve) => {
    this.#stop = () => resolve("stopped");
  });

  /** Applies this many requests and answers all of them but the last. */
  constructor(beneath: ObjectStore, requests: number) {
    this.#beneath = beneath;
    this.#requests = requests;
  }

  get(key: string): Promise<GetOutcome> {
    return this.#pass(() => this.#beneath.get(key));
  }
  put(key: string, body: string, condition: PutCondition): Promise<PutOutcome> {
    return this.#pass(() => this.#beneath.put(key, body, condition));
  }
  delete(key: string, condition: DeleteCondition): Promise<DeleteOutcome> {
    return this.#pass(() => this.#beneath.delete(key, condition));
  }
  list(request: ListRequest): Promise<ListOutcome> {
    return this.#pass(() => this.#beneath.list(request));
  }

  #pass<T>(send: () => Promise<T>): Promise<T> {
    this.#sent += 1;
    if (this.#sent < this.#requests) return send();
    if (this.#sent === this.#requests) void send();
    this.#stop();
    return new Promise(() => undefined);
  }
}

/**
 * Runs `work` over a fresh store again and again, stopped one request later each time, and each time `after`; ends with
 * the first run that no stop was in the way of. Answers how many stops there were.
 */
export async function atEveryStop<Scene>(
  prepare: () => Promise<{ readonly scene: Scene; readonly store: ObjectStore }>,
  work: (store: ObjectStore, scene: Scene) => Promise<unknown>,
  after: (scene: Scene, requests: number) => Promise<void>,
): Promise<number> {
  for (let requests = 1; ; requests++) {
    const { scene, store } = await prepare();
    const stopping = new StoppingStore(store, requests);
    const end = await Promise.race([work(stopping, scene).then(() => "done"), stopping.stopped]);
    await after(scene, requests);
    if (end === "done") return requests - 1;
  }
}
