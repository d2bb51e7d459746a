/**
 * Dates as `Retry-After` may carry them: `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that servers still send.
 *
 * Counted here, because code that runs in a simulation may not touch `Date`. Source: RFC 9110, 5.6.7.
 */
const FORM = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY_MS = 86_400_000;
/** From 1 March 0000 to 1 January 1970. */
const EPOCH_DAYS = 719_468;

/** Unix milliseconds, or null when the text is no such date. */
export function readHttpDate(text: string): number | null {
  const found = FORM.exec(text.trim());
  if (found === null) return null;
  const [day = 0, year = 0, hours = 0, minutes = 0, seconds = 0] = [1, 3, 4, 5, 6].map((at) =>
    Number(found[at]),
  );
  const month = MONTHS.indexOf(found[2] ?? "") + 1;
  if (month === 0 || day < 1 || day > 31 || hours > 23 || minutes > 59 || seconds > 60) return null;
  return daysOf(year, month, day) * DAY_MS + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}

/** Days since 1 January 1970 in the Gregorian calendar, its years begun in March. */
function daysOf(year: number, month: number, day: number): number {
  const fromMarch = month <= 2 ? year - 1 : year;
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const leapDays = Math.floor(fromMarch / 4) - Math.floor(fromMarch / 100) + Math.floor(fromMarch / 400);
  return fromMarch * 365 + leapDays + ofYear - EPOCH_DAYS;
}
