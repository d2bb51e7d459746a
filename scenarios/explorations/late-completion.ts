/**
 * Claims: when a worker completes its turn at one node while another one claims the turn at the other node, whose clock
 * says that the lease has ended, either the completion stands or the claim does, and never both.
 *
 * Orders are searched until both nodes know which of them stands. What either does then, above all the move of the turn
 * to history that both make at once, comes in the order of time: `interrupted-move` searches that. With it this scene
 * would have 24 million orders (14,840 classes) without any fault, and some hundred times as many with one.
 */
import { claim, create, PAST_LEASE_MS, SMALLEST, save, send, work } from "./acts.ts";
import { rehearse } from "./rehearse.ts";

export const lateCompletion = rehearse({
  name: "late-completion",
  claim:
    "of a worker that completes its turn and one that claims it at the other node, exactly one has it: all until both nodes know",
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
  settled: (scene) => scene.areAllTold(),
});
