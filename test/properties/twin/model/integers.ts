/** All division here is of non-negative integers. */
export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

export function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

export function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** Microseconds of a window that a test gives in milliseconds. */
export function microseconds(milliseconds: unknown): bigint {
  if (typeof milliseconds !== 'number') throw new Error('The model reads windows in milliseconds only.');
  return BigInt(Math.round(milliseconds * 1000));
}
