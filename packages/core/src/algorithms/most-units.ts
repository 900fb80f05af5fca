/** The most units of a limit that refills evenly: beside it, all products with a rest of a time stay exact. */
export const MOST_EVEN_UNITS = 9e7;

/** The most units that may be held at the same time. */
export const MOST_HELD_UNITS = 10_000;

/** The longest time that a limit can be for, in microseconds: 400 days. */
export const LONGEST_US = 400 * 8.64e10;
