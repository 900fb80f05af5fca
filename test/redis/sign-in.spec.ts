import { createLimiter, loginTiers, signedIn, type HttpRequest } from '@sluice/http';
import { withRedisStore } from '../support/redis-store.js';

const HOME: HttpRequest = { ip: '198.51.100.7' };
const stranger = (host: number): HttpRequest => ({ ip: `203.0.113.${host}` });

describe('loginTiers on Redis', () => {
  const opened = withRedisStore();

  it('let the owner in on a known network, in all processes, while the account is attacked', async () => {
    const limiters = [1, 2].map(() =>
      createLimiter<HttpRequest>({ store: opened.store, tiers: loginTiers<HttpRequest>({ account: () => 'ada' }) }),
    );
    await signedIn(await limiters[0]!.consume(HOME));

    const guesses: boolean[] = [];
    for (let host = 0; host < 30; host += 1) {
      for (let guess = 0; guess < 4; guess += 1) guesses.push((await limiters[1]!.consume(stranger(host))).allowed);
    }
    const [owner, other] = [await limiters[1]!.consume(HOME), await limiters[1]!.consume(stranger(99))];
    await signedIn(owner);

    expect(guesses.filter(Boolean)).toHaveLength(90);
    expect([owner.allowed, other.allowed]).toEqual([true, false]);
  });

  it('leave first tries to the owner on a new network while ten addresses guess at the same time', async () => {
    const limiter = createLimiter<HttpRequest>({ store: opened.store, tiers: loginTiers({ account: () => 'edsger' }) });
    const attempts = Array.from({ length: 200 }, (_, index) => limiter.consume(stranger(index % 10)));

    const guesses = await Promise.all(attempts);

    // Six of each address, because none has a strike when they are read.
    expect(guesses.filter(({ allowed }) => allowed).length).toBeLessThanOrEqual(60);
    expect((await limiter.consume({ ip: '192.0.2.1' })).allowed).toBe(true);
  });

  it('leave no trace of a success but that the network is known', async () => {
    const limiter = createLimiter<HttpRequest>({ store: opened.store, tiers: loginTiers({ account: () => 'grace' }) });

    for (let visit = 0; visit < 30; visit += 1) await signedIn(await limiter.consume(HOME));

    const { outcomes } = await limiter.peek(HOME);
    expect(outcomes.map(({ tier, limit, remaining }) => [tier, limit - remaining])).toEqual([
      ['login-seen', 30],
      ['login-known', 0],
      ['login-address', 0],
    ]);
  });
});
