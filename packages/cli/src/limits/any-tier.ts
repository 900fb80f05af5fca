import type { Tier } from '@sluice/core';

/** A tier whose identity is that of the request, unless it names one. */
export type AnyTier<S> = Omit<Tier<S>, 'key'> & { key?: Tier<S>['key']; name: string };
