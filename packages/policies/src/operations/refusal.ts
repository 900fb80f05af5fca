import { ConfigError, memoryStore, type Limiter } from '@sluice/core';
import type { PolicyDocument } from '../document/read-document.js';
import { LiveLimiters } from '../live-limiters.js';
import { noOverrides } from '../override-source.js';

/**
 * Why a process that uses all limiters of a text refuses another one: it is tried on such limiters, because only core knows.
 * Undefined if it takes the text.
 */
export function refusalOf(before: PolicyDocument<never>, after: PolicyDocument<never>): string | undefined {
  const store = memoryStore();
  const live = new LiveLimiters(before, { source: noOverrides, secret: undefined });
  const limiters: Limiter<never>[] = [];
  try {
    for (const name of before.limiters.keys()) limiters.push(live.create(name, { store }));
    live.replace(after);
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  } finally {
    for (const limiter of limiters) void limiter.close();
    store.close();
  }
}
