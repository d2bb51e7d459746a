/**
 * Commands that share a write. Risk: a caller who hears another's answer, a command written twice or not at all, a
 * refusal told of what did not happen, one bad command in the way of the others.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { followed, lostAnswer, lostRequest, preceded, ScriptedStore } from "../adapters/scripted-store.ts";
import { SILENT } from "../ports/trace.ts";
import { nothing, refuse, write } from "../protocol/decision.ts";
import { CALLER } from "./backoff.ts";
import { conditionalWrite } from "./conditional-write.ts";
import { type Company, GroupCommit, type Question } from "./group-commit.ts";
import { adding, CLOSED, counted, MARKS_KEY, Marker, type Marks, marksCodec } from "./marks.ts";

let store: ScriptedStore;
let commits: GroupCommit<Marks>;
let other: Marker;
let asked: string[];

beforeEach(() => {
  store = new ScriptedStore();
  const clock = new ManualClock(0);
  asked = [];
  const ports = {
    store: counted(store, asked),
    clock,
    ids: countedIds("own"),
    random: { below: () => 0 },
    trace: SILENT,
  };
  other = new Marker("other", store.beneath, clock);
  commits = new GroupCommit((_id, question) =>
    conditionalWrite(ports, MARKS_KEY, marksCodec, CALLER, (current, moment) =>
      question(current?.value ?? null, moment),
    ),
  );
});

const question =
  (mark: string): Question<Marks, string> =>
  (current, moment) => {
    const decision = adding(mark)(
      current === null ? null : { value: current, stamp: STAMP, etag: "" },
      moment,
    );
    if (decision instanceof Promise) throw new Error("decided at once");
    return decision.kind === "write" ? write(decision.next, `${mark} at ${moment.sequence}`) : decision;
  };
const STAMP = { sequence: 0, write_id: "", lineage: [] };
const add = (mark: string, company: Company = "shared") => commits.run("i", company, question(mark));
const puts = () => asked.filter((kind) => kind === "put").length;
const replies = async (results: ReturnType<typeof add>[]) =>
  (await Promise.all(results)).map((result) => (result.ok ? result.value.settled.reply : result.error.code));

describe("a group", () => {
  it("C1, C2: is written at once behind the write under way, in order, each with a sequence of its own", async () => {
    const results = ["a", "b", "c", "d"].map((mark) => add(mark));
    expect(await replies(results)).toEqual(["a at 1", "b at 2", "c at 3", "d at 4"]);
    expect(puts()).toBe(2);
    expect(await other.read()).toMatchObject({ value: ["a", "b", "c", "d"], stamp: { sequence: 4 } });
  });

  it("C2: each hears of its own command, a repeat within the group too", async () => {
    const results = ["a", "b", "c", "b"].map((mark) => add(mark));
    expect(await replies(results)).toEqual(["a at 1", "b at 2", "c at 3", "there"]);
    expect((await other.read())?.value).toEqual(["a", "b", "c"]);
  });

  it("C4: a refusal keeps nobody else from being written", async () => {
    const results = ["a", "closed", "x", "closed"].map((mark) => add(mark));
    expect(await replies(results)).toEqual(["a at 1", "closed at 2", "closed", "there"]);
    expect((await other.read())?.value).toEqual(["a", "closed"]);
  });

  it("C2: is decided anew when another node was first, and answers what was written", async () => {
    const results = ["a", "b", "c"].map((mark) => add(mark));
    store.puts = [followed(async () => void (await other.add("c")))];
    expect(await replies(results)).toEqual(["a at 1", "b at 3", "there"]);
    expect((await other.read())?.value).toEqual(["a", "c", "b"]);
  });

  it("C2: answers from the round that was written, also when a later round was decided in between", async () => {
    await add("z");
    const results = ["a", "b", "c"].map((mark) => add(mark));
    // The group's write lands, its answer is lost; whoever reads finds it by its write id.
    store.puts = [followed(async () => undefined), lostAnswer];
    expect(await replies(results)).toEqual(["a at 2", "b at 3", "c at 4"]);
    expect((await other.read())?.value).toEqual(["z", "a", "b", "c"]);
  });

  it("writes nothing when nobody has anything to write", async () => {
    await add("closed");
    const results = ["x", "closed", "y"].map((mark) => add(mark));
    expect(await replies(results)).toEqual(["closed", "there", "closed"]);
    expect(puts()).toBe(1);
  });

  it("refuses each with its own reason when there is no document", async () => {
    const none: Question<Marks, string> = () => refuse(CLOSED);
    const results = [1, 2, 3].map(() => commits.run("i", "shared", none));
    expect(await replies(results)).toEqual(["closed", "closed", "closed"]);
    expect(puts()).toBe(0);
  });

  it("C3: is of unknown outcome as a whole when its write is never settled", async () => {
    const results = ["a", "b"].map((mark) => add(mark));
    store.puts = [preceded(async () => undefined), ...Array.from({ length: 20 }, () => lostRequest)];
    expect(await replies(results)).toEqual(["a at 1", "outcome_unknown"]);
  });
});

describe("the order of those who wait", () => {
  it("C5: a command that is alone shares no write, and the others pass neither before nor with it", async () => {
    const results = [add("a"), add("b", "alone"), add("c"), add("d", "alone"), add("e")];
    expect(await replies(results)).toEqual(["a at 1", "b at 2", "c at 3", "d at 5", "e at 4"]);
    expect(puts()).toBe(4);
  });

  it("one follows what a group wrote for all of it: the first that was not refused", async () => {
    await add("closed");
    const idle: Question<Marks, string> = () => nothing("idle");
    const shared = [
      commits.run("i", "shared", idle),
      add("x"),
      commits.run("i", "shared", idle),
      add("closed"),
    ];
    const leads = (await Promise.all(shared)).map((result) => result.ok && result.value.leads);
    expect(leads).toEqual([true, false, true, false]);
  });

  it("goes on after a command that breaks", async () => {
    const broken: Question<Marks, string> = () => {
      throw new Error("a defect");
    };
    const first = commits.run("i", "alone", broken);
    const second = add("b");
    await expect(first).rejects.toThrow("a defect");
    expect(await replies([second])).toEqual(["b at 1"]);
  });
});
