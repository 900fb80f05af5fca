/** A whole number with its thousands apart: `12 345`. */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** A rate: `0`, `0.4`, `12.5`, `1 234`. */
export function rate(value: number): string {
  return value === 0 || value >= 100 ? grouped(value) : value.toFixed(1);
}

/** A part of a whole: `12.3 %`, `< 0.1 %`. */
export function percent(part: number): string {
  if (part > 0 && part < 0.001) return '<\u202f0.1\u202f%';
  return `${(part * 100).toFixed(part === 0 || part === 1 ? 0 : 1)}\u202f%`;
}

/** Milliseconds of a call: `0.42 ms`, `12 ms`. */
export function latency(milliseconds: number): string {
  return `${milliseconds < 10 ? milliseconds.toFixed(2) : grouped(milliseconds)}\u202fms`;
}

/** The local time of day. */
export function timeOfDay(time: number): string {
  return new Date(time).toLocaleTimeString(undefined, { hour12: false });
}

export function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
