/// <reference types="reflect-metadata" />
import type { HttpRequest } from '@sluice/core';

import type { Class } from './handler.js';
import type { NestRequest, RateLimitOptions } from './rate-limit-options.js';

/** What decorators say of a class or a method. */
export interface Declared {
  readonly limits: readonly RateLimitOptions<never>[];
  /** Names of each decorator that skips; without names it skips all. */
  readonly skips: readonly (readonly string[])[];
}

const KEY = 'sluice:rate-limit';
const NOTHING: Declared = { limits: [], skips: [] };

/**
 * Limits a controller or a handler, besides what stands above, or with `override` instead of it. Several are in the
 * order in which they are written. A mistake in the options stops the start of the application.
 */
export function RateLimit<S extends HttpRequest = NestRequest>(
  options: RateLimitOptions<S>,
): ClassDecorator & MethodDecorator {
  return declare(({ limits, skips }) => ({ limits: [options, ...limits], skips }));
}

/**
 * Frees a controller or a handler from what stands above: of all limits, or of the tiers that are named. What is
 * decorated beside it or below stays.
 */
export function SkipRateLimit(...names: readonly string[]): ClassDecorator & MethodDecorator {
  return declare(({ limits, skips }) => ({ limits, skips: [names, ...skips] }));
}

/** What is declared of a class with its base classes, the nearest last. */
export function declaredOf(target: Class): readonly Declared[] {
  const found: Declared[] = [];
  for (let each: unknown = target; typeof each === 'function'; each = Object.getPrototypeOf(each)) {
    const declared = ownOf(each);
    if (declared) found.unshift(declared);
  }
  return found;
}

/** What is declared of a method where it is written: one that overrides it starts afresh. */
export function declaredOfMethod({ prototype }: Class, name: string): readonly Declared[] {
  let owner = prototype as object | null;
  while (owner && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner) as object | null;
  const declared = owner && ownOf(owner, name);
  return declared ? [declared] : [];
}

function declare(change: (declared: Declared) => Declared): ClassDecorator & MethodDecorator {
  // Of a method by its name: a decorator above may put another function in its place.
  return (target: object, name?: string | symbol) => {
    Reflect.defineMetadata(KEY, change(ownOf(target, name) ?? NOTHING), target, name!);
  };
}

function ownOf(target: object, name?: string | symbol): Declared | undefined {
  return Reflect.getOwnMetadata(KEY, target, name!) as Declared | undefined;
}
