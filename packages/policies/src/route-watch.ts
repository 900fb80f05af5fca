import type { KeyFunction, Tier } from '@sluice/core';
import { routeOf, warn } from '@sluice/http/adapter';
import type { Route } from './document/routes.js';

/** What requests of all frameworks have. */
interface Requested {
  readonly method?: unknown;
  readonly url?: unknown;
  /** The path before a router has taken its part off. */
  readonly originalUrl?: unknown;
}

/** Warns of a limiter that a request meets outside of the routes of its file, on which tools rely. It never decides. */
export class RouteWatch {
  readonly #limiter: string;
  #routes: readonly Route[] | undefined;

  constructor(limiter: string) {
    this.#limiter = limiter;
  }

  /** The tiers with the same key functions, of which the first looks at the request. The same tiers where there are no routes. */
  watched<S>(tiers: readonly Tier<S>[], routes: readonly Route[] | undefined): readonly Tier<S>[] {
    const first = routes && tiers.find(({ mode }) => mode !== 'off')?.key;
    if (first === undefined) return tiers;
    const key = this.#watchedKey(first);
    // Tiers that follow each other share the call of one function.
    return tiers.map((tier) => (tier.key === first ? { ...tier, key } : tier));
  }

  /** The routes of the tiers that are in force now. */
  watch(routes: readonly Route[] | undefined): void {
    this.#routes = routes;
  }

  #watchedKey<S>(key: KeyFunction<S>): KeyFunction<S> {
    const watched = (subject: S) => {
      if (this.#routes !== undefined) this.#look(Object(subject) as Requested, this.#routes);
      return key(subject);
    };
    return Object.defineProperties(watched, Object.getOwnPropertyDescriptors(key));
  }

  #look(request: Requested, routes: readonly Route[]): void {
    const { method, url, originalUrl } = request;
    const full = originalUrl ?? url;
    if (typeof method !== 'string' || typeof full !== 'string') return;
    if (routes.some((route) => route.takes({ method, url: full }))) return;
    // One line of log is enough, and later requests cost nothing.
    this.#routes = undefined;
    const name = JSON.stringify(this.#limiter);
    const stated = routes.map(({ text }) => text).join(', ');
    warn(
      'SLUICE_POLICIES_ROUTES',
      `policies: limiter ${name} has met a request outside of its routes (${stated}): ${routeOf({ method, url: full }).name}. Tools such as sluice replay rely on them: add the route to the file, or do not mount the limiter there`,
      this.#limiter,
    );
  }
}
