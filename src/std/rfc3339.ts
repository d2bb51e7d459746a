/**
 * Unix milliseconds as an RFC 3339 text in UTC, for example `2026-07-23T09:30:00.000Z`.
 *
 * Counted here, because the code under simulation may not touch `Date`. The calendar is the proleptic Gregorian one,
 * reckoned from 1 March 0000, so that the leap day is the last of its year.
 */
const DAY_MS = 86_400_000;
/** Days of 400 years, which is the calendar's period. */
const ERA_DAYS = 146_097;
/** From 1 March 0000 to 1 January 1970. */
const EPOCH_DAYS = 719_468;

/** `unixMs`: a whole number within the years 0 to 9999. */
export function rfc3339(unixMs: number): string {
  const days = Math.floor(unixMs / DAY_MS);
  const ms = unixMs - days * DAY_MS;
  const time = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60].map((part) =>
    pad(Math.floor(part), 2),
  );
  return `${date(days + EPOCH_DAYS)}T${time.join(":")}.${pad(ms % 1_000, 3)}Z`;
}

function date(days: number): string {
  const era = Math.floor(days / ERA_DAYS);
  const day = days - era * ERA_DAYS;
  const year = Math.floor(
    (day - Math.floor(day / 1_460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365,
  );
  const ofYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const month = Math.floor((5 * ofYear + 2) / 153);
  const ofMonth = ofYear - Math.floor((153 * month + 2) / 5) + 1;
  const calendarMonth = month < 10 ? month + 3 : month - 9;
  const calendarYear = year + era * 400 + (calendarMonth <= 2 ? 1 : 0);
  return `${pad(calendarYear, 4)}-${pad(calendarMonth, 2)}-${pad(ofMonth, 2)}`;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
