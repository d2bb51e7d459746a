/**
 * Claims: when a worker saves a step at one node while another one claims its turn at the other node, whose clock says
 * that the lease has ended, and goes on with the turn, the step is saved once, by the one who has the turn.
 */
import { claim, create, PAST_LEASE_MS, SMALLEST, save, send } from "./acts.ts";
import { rehearse } from "./rehearse.ts";

export const twoNodeHandoff = rehearse({
  name: "two-node-handoff",
  claim: "a worker that saves a step and one that takes its turn over at the other node agree on who has it",
  workload: SMALLEST,
  aheadMs: [0, PAST_LEASE_MS],
  cast(scene) {
    scene.actor("worker-1", 1, async (role) => {
      await create(role, scene.instance);
      await send(role, scene.instance);
      const task = await claim(role);
      await role.scene();
      await save(role, task);
    });
    scene.actor("worker-2", 2, async (role) => {
      await role.scene();
      await save(role, await claim(role));
    });
  },
});
