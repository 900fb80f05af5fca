/** A share for people: `0.44 %`. A share that is not 0 never reads so. */
export function shareText(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.01) return '< 0.01 %';
  return `${percent.toFixed(percent < 10 ? 2 : 1)} %`;
}

/** A count with thin spaces: `4 812 339`. */
export function countText(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
}

/** A count and its noun: `1 request`, `4 812 339 requests`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** `2026 Nov 20 13:55 – Nov 21 00:00 UTC`. The second year only where it differs. @param from milliseconds since 1970 */
export function spanText(from: number, to: number): string {
  const [first, last] = [from, to].map((time) => new Date(time).getUTCFullYear());
  return `${first} ${momentText(from)} – ${last === first ? '' : `${last} `}${momentText(to)} UTC`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Nov 20 13:55`. */
export function momentText(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
}

/** A window for people: `1m`, `90s`, `1h`. @param milliseconds of it */
export function windowText(milliseconds: number): string {
  const units = [
    ['d', 8.64e7],
    ['h', 3.6e6],
    ['m', 6e4],
    ['s', 1e3],
  ] as const;
  const [unit, size] = units.find(([, each]) => milliseconds % each === 0) ?? ['ms', 1];
  return `${milliseconds / size}${unit}`;
}

/** The value below which a share of sorted values lies. @param sorted ascending, at least one */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]!;
}

/** A window as people say it: `a minute`, `an hour`, `in 90s`. @param milliseconds of it */
export function perWindowText(milliseconds: number): string {
  const words: Readonly<Record<string, string>> = {
    '1s': 'a second',
    '1m': 'a minute',
    '1h': 'an hour',
    '1d': 'a day',
  };
  const text = windowText(milliseconds);
  return words[text] ?? `in ${text}`;
}
