/**
 * A store as other processes see it: each view is a process of its own with its own connection (`store-check-child.ts`).
 *
 *   V1  a call goes as one line to the process and its outcome comes back as one; the process makes one request of it.
 *   V2  a process that ends leaves its open calls, and all later ones, with an unknown outcome. It is ended by closing
 *       its input, never killed: what it has sent shall land.
 *
 * Two of them share nothing but the store, so what one wrote and another does not see, the store keeps back.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type {
  DeleteCondition,
  DeleteOutcome,
  GetOutcome,
  ListOutcome,
  ListRequest,
  ObjectStore,
  PutCondition,
  PutOutcome,
} from "../../ports/index.ts";

export interface Views {
  readonly stores: readonly ObjectStore[];
  close(): Promise<void>;
}

/** The script lies beside this file, compiled in the same way. */
const CHILD = fileURLToPath(
  new URL(`./store-check-child${extname(fileURLToPath(import.meta.url))}`, import.meta.url),
);

/** Starts so many processes. Rejects when one of them cannot open the store. */
export async function startViews(
  count: number,
  text: string,
  folder: string,
  manner: string,
  script: string = CHILD,
): Promise<Views> {
  const views = Array.from({ length: count }, () => new View([script, text, manner], folder));
  const close = async () => {
    await Promise.all(views.map((view) => view.close()));
  };
  try {
    await Promise.all(views.map((view) => view.ready));
  } catch (error) {
    await close();
    throw error;
  }
  return { stores: views, close };
}

/** One process. */
class View implements ObjectStore {
  readonly ready: Promise<void>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  readonly #waiting = new Map<number, (outcome: unknown) => void>();
  #calls = 0;
  #gone = false;

  constructor(argv: readonly string[], folder: string) {
    this.#child = spawn(process.execPath, argv, { cwd: folder, stdio: "pipe" });
    this.#child.stdin.on("error", () => undefined);
    this.#ended = new Promise((resolve) => this.#child.once("close", () => resolve()));
    let said = "";
    this.#child.stderr.on("data", (bytes) => {
      said = `${said}${bytes}`.slice(-2_000);
    });
    this.ready = new Promise((resolve, reject) => {
      createInterface({ input: this.#child.stdout }).on("line", (line) => {
        const { id, outcome, ready, refused } = JSON.parse(line);
        if (ready === true) resolve();
        else if (refused !== undefined) reject(new Error(refused));
        else this.#answer(id, outcome);
      });
      this.#child.once("close", () => {
        this.#gone = true;
        reject(new Error(`a process of the check ended: ${said.trim() || "it said nothing"}`));
        for (const id of [...this.#waiting.keys()]) this.#answer(id, LOST);
      });
    });
    this.ready.catch(() => undefined);
  }

  get(key: string): Promise<GetOutcome> {
    return this.#call("get", [key]);
  }

  put(key: string, body: string, condition: PutCondition): Promise<PutOutcome> {
    return this.#call("put", [key, body, condition]);
  }

  delete(key: string, condition: DeleteCondition): Promise<DeleteOutcome> {
    return this.#call("delete", [key, condition]);
  }

  list(request: ListRequest): Promise<ListOutcome> {
    return this.#call("list", [request]);
  }

  close(): Promise<void> {
    this.#child.stdin.end();
    return this.#ended;
  }

  #call<Outcome>(call: string, args: readonly unknown[]): Promise<Outcome> {
    return new Promise((resolve) => {
      const id = ++this.#calls;
      // What comes back through the line is what the port's method answered there.
      this.#waiting.set(id, (outcome) => resolve(outcome as Outcome));
      if (this.#gone) this.#answer(id, LOST);
      else this.#child.stdin.write(`${JSON.stringify({ id, call, args })}\n`);
    });
  }

  #answer(id: number, outcome: unknown): void {
    this.#waiting.get(id)?.(outcome);
    this.#waiting.delete(id);
  }
}

const LOST = { kind: "unknown-outcome", detail: "the process of the check has ended" };
