import type { ClientAddress } from '@sluice/http';
import { canonicalAddress } from '@sluice/metrics/operations';
import type { LoggedRequest } from '../lines/logged-request.js';
import type { ExtraFields, LogFormat } from '../lines/log-reader.js';
import { FORMATS } from './formats.js';

/** A format, and how many of some lines it reads as requests: one without an address counts as less. */
export interface Detected {
  readonly format: LogFormat;
  readonly requests: number;
}

/** A format that says more of a request may read so many fewer lines: some of them are damaged. */
const MUCH = 0.8;

/**
 * The format that reads most of the first lines of a log. Undefined where none reads any.
 *
 * @param key of `--key`, with which lines of JSON need no address
 * @param formats to choose from, the one that says most first
 */
export function detectFormat(
  lines: readonly Buffer[],
  key?: string,
  formats: readonly LogFormat[] = FORMATS,
): Detected | undefined {
  const scores = formats.map((format) => {
    const reader = format.reader(extraOf(format, key), lines);
    const isMade = SIGNS[format.name];
    return lines.reduce((score, line) => {
      const request = reader(line);
      if (typeof request !== 'object' || isMade?.test(line.toString()) === false) return score;
      return score + evidenceOf(request);
    }, 0);
  });
  const best = Math.max(...scores);
  if (best === 0) return undefined;
  const found = scores.findIndex((score) => score >= best * MUCH);
  return { format: formats[found]!, requests: scores[found]! };
}

/**
 * How much a line tells of its format. One of another format may look like a line without a client. A log that has no
 * other lines is still read.
 */
function evidenceOf({ ip, key, status }: LoggedRequest): number {
  if (ip !== '') return 1;
  if (key === '') return 0.1;
  return status === 0 ? 0.5 : 0.75;
}

/** True where most lines name another client than their address in `X-Forwarded-For`. */
export function namesOthers(format: LogFormat, lines: readonly Buffer[]): boolean {
  let others = 0;
  const addressOf: ClientAddress = (peer, header) => {
    const forwarded = String(header ?? '');
    if (forwarded !== '' && forwarded !== '-' && forwarded !== peer) others += 1;
    return peer;
  };
  const reader = format.reader({ addressOf }, lines);
  const requests = lines.filter((line) => typeof reader(line) === 'object');
  return others * 2 > requests.length;
}

/** True for `X-Forwarded-For` as a balancer leaves it, or for no such header. */
function isForwarded(header: string): boolean {
  return header === '' || canonicalAddress(header.slice(header.lastIndexOf(',') + 1)) !== undefined;
}

/** What the readers of formats must find, which need nothing behind the status. */
function extraOf(format: LogFormat, key: string | undefined): ExtraFields {
  if (format.isJson) return { key };
  const extras: Readonly<Record<string, ExtraFields>> = {
    'traefik-common': { key: 'duration' },
    // Common has no columns behind the length.
    'haproxy-clf': { key: 'server' },
    'api-gateway-clf': { key: 'extended_request_id' },
    main: { addressOf: (peer, forwarded) => (isForwarded(String(forwarded)) ? peer : undefined) },
  };
  return extras[format.name] ?? {};
}

/** Where any text can be a client or the rest of a line, a format also needs what its lines have. */
const SIGNS: Readonly<Record<string, RegExp | undefined>> = {
  // More columns may follow, as in the ingress of Kubernetes.
  combined: /" \d{3} \S+ "(?:[^"\\]|\\.)*" "/,
  'api-gateway-clf': /^[\da-f.:]+ \S+ \S+ \[/,
};
