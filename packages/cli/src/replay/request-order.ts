/** Rows of a block, which are sorted one by one. */
const BLOCK = 32;

/**
 * The rows of some times in order of time, those of one time as they were. In arrays of numbers, as an array of V8 would
 * take twice the memory for as long as it is sorted, and that of the heap. Logs are almost in order: blocks that are
 * need no comparison.
 *
 * @param size how many of the times count
 */
export function orderOf(times: Float64Array, size: number): Uint32Array {
  let order = new Uint32Array(size);
  for (let row = 0; row < size; row += 1) order[row] = row;
  for (let start = 0; start < size; start += BLOCK) sortBlock(times, order, [start, Math.min(start + BLOCK, size)]);
  let merged = new Uint32Array(size);
  for (let width = BLOCK; width < size; width *= 2) {
    for (let start = 0; start < size; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, size), Math.min(start + 2 * width, size)];
      merge(times, { order, merged, start, middle, end });
    }
    [order, merged] = [merged, order];
  }
  return order;
}

function sortBlock(times: Float64Array, order: Uint32Array, [start, end]: readonly [start: number, end: number]): void {
  for (let next = start + 1; next < end; next += 1) {
    const row = order[next]!;
    let at = next;
    for (; at > start && times[order[at - 1]!]! > times[row]!; at -= 1) order[at] = order[at - 1]!;
    order[at] = row;
  }
}

interface Merge {
  readonly order: Uint32Array;
  readonly merged: Uint32Array;
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

/** Merges two neighbours, each of which is in order. */
function merge(times: Float64Array, { order, merged, start, middle, end }: Merge): void {
  if (middle === end || times[order[middle - 1]!]! <= times[order[middle]!]!) {
    merged.set(order.subarray(start, end), start);
    return;
  }
  let [first, second] = [start, middle];
  for (let at = start; at < end; at += 1) {
    const isFirst = second === end || (first < middle && times[order[first]!]! <= times[order[second]!]!);
    merged[at] = order[isFirst ? first : second]!;
    if (isFirst) first += 1;
    else second += 1;
  }
}
