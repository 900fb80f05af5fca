import type { RequestTable } from './request-table.js';

const SECOND = 1_000;

/** The times of requests in order, with those of each second spread evenly over it. */
export function spreadTimes({ times, size }: Pick<RequestTable, 'times' | 'size'>): Float64Array {
  const spread = new Float64Array(size);
  const secondAt = (row: number) => Math.floor(times[row]! / SECOND);
  for (let first = 0, end = 0; first < size; first = end) {
    while (end < size && secondAt(end) === secondAt(first)) end += 1;
    for (let row = first; row < end; row += 1) {
      spread[row] = (secondAt(first) + (row - first + 0.5) / (end - first)) * SECOND;
    }
  }
  return spread;
}
