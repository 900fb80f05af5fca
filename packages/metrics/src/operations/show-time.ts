/** Two units that show a time span, and how many of the second the first has. */
const PAIRS = [
  { from: 8.64e7, large: 'd', small: 'h', smallMs: 3.6e6, ratio: 24 },
  { from: 3.6e6, large: 'h', small: 'm', smallMs: 6e4, ratio: 60 },
  { from: 6e4, large: 'm', small: 's', smallMs: 1e3, ratio: 60 },
];

/** A time span for people, rounded up: `12 ms`, `3.0 s`, `1m 54s`, `1h 56m`, `2d 4h`. */
export function showTime(milliseconds: number): string {
  const pair = PAIRS.find(({ from }) => milliseconds >= from);
  if (pair === undefined) {
    return milliseconds < 1e3
      ? `${Math.ceil(milliseconds)} ms`
      : `${(Math.ceil(milliseconds / 100) / 10).toFixed(1)} s`;
  }
  const smalls = Math.ceil(milliseconds / pair.smallMs);
  const rest = smalls % pair.ratio;
  const whole = `${Math.floor(smalls / pair.ratio)}${pair.large}`;
  return rest === 0 ? whole : `${whole} ${rest}${pair.small}`;
}
