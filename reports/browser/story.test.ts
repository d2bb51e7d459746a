/**
 * Risk: a person reads the wrong story: a winner taken for a loser, a lost answer for a lost request.
 */
import { describe, expect, it } from "vitest";
import { handmadeRun, OPERATIONS } from "../fixture-run.ts";
import { detailsHtml } from "./details.ts";
import { itemsOf } from "./items.ts";
import { RunIndex } from "./run-index.ts";
import { sentence } from "./sentences.ts";
import { story } from "./story.ts";

const run = new RunIndex(handmadeRun());
const item = (id: string) => itemsOf(run.data).find((one) => one.id === id);
const words = (name: keyof typeof OPERATIONS): string => {
  const found = item(`o${OPERATIONS[name]}`);
  return found === undefined ? "" : sentence(found, run);
};

describe("a sentence", () => {
  it.each([
    ["created", "node-1 writes order-1 if it does not exist yet: makes v0"],
    ["lost", "node-2 writes order-1 if it is still v0: refused (412), it is v1 already, made by node-1"],
    ["answerLost", "node-1 writes order-1 if it is still v1: makes v2; node-1 gets no answer"],
    ["requestLost", "node-1 reads order-1: the request is lost"],
    ["conflict", "node-2 writes order-1 if it is still v2: refused (409), the store did not look"],
    ["absent", "node-1 reads turns/1: nothing there"],
    ["deleted", "node-1 deletes order-1 if it is still v2: gone"],
  ] as const)("of %s is: %s", (name, expected) => {
    expect(words(name)).toBe(expected);
  });

  it("of a late write says when it landed, of a sender that is gone that nobody heard", () => {
    expect(words("late")).toContain("the write lands 14 s after it gave up");
    expect(words("senderGone")).toContain(
      "nobody is there to hear the answer (the sender crashed around it)",
    );
  });
});

describe("the moments", () => {
  const moments = story(run);

  it("are in order of time and tell what struck, who lost and where it broke", () => {
    const times = moments.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const items = moments.map((moment) => moment.item);
    for (const name of ["lost", "answerLost", "requestLost", "late"] as const)
      expect(items).toContain(`o${OPERATIONS[name]}`);
    expect(moments.find(({ tone }) => tone === "broken")?.item).toBe(`o${OPERATIONS.won}`);
    expect(moments[0]?.words).toBe("clocks are off: node-2 −83 s");
  });

  it("leave out what goes well, but tell of the call behind the write that broke it", () => {
    const items = moments.map((moment) => moment.item);
    for (const name of ["read", "readByOther", "absent", "list"] as const)
      expect(items).not.toContain(`o${OPERATIONS[name]}`);
    expect(items).toContain("c1");
  });
});

describe("the details", () => {
  it("of a refused write name the winner and show what it wanted and what was there", () => {
    const lost = item(`o${OPERATIONS.lost}`);
    const html = lost === undefined ? "" : detailsHtml(lost, run);
    expect(html).toContain(`data-show="o${OPERATIONS.won}"`);
    expect(html).toContain("what it wanted to write");
    expect(html).toContain("v0 → v1, which was there");
    expect(html).toContain(`data-show="o${OPERATIONS.readByOther}"`);
  });

  it("of a winner name the losers", () => {
    const won = item(`o${OPERATIONS.won}`);
    expect(won === undefined ? "" : detailsHtml(won, run)).toMatch(/won against.*data-show="o5"/);
  });
});
