/**
 * Claims: of two workers that claim one turn at two nodes when its lease has just ended, while its holder renews the
 * lease at a third place, exactly one holds it afterwards.
 */
import { claim, create, leaseOf, PAST_LEASE_MS, SMALLEST, send } from "./acts.ts";
import { rehearse } from "./rehearse.ts";

export const leaseTakeover = rehearse({
  name: "lease-takeover",
  claim: "of a holder that renews and two workers that claim its turn, exactly one holds it afterwards",
  workload: SMALLEST,
  aheadMs: [0, PAST_LEASE_MS, PAST_LEASE_MS],
  cast(scene) {
    scene.actor("worker-1", 1, async (role) => {
      await create(role, scene.instance);
      await send(role, scene.instance);
      const task = await claim(role);
      await role.scene();
      if (task !== null) await role.client.heartbeat(leaseOf(task));
    });
    scene.actor("worker-2", 2, async (role) => {
      await role.scene();
      await claim(role);
    });
    scene.actor("worker-3", 3, async (role) => {
      await role.scene();
      await claim(role);
    });
  },
});
