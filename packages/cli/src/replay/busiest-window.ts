/** The requests of one client, in order of time. */
export interface ClientRequests {
  readonly size: number;
  /** Milliseconds. Only the first `size` of them are of the client. */
  readonly times: Float64Array;
  readonly units: Float64Array;
}

/** The most units that a client has requested in any window of a length. @param window milliseconds */
export function busiestWindow({ size, times, units }: ClientRequests, window: number): number {
  let most = 0;
  let sum = 0;
  let first = 0;
  for (let last = 0; last < size; last += 1) {
    sum += units[last]!;
    const start = times[last]! - window;
    while (times[first]! <= start) {
      sum -= units[first]!;
      first += 1;
    }
    if (sum > most) most = sum;
  }
  return most;
}
