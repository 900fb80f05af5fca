import type { Kind } from '../../../packages/cli/src/replay/kinds/kind.js';
import { Random } from './random.js';

/** A request that somebody has made, with the client that the generator knows to be behind it. */
export interface SiteRequest {
  /** Milliseconds since the beginning of the log. */
  readonly at: number;
  readonly client: TrueClient;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Empty for none. */
  readonly agent: string;
}

/** A client, and what it really is. */
export interface TrueClient {
  /** An address, or the key of an API. */
  readonly name: string;
  readonly kind: Kind;
}

/** What an actor needs to act: numbers, a span of time, and addresses that nobody else has. */
export interface Stage {
  readonly random: Random;
  /** Milliseconds. */
  readonly span: number;
  readonly address: () => string;
}

/** Somebody who sends requests: all of its clients, and what each asks for. */
export type Actor = (stage: Stage) => readonly SiteRequest[];

export interface SiteSetup {
  readonly seed: number;
  /** Milliseconds. */
  readonly span: number;
  readonly cast: readonly (readonly [count: number, actor: Actor])[];
}

/** The requests of a log, in order of time, and the truth about its clients. */
export interface Site {
  /** When the log begins, in milliseconds since 1970. */
  readonly start: number;
  readonly requests: readonly SiteRequest[];
  readonly clients: readonly TrueClient[];
}

export const SITE_START = Date.UTC(2026, 0, 17);

/** Lets a cast act on a clock of its own. The same setup gives the same site. */
export function siteOf({ seed, span, cast }: SiteSetup): Site {
  const random = new Random(seed);
  let clients = 0;
  // One network of documentation and the networks for benchmarks: no site has these clients.
  const address = () => {
    clients += 1;
    return `198.${18 + (clients >> 16)}.${(clients >> 8) & 255}.${clients & 255}`;
  };
  const requests = cast.flatMap(([count, actor]) =>
    Array.from({ length: count }, () => actor({ random, span, address })).flat(),
  );
  const inSpan = requests.filter(({ at }) => at >= 0 && at < span).toSorted((one, other) => one.at - other.at);
  return { start: SITE_START, requests: inSpan, clients: [...new Set(inSpan.map(({ client }) => client))] };
}
