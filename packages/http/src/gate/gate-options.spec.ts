import { createLimiter } from '../../../core/src/limiter/limiter.js';
import type { HttpRequest } from '../request/request.js';
import type { GatedLimiterOptions } from './gate-options.js';
import { createGate } from './gate.js';

const minute = { limit: 5, window: '1m' } as const;
const tiers = [
  { ...minute, name: 'minute' },
  { limit: 100, window: '1h', name: 'hour' },
] as const;
const limiter = createLimiter<HttpRequest>({ ...minute, key: () => 'ada' });
const create = (options: unknown) => createGate(options as GatedLimiterOptions<HttpRequest>);

describe('readGateOptions', () => {
  it.each<[string, object]>([
    ['one tier in short form', minute],
    ['tiers', { tiers }],
    ['a function of tiers', { tiers: () => tiers }],
    ['a limiter', { limiter }],
    ['onStoreFailure and share', { ...minute, onStoreFailure: 'deny', share: 1 / 3 }],
    ['no headers', { ...minute, headers: [] }],
    ['x-ratelimit with a draft', { ...minute, headers: ['x-ratelimit', 'draft-7'] }],
    ['a cost of 0', { ...minute, cost: 0 }],
    ['the largest cost that fits', { ...minute, cost: 5 }],
    ['a cost above tiers that have their own', { tiers: [{ ...tiers[0], cost: 1 }, tiers[1]], cost: 6 }],
    ['a cost above a limit that is a function', { ...minute, limit: () => 5, cost: 6 }],
    ['undefined options', { ...minute, skip: undefined, cost: undefined, headers: undefined, limiter: undefined }],
  ])('accepts %s', (_case, options) => {
    expect(() => create(options)).not.toThrow();
  });
});
