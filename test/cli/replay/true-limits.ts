import type { SiteRequest, TrueClient } from './site.js';

/** A limit that counts each unit at its time, for each client by itself. */
export interface TrueLimit {
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
  /** Which requests it meets. @default all */
  readonly takes?: (request: SiteRequest) => boolean;
}

/** The requests that limits one behind the other deny: what one denies, the next does not see. */
export function deniedRequests(
  requests: readonly SiteRequest[],
  limits: readonly TrueLimit[],
): ReadonlySet<SiteRequest> {
  const admitted = limits.map(() => new Map<TrueClient, number[]>());
  const denied = new Set<SiteRequest>();
  for (const request of requests) {
    const { client, at } = request;
    const isAdmitted = limits.every(({ limit, window, takes }, index) => {
      if (takes?.(request) === false) return true;
      const times = (admitted[index]!.get(client) ?? []).filter((time) => time > at - window);
      const fits = times.length < limit;
      admitted[index]!.set(client, fits ? [...times, at] : times);
      return fits;
    });
    if (!isAdmitted) denied.add(request);
  }
  return denied;
}

/** Of some requests. */
export function clientsOf(requests: Iterable<SiteRequest>): ReadonlySet<TrueClient> {
  return new Set([...requests].map(({ client }) => client));
}
