/**
 * Saga: a trip is booked in parts, and when one part cannot be had, the parts before it are given back, last first.
 *
 * A refusal is a value that the step returns, so it is saved, and a replay knows it. An error is something else: it fails
 * the attempt, and the turn tries again where it was. So a broken line to the hotel books no second flight.
 */
import { workflow } from "../src/workflow/index.ts";
import type { Demo } from "./demo.ts";

export type Part = "flight" | "hotel" | "car";
export type Booked = { readonly booked: string } | { readonly refused: string };

/** Who sells the parts. `key` makes each call safe to repeat: the same key is the same booking. */
export interface Agency {
  book(part: Part, key: string): Promise<Booked>;
  cancel(part: Part, booking: string, key: string): Promise<void>;
}

export function trip(agency: Agency) {
  return workflow({
    name: "trip",
    version: "v1",
    initialState: { trips: 0 },
    async onMessage(ctx, state, message: { parts: readonly Part[] }) {
      const booked: { readonly part: Part; readonly booking: string }[] = [];
      for (const part of message.parts) {
        const answer = await ctx.step(`book-${part}`, ({ effectId }) => agency.book(part, effectId));
        if ("booked" in answer) {
          booked.push({ part, booking: answer.booked });
          continue;
        }
        for (const { part: earlier, booking } of booked.toReversed())
          await ctx.step(`cancel-${earlier}`, async ({ effectId }) => {
            await agency.cancel(earlier, booking, effectId);
            return null;
          });
        return { state, result: { ok: false, why: `${part}: ${answer.refused}` } };
      }
      return { state: { trips: state.trips + 1 }, result: { ok: true, why: "" } };
    },
  });
}

/** An agency that has no cars. */
export const carless: Agency = {
  book: async (part, key) => (part === "car" ? { refused: "none left" } : { booked: `${part}:${key}` }),
  cancel: async () => undefined,
};

const booking = trip(carless);

export const sagaDemo: Demo = {
  workflows: [booking],
  async run(client, id) {
    const handle = await client.workflows.start(booking, id);
    return handle.ask({ parts: ["flight", "hotel", "car"] }, { id: "trip-1" });
  },
};
