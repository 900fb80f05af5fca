import { createLimiter } from '../../../core/src/limiter/limiter.js';
import { exchange } from '../../../../test/support/exchange.js';
import type { HttpRequest } from '../request/request.js';
import { loginTiers } from '../sign-in/login-tiers.js';
import { createGate } from './gate.js';

const tiers = () => loginTiers<HttpRequest>({ account: () => 'ada' });
const ip = '198.51.100.7';

describe('a gate with loginTiers', () => {
  it.each([
    ['tiers', () => createGate<HttpRequest>({ tiers: tiers(), headers: ['x-ratelimit', 'draft-11'] })],
    ['a limiter', () => createGate<HttpRequest>({ limiter: createLimiter<HttpRequest>({ tiers: tiers() }) })],
  ])('of %s reports nothing but Retry-After, and names no tier', async (_what, make) => {
    const gate = make();
    const { response } = exchange();
    for (let guess = 0; guess < 6; guess += 1) await gate.admit({ ip }, exchange().response);

    const denied = await gate.admit({ ip }, response);

    expect(response.getHeaders()).toEqual({ 'retry-after': '30', 'cache-control': 'no-store' });
    expect(denied).toMatchObject({ problem: { status: 429, 'violated-policies': ['login'] } });
  });

  it.each([
    ['tiers', () => createGate<HttpRequest>({ tiers: tiers(), refundWhen: () => true })],
    [
      'a limiter',
      () =>
        createGate<HttpRequest>({ limiter: createLimiter<HttpRequest>({ tiers: tiers() }), refundWhen: () => true }),
    ],
  ])('of %s rejects `refundWhen`, which would take any page for a success', (_what, make) => {
    expect(make).toThrow(/refundWhen must stand without loginTiers.* Call signedIn\(decision\)/);
  });
});
