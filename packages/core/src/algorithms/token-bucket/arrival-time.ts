/**
 * A theoretical arrival time (TAT): whole ticks, and a rest in parts of 1 / `limit` tick. So a rate that does not divide its
 * window stays exact: no unit is ever rounded.
 */
export type ArrivalTime = readonly [ticks: number, rest: number];

/** The emission interval T = window / limit, as quotient and remainder, and the size of a bucket. */
export interface Interval {
  /** Units a window. */
  readonly limit: number;
  /** window div limit. */
  readonly quotient: number;
  /** window mod limit. */
  readonly remainder: number;
  /** Units in a full bucket. */
  readonly capacity: number;
}

export const ZERO: ArrivalTime = [0, 0];

/** The time that `units` take at this rate. */
export function timeOf(units: number, { limit, quotient, remainder }: Interval): ArrivalTime {
  const parts = units * remainder;
  const whole = Math.floor(parts / limit);
  // Exact below 2^53. V8 computes `%` of doubles in a C call.
  return [units * quotient + whole, parts - whole * limit];
}

export function subtract(one: ArrivalTime, other: ArrivalTime, limit: number): ArrivalTime {
  const rest = one[1] - other[1];
  return rest < 0 ? [one[0] - other[0] - 1, rest + limit] : [one[0] - other[0], rest];
}

function isLater(one: ArrivalTime, other: ArrivalTime): boolean {
  return one[0] > other[0] || (one[0] === other[0] && one[1] > other[1]);
}

export function earlier(one: ArrivalTime, other: ArrivalTime): ArrivalTime {
  return isLater(one, other) ? other : one;
}

export function later(one: ArrivalTime, other: ArrivalTime): ArrivalTime {
  return isLater(one, other) ? one : other;
}

// Below, a time is ticks and any number of parts. A time that is only compared needs no pair and no carrying.

/** Whole ticks that cover a time. */
export function ceiling(ticks: number, parts: number, limit: number): number {
  return ticks + Math.ceil(parts / limit);
}

/** The whole units that fit a time, 0 for one below 0: an estimate in doubles, corrected by exact comparison. */
export function unitsIn(ticks: number, parts: number, interval: Interval): number {
  const { limit, quotient, remainder, capacity } = interval;
  const estimate = Math.floor((ticks + parts / limit) / (quotient + remainder / limit));
  let units = Math.max(0, Math.min(capacity, estimate));
  while (units > 0 && !fits(units, ticks, parts, interval)) units -= 1;
  while (units < capacity && fits(units + 1, ticks, parts, interval)) units += 1;
  return units;
}

/** The units that fit a time, and the one that it has begun. */
export function unitsBegun(time: ArrivalTime, interval: Interval): number {
  const units = unitsIn(time[0], time[1], interval);
  return isLater(time, timeOf(units, interval)) ? units + 1 : units;
}

function fits(units: number, ticks: number, parts: number, { limit, quotient, remainder }: Interval): boolean {
  return ticks - units * quotient + Math.floor((parts - units * remainder) / limit) >= 0;
}
