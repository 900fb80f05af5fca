/** A request of a simulation. */
export interface Arrival {
  /** Milliseconds since the start, in whole microseconds. */
  readonly time: number;
  readonly client: number;
  /** Units. */
  readonly cost: number;
}

/** More take minutes, and memory. */
export const MAX_ARRIVALS = 5_000_000;
