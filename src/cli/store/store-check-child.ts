/**
 * A process that a store check looks at the store through: it opens the store itself, and lends it out by lines.
 *
 *   node store-check-child.js STORE MANNER     one line `ready` when the store is open; then, for each line
 *                                              `{"id", "call", "args"}` on standard input, `{"id", "outcome"}`
 *
 * It ends when its standard input does. Nothing about the store is decided here.
 */
import { createInterface } from "node:readline";
import type { ObjectStore } from "../../ports/index.ts";
import { present } from "../../std/assert.ts";
import { reachStore } from "../serve/open-store.ts";

const [text = "", manner = ""] = process.argv.slice(2);

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

const reached = await reachStore(text, process.cwd());
if (!reached.ok) {
  say({ refused: reached.error.message });
} else {
  const { manners, close } = reached.value;
  const { store } = present(
    manners.find(({ name }) => name === manner),
    `the manner ${manner}`,
  );
  const answers: { readonly [call: string]: (args: never[]) => Promise<unknown> } = {
    get: (args) => store.get(...(args as unknown as Parameters<ObjectStore["get"]>)), // what a line holds has no type
    put: (args) => store.put(...(args as unknown as Parameters<ObjectStore["put"]>)), // as above
    delete: (args) => store.delete(...(args as unknown as Parameters<ObjectStore["delete"]>)), // as above
    list: (args) => store.list(...(args as unknown as Parameters<ObjectStore["list"]>)), // as above
  };
  const lines = createInterface({ input: process.stdin });
  say({ ready: true });
  for await (const line of lines) {
    const { id, call, args } = JSON.parse(line);
    void present(answers[call], `the call ${call}`)(args).then((outcome) => say({ id, outcome }));
  }
  await close();
}
