export const START = Date.UTC(2026, 10, 20, 8);

export const EXACT_FORMAT = '$msec $request_time $remote_addr "$request" $status key=$http_x_api_key';

/** A request of a log. */
export interface Logged {
  /** Seconds since the start. */
  readonly at: number;
  readonly ip: string;
  readonly status?: number;
  readonly key?: string;
  readonly agent?: string;
}

/** One client in a hurry, two a little above the limit, and many below it. */
export const requests: readonly Logged[] = [
  ...spread(100, 120, '203.0.113.7'),
  ...spread(26, 60, '203.0.113.8'),
  ...spread(25, 60, '203.0.113.9'),
  ...Array.from({ length: 40 }, (_, client) => spread(1 + (client % 10), 110, `198.51.100.${client}`)).flat(),
].toSorted((one, other) => one.at - other.at);

export function spread(count: number, seconds: number, ip: string): Logged[] {
  return Array.from({ length: count }, (_, index) => ({
    at: Math.round(((index + 0.5) * seconds * 1e3) / count) / 1e3,
    ip,
  }));
}

/** A line of EXACT_FORMAT. */
export function exactLine({ at, ip, status = 200, key = '-' }: Logged): string {
  return `${(START / 1e3 + at).toFixed(3)} 0.000 ${ip} "GET / HTTP/1.1" ${status} key=${key}`;
}

/** A line of nginx or Apache. */
export function combinedLine({ at, ip, status = 200, agent = 'Mozilla/5.0' }: Logged): string {
  const [, day, month, year, clock] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(new Date(START + at * 1e3).toUTCString())!;
  return `${ip} - - [${day}/${month}/${year}:${clock} +0000] "GET / HTTP/1.1" ${status} 5 "-" "${agent}"`;
}

/** The lines of a log. */
export function logOf(line: (request: Logged) => string, of: readonly Logged[] = requests): string {
  return `${of.map(line).join('\n')}\n`;
}
