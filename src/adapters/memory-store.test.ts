/**
 * The memory store keeps the port's contract in both etag modes and with both answers to a missing key.
 */
import { expect, it } from "vitest";
import { describeObjectStore, type StoreTraits } from "../ports/object-store.contract.ts";
import { IF_ABSENT } from "../ports/object-store.ts";
import { MemoryStore } from "./memory-store.ts";

const KINDS: readonly StoreTraits[] = [
  { etags: "content-hash", onMissingKey: "not-found" },
  { etags: "counter", onMissingKey: "precondition-failed" },
];
for (const traits of KINDS) {
  const open = async () => ({ store: new MemoryStore(traits), close: () => Promise.resolve() });
  describeObjectStore(`memory, ${traits.etags} etags`, open, traits);
}

it("keeps two memory stores apart", async () => {
  const [a, b] = [new MemoryStore(), new MemoryStore()];
  await a.put("k", "one", IF_ABSENT);
  expect(await b.get("k")).toEqual({ kind: "not-found" });
});

it("refuses a page limit outside 1 to 1,000", () => {
  const store = new MemoryStore();
  for (const limit of [0, 1001, 1.5]) {
    expect(() => store.list({ prefix: "", cursor: null, limit })).toThrow("page limit");
  }
});
