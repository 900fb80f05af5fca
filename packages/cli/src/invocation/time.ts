const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 6e4, h: 3.6e6, d: 8.64e7 };

/** Milliseconds of a duration as options take it: `500ms`, `5s`, `1.5h`. Undefined for another string, and for 0. */
export function parseTime(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  const value = Number(amount) * UNITS[unit ?? '']!;
  return value > 0 ? value : undefined;
}
