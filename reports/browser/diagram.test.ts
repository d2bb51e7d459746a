/**
 * Risk: something that happened is not on the page, or looks like something else that happened.
 */
import { describe, expect, it } from "vitest";
import { HOSTILE, handmadeRun, longRun, OPERATIONS, ORDER } from "../fixture-run.ts";
import { drawDiagram, drawGutter, drawOverview } from "./diagram.ts";
import { itemsOf, KINDS } from "./items.ts";
import { Picture } from "./picture.ts";
import { RunIndex } from "./run-index.ts";
import { ROW_HEIGHTS, START_VIEW, type View } from "./view.ts";

const run = new RunIndex(handmadeRun());
const pictureOf = (view: Partial<View> = {}, index = run) =>
  new Picture(index, { ...START_VIEW, ...view }, 900);
const diagram = drawDiagram(pictureOf());

/** The group of one item. */
function group(id: string, text = diagram): string {
  return text.split("<g ").find((part) => part.includes(`data-item="${id}"`)) ?? "";
}
const operation = (name: keyof typeof OPERATIONS) => group(`o${OPERATIONS[name]}`);

describe("the diagram", () => {
  it("has a group for everything that happened", () => {
    for (const { id } of itemsOf(run.data)) expect(group(id), id).not.toBe("");
  });

  it("tells every way that a request can go apart", () => {
    const marks = { created: 'class="made"', read: 'class="seen"', absent: "seen none", deleted: "<rect" };
    for (const [name, id] of Object.entries(OPERATIONS)) {
      const mark = Object.entries(marks).find(([key]) => key === name)?.[1];
      if (mark !== undefined) expect(group(`o${id}`), name).toContain(mark);
    }
    expect(operation("lost")).toContain("412, node-1 won");
    expect(operation("conflict")).toContain(">409<");
    expect(operation("throttled")).toContain(">slow down<");
    expect(operation("requestLost")).toContain("request lost");
    expect(operation("requestLost")).not.toContain('class="seen"');
    expect(operation("answerLost")).toContain("answer lost");
    expect(operation("answerLost")).toContain('class="made"');
    expect(operation("late")).toContain("way late");
    expect(operation("late")).not.toContain('class="back"');
    expect(operation("senderGone")).not.toContain('class="back"');
    expect(operation("list")).toContain("list, 1");
  });

  it("draws an edge from the version that a condition names, dashed when it was refused", () => {
    expect(operation("won")).toContain('class="edge"');
    expect(operation("lost")).toContain("refused-edge");
    expect(operation("created")).not.toContain("edge");
    expect(operation("conflict")).not.toContain("edge");
  });

  it("tells calls apart by what became of them", () => {
    expect(group("c1")).not.toContain("loss");
    expect(group("c2")).toContain("stale_token");
    expect(group("c3")).toContain("loss");
    expect(group("c4")).toContain("no reply");
    expect(group("c5").match(/call-way/g)).toHaveLength(2);
  });

  it("shows crashes, pauses, twins and clocks on their process", () => {
    for (const words of ["crashes", "paused", "goes on", "stalls", "outage", "a twin", "clock −83 s"])
      expect(diagram).toContain(`>${words}<`);
    for (const state of ["life down", "life twin", 'class="paused"']) expect(diagram).toContain(state);
    expect(diagram).toContain("faults are off from here");
  });

  it("marks where the invariant broke, on the version that the finding names", () => {
    expect(diagram).toContain("I04-no-foreign-write broken here");
    const place = new RegExp(
      `data-item="o${OPERATIONS.won}".*?<circle class="made" cx="([\\d.]+)" cy="([\\d.]+)"`,
    );
    const [, x, y] = place.exec(diagram) ?? [];
    expect(diagram).toContain(`<circle class="broken-ring" cx="${x}" cy="${y}"`);
  });

  it("lets no recorded text in unescaped, and no number that is none", () => {
    expect(diagram).not.toContain(HOSTILE);
    expect(diagram).not.toMatch(/<img|NaN|undefined|Infinity/);
  });

  it("is the same for the same run and view", () => {
    expect(drawDiagram(pictureOf())).toBe(diagram);
  });
});

describe("a view", () => {
  it("of one key has only operations on it, and calls and incidents", () => {
    const { items } = pictureOf({ keys: new Set([ORDER]) });
    const keys = new Set(
      items.flatMap((item) => (item.type === "operation" ? [run.data.keys[item.op.key]] : [])),
    );
    expect([...keys]).toEqual([ORDER]);
    expect(new Set(items.map(({ type }) => type)).size).toBe(3);
  });

  it("of one process has what it did and what was done to it", () => {
    const { items, lanes } = pictureOf({ processes: new Set(["node-2"]) });
    const ids = items.map(({ id }) => id);
    expect(ids).toContain(`o${OPERATIONS.lost}`);
    expect(ids).not.toContain(`o${OPERATIONS.created}`);
    expect(lanes.of("process node-2")).not.toBeNull();
    expect(lanes.of("process node-1")).toBeNull();
  });

  it("without a kind has nothing of it", () => {
    for (const kind of KINDS) {
      const kinds = new Set(KINDS.filter((one) => one !== kind));
      expect(pictureOf({ kinds }).items.some((item) => item.kind === kind)).toBe(false);
    }
  });

  it("of nothing draws an empty diagram", () => {
    expect(drawDiagram(pictureOf({ kinds: new Set() }))).toMatch(/^<svg/);
  });

  it("that is small has no words beside its marks", () => {
    const small = drawDiagram(pictureOf({ zoom: 0 }));
    expect(group(`o${OPERATIONS.created}`, small)).not.toContain('class="word');
    expect(ROW_HEIGHTS[0]).toBeLessThan(12);
  });
});

describe("a long run", () => {
  const long = new RunIndex(longRun(72));
  const picture = pictureOf({}, long);

  it("of 1,000 events has every one of them, in less than two megabytes", () => {
    expect(picture.items.length).toBeGreaterThan(1_000);
    const text = drawDiagram(picture) + drawGutter(picture) + drawOverview(picture);
    expect(text.match(/data-item=/g)).toHaveLength(picture.items.length);
    expect(text.length).toBeLessThan(2_000_000);
  });

  it("takes room for what happens, not for the time in between", () => {
    expect(long.data.endedAtMs).toBe(1_800_000);
    expect(picture.axis.height).toBeLessThan(60 * picture.items.length);
  });
});
