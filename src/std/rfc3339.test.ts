/**
 * RFC 3339 texts. Risk: a calendar that is right on most days.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { rfc3339 } from "./rfc3339.ts";

it("agrees with the platform's own calendar on any moment of the years 0 to 9999", () => {
  const moment = fc.integer({
    min: Date.parse("0000-01-01T00:00:00Z"),
    max: Date.parse("9999-12-31T23:59:59.999Z"),
  });
  fc.assert(
    fc.property(moment, (ms) => {
      expect(rfc3339(ms)).toBe(new Date(ms).toISOString());
    }),
    { numRuns: 2_000 },
  );
});

it("agrees on the days around each end of February and of the year from 1896 to 2104", () => {
  for (let year = 1896; year <= 2104; year++)
    for (const day of ["01-01", "02-28", "03-01", "12-31"])
      for (const ms of [0, 86_400_000]) {
        const at = Date.parse(`${year}-${day}T00:00:00Z`) + ms;
        expect(rfc3339(at)).toBe(new Date(at).toISOString());
      }
});
