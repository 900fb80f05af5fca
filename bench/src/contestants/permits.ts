/** Permits of a key: more than checks are in flight. A limit of permits is at most 10 000. */
export const PERMITS = 1_000;

/** Milliseconds for which a permit counts without a renewal, the default of Sluice. */
export const HOLD = 30_000;
