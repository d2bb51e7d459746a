/**
 * The limits of a migration and of a token, which need an attempt of their own kind. Risk: as in `limits.test.ts`.
 */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../vocabulary/limits.ts";
import { failed, got, leaseOf } from "./example-nodes.ts";
import { name, type Reply, text, World } from "./limit-world.contract.ts";

/** The migration that a turn was claimed for, with what it is asked to be. */
async function migrating(world: World, to: string, from: string): Promise<(fields: object) => Reply> {
  const id = "old";
  await got(world.node.createInstance({ id, workflow_type: "other", version: from }));
  await got(world.node.sendMessage({ workflow_id: id, id: "m", message: 1 }));
  const code = { workflow_type: "other", version: to, migrates_from: [from] };
  const task = await got(world.node.claim({ worker: "w", workflows: [code] }));
  if (task === null) throw new Error("nothing to migrate");
  return (fields) => world.node.migrate({ ...leaseOf(task), from, to, state: 1, ...fields } as never);
}

async function refuses(world: World, call: () => Reply, kind: string): Promise<void> {
  const before = await world.stored();
  expect(await failed(call())).toMatchObject({ kind });
  expect(await world.stored()).toEqual(before);
}

describe("a migration", () => {
  it.each([LIMITS.stateBytes - 1, LIMITS.stateBytes])(
    "takes a state of %d bytes, and none above",
    async (bytes) => {
      const world = await World.begin();
      const migrate = await migrating(world, "v2", "v1");
      await refuses(world, () => migrate({ state: text(LIMITS.stateBytes + 1) }), "over-limit");
      await got(migrate({ state: text(bytes) }));
    },
  );

  it.each([LIMITS.idChars - 1, LIMITS.idChars])(
    "takes versions of %d characters, and none above",
    async (chars) => {
      const world = await World.begin();
      const migrate = await migrating(world, name(chars), `${name(chars - 1)}x`);
      for (const field of ["from", "to"])
        await refuses(world, () => migrate({ [field]: name(LIMITS.idChars + 1) }), "invalid");
      await got(migrate({}));
    },
  );
});

it("a token is looked up when it has the length of one, and refused above", async () => {
  const world = await World.begin();
  const renew = (chars: number) => () => world.node.heartbeat({ ...world.lease, token: name(chars) });
  await refuses(world, renew(LIMITS.idChars + 1), "invalid");
  await refuses(world, renew(LIMITS.idChars), "fenced");
  await refuses(world, renew(LIMITS.idChars - 1), "fenced");
});
