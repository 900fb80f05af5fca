import type { Calendar } from './calendar.js';

/** The store has told the wait by its own clock, which may differ from that of this process. */
const MOST_SKEW_MS = 300_000;
const MINUTE_MS = 60_000;

/**
 * A function that names the end of a period to clients of all locales: `1 December (Europe/Berlin)`. It names the time of
 * day of a day, and of a period that begins at another time than midnight because clocks skip it. It takes milliseconds
 * since 1970, and remembers its last answer, because under attack all clients get the same one.
 */
export function endText(calendar: Calendar): (time: number) => string {
  let known = { end: NaN, text: '' };
  return (time) => {
    const end = endNear(calendar, time);
    if (end !== known.end) known = { end, text: describe(calendar, end) };
    return known.text;
  };
}

/** A period whose first day has changed goes on until its own end, which the calendar does not know. */
function endNear(calendar: Calendar, time: number): number {
  const end = calendar.endNear(time);
  return Math.abs(end - time) <= MOST_SKEW_MS ? end : Math.round(time / MINUTE_MS) * MINUTE_MS;
}

function describe(calendar: Calendar, end: number): string {
  const local = calendar.localTime(end);
  const clock = local.toISOString().slice(11, 16);
  const hasClock = calendar.period === 'day' || clock !== '00:00';
  const date = local.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return `${date}${hasClock ? ` at ${clock}` : ''} (${calendar.timeZone})`;
}
