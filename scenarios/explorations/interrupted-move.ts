/**
 * Claims: a finished turn whose node died before it moved it to history is moved once, by a sweep at one node or by its
 * message that comes again at the other, and the message makes no second turn.
 */
import { claim, create, SMALLEST, send, sweep, work } from "./acts.ts";
import { rehearse } from "./rehearse.ts";

export const interruptedMove = rehearse({
  name: "interrupted-move",
  claim: "a turn whose move was interrupted is moved once, by a sweep or by its message that comes again",
  workload: SMALLEST,
  aheadMs: [0, 0],
  cast(scene) {
    scene.actor("worker-1", 1, async (role) => {
      await create(role, scene.instance);
      await send(role, scene.instance);
      scene.crashAfterCompletion(1);
      await work(role, await claim(role));
    });
    scene.actor("sender-1", 1, async (role) => {
      await role.scene();
      await send(role, scene.instance);
    });
    scene.actor("sweeper", 2, async (role) => {
      await role.scene();
      await sweep(role, scene.nodeAt(2));
    });
  },
});
