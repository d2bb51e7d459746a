/**
 * Claims: when a worker completes its turn at one node while another one claims the turn at the other node, whose clock
 * says that the lease has ended, either the completion stands or the claim does, and never both.
 */
import { claim, create, PAST_LEASE_MS, SMALLEST, save, send, work } from "./acts.ts";
import { rehearse } from "./rehearse.ts";

export const lateCompletion = rehearse({
  name: "late-completion",
  claim: "of a worker that completes its turn and one that claims it at the other node, exactly one has it",
  workload: SMALLEST,
  aheadMs: [0, PAST_LEASE_MS],
  cast(scene) {
    scene.actor("worker-1", 1, async (role) => {
      await create(role, scene.instance);
      await send(role, scene.instance);
      const task = await save(role, await claim(role));
      await role.scene();
      await work(role, task);
    });
    scene.actor("worker-2", 2, async (role) => {
      await role.scene();
      await claim(role);
    });
  },
});
