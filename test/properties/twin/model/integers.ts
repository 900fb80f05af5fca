/** Rounds up. Both numbers are at least 0. */
export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

export function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

export function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** @param milliseconds a window */
export function microseconds(milliseconds: unknown): bigint {
  if (typeof milliseconds !== 'number') throw new Error('The model reads windows in milliseconds only.');
  return BigInt(Math.round(milliseconds * 1000));
}
