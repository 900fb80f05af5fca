/** What follows each other in a calendar. */
export type Period = 'day' | 'week' | 'month' | 'year';

export const PERIODS: readonly Period[] = ['day', 'week', 'month', 'year'];

/** Monday is the first of a week, as in ISO 8601. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** A period and the end of the next one, in microseconds since 1970. */
export interface Bounds {
  readonly begins: number;
  readonly ends: number;
  readonly nextEnds: number;
}

/** The first day of a period: of a week 0 to 6 from Monday on, of a month its day, of a year its month and day. */
export interface FirstDay {
  /** 0 to 11. */
  readonly month: number;
  /** A day that a month lacks is its last day. */
  readonly day: number;
}

const DAY = 86_400_000;

/**
 * The periods of a calendar in a time zone. A period begins at the first instant of its first day, which is not midnight where
 * clocks skip it.
 */
export class Calendar {
  readonly period: Period;
  readonly timeZone: string;
  readonly #first: FirstDay;
  readonly #clock: Intl.DateTimeFormat;
  /** The last answer, which is right until its period has ended. */
  #known: Bounds = { begins: 0, ends: 0, nextEnds: 0 };

  /** The last answer about a length. */
  #ending: Bounds = this.#known;

  /** @throws RangeError for an unknown time zone */
  constructor(period: Period, timeZone: string, first: FirstDay) {
    this.period = period;
    this.timeZone = timeZone;
    this.#first = first;
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    this.#clock = new Intl.DateTimeFormat('en-US', { ...parts, second: 'numeric', hourCycle: 'h23', timeZone });
  }

  /** The period that holds a time. @param now microseconds since 1970 */
  around(now: number): Bounds {
    const { begins, ends } = this.#known;
    if (now < begins || now >= ends) this.#known = this.#find(Math.floor(now / 1e3));
    return this.#known;
  }

  /** The ends of the periods from the one before the time on. */
  ends(now: number, count: number): readonly number[] {
    const today = new Date(Math.floor(this.#local(Math.floor(now / 1e3)) / DAY) * DAY);
    const ends: number[] = [];
    for (let shift = 0; ends.length < count; shift += 1) {
      const end = this.#firstInstant(this.#firstDay(today, shift).getTime()) * 1e3;
      // Where clocks go back past midnight, a day has begun before the day before it is over.
      if (end <= now) ends[0] = end;
      // Where clocks skip a day, two of them begin at the same time.
      else if (end !== ends.at(-1)) ends.push(end);
    }
    return ends;
  }

  /** The length in microseconds of the period whose end is the nearest to a time. @param time milliseconds since 1970 */
  lengthUntil(time: number): number {
    const { begins, ends } = this.#endingNear(time);
    return ends - begins;
  }

  /** The end of a period that is the nearest to a time. Both in milliseconds since 1970. */
  endNear(time: number): number {
    return this.#endingNear(time).ends / 1e3;
  }

  /** What clocks show, as if it were in UTC. @param time milliseconds since 1970 */
  localTime(time: number): Date {
    return new Date(this.#local(time));
  }

  #endingNear(time: number): Bounds {
    const isNear = ({ begins, ends }: Bounds) => Math.abs(ends / 1e3 - time) <= (ends - begins) / 2e3;
    if (!isNear(this.#ending)) {
      const holding = this.#find(Math.floor(time));
      this.#ending = isNear(holding) ? holding : this.#find(holding.begins / 1e3 - 1);
    }
    return this.#ending;
  }

  #find(time: number): Bounds {
    const [begins, ends, nextEnds] = this.ends(time * 1e3, 3);
    return { begins: begins!, ends: ends!, nextEnds: nextEnds! };
  }

  /** The first day of a period, by the number of periods after the one that has a day. As if it were in UTC. */
  #firstDay(today: Date, shift: number): Date {
    const { month, day } = this.#first;
    const [years, months, date] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
    if (this.period === 'day') return new Date(Date.UTC(years, months, date + shift));
    if (this.period === 'week') {
      const age = (today.getUTCDay() + 6 - day + 7) % 7;
      return new Date(Date.UTC(years, months, date - age + 7 * shift));
    }
    const isYear = this.period === 'year';
    const own = dayOf(years, isYear ? month : months, day);
    const late = today < own ? shift - 1 : shift;
    return isYear ? dayOf(years + late, month, day) : dayOf(years, months + late, day);
  }

  /** The first instant at which clocks show the time or a later one. */
  #firstInstant(local: number): number {
    const offsets = [local - DAY, local + DAY].map((time) => this.#local(time) - time);
    const [early, late] = [local - Math.max(...offsets), local - Math.min(...offsets)];
    for (const time of [early, late]) if (this.#local(time) === local) return time;
    // The clocks skip it, at some second between the two.
    let [before, after] = [early / 1e3, late / 1e3];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.#local(middle * 1e3) < local) before = middle;
      else after = middle;
    }
    return after * 1e3;
  }

  /** What clocks show, as if it were in UTC. */
  #local(time: number): number {
    const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of this.#clock.formatToParts(time)) shown[type] = Number(value);
    return Date.UTC(shown.year!, shown.month! - 1, shown.day, shown.hour, shown.minute, shown.second);
  }
}

/** A day of a month, or its last one. Months before January and after December are those of other years. */
function dayOf(year: number, month: number, day: number): Date {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(day, last)));
}
