import { byIp } from '../../../http/src/keys/ip.js';
import type { Identity } from '../model/identity.js';
import { memoryStore } from '../stores/memory/memory-store.js';
import { limitersOf } from './limiter-view.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { createLimiter } from './limiter.js';

const day = { algorithm: 'fixed-window', limit: 9, window: '1d' } as const;

interface Account {
  readonly account: string;
  readonly ip: string;
}

function scene() {
  const identityOf = byIp();
  const limiter = createLimiter<Account>({
    store: memoryStore({ clock: fakeClock() }),
    tiers: [
      { ...day, name: 'account', key: ({ account }) => account, record: () => 'a text' },
      { ...day, name: 'address', key: ({ ip }) => identityOf({ ip }), window: '1h' },
    ],
  });
  const addressOf = (ip: string): Identity => identityOf({ ip }) as Identity;
  return { limiter, addressOf };
}

describe('Limiter.of', () => {
  it('reads what an identity has left, and what was recorded, without a subject', async () => {
    const { limiter, addressOf } = scene();
    for (let request = 0; request < 3; request += 1) await limiter.consume({ account: 'ada', ip: '203.0.113.7' });

    const account = await limiter.of('ada').inspect({ tiers: ['account'] });
    const address = await limiter.of(addressOf('203.0.113.7')).inspect({ tiers: ['address'], cost: 7 });
    const other = await limiter.of('bob').inspect({ tiers: ['account'] });
    const again = await limiter.of('ada').inspect({ tiers: ['account'] });

    expect(account).toMatchObject([
      { outcome: { tier: 'account', remaining: 6 }, recorded: ['a text', 'a text', 'a text'] },
    ]);
    expect(address).toMatchObject([{ outcome: { tier: 'address', remaining: 6, allowed: false } }]);
    expect(other).toMatchObject([{ outcome: { remaining: 9 }, recorded: [] }]);
    expect(again).toEqual(account);
  });

  it('agrees with inspect of a subject, for every tier with keys of the kind', async () => {
    const { limiter } = scene();
    await limiter.consume({ account: 'ada', ip: '203.0.113.7' });
    const tiers = ['account'];

    for (const cost of [undefined, 9]) {
      const byIdentity = await limiter.of('ada').inspect({ tiers, cost });
      const bySubject = await limiter.inspect({ account: 'ada' }, { tiers, cost });

      expect(byIdentity).toEqual(bySubject);
      expect(byIdentity).toMatchObject([{ outcome: { allowed: cost === undefined }, terms: { units: 1 } }]);
    }
  });

  it('needs the limit of a tier whose limit is a function', async () => {
    const limiter = createLimiter<string>({ ...day, key: (user) => user, limit: (user) => user.length });
    await limiter.consume('ada');

    await expect(limiter.of('ada').inspect()).rejects.toMatchObject({
      code: 'USAGE_INVALID',
      message: expect.stringContaining('pass the limit of this identity as limit'),
    });
    expect(await limiter.of('ada', { limit: 3 }).inspect()).toMatchObject([{ outcome: { limit: 3, remaining: 2 } }]);
  });

  it('needs the partition of a limiter with partitions', async () => {
    const limiter = createLimiter<string>({ ...day, key: (user) => user, partition: () => 'team' });
    await limiter.consume('ada');

    await expect(limiter.of('ada').inspect()).rejects.toThrow('limiter: partition must be a non-empty text');
    expect(await limiter.of('ada', { partition: 'team' }).inspect()).toMatchObject([{ outcome: { remaining: 8 } }]);
  });

  it('knows the tiers of plans that have decided a request', async () => {
    const plan = [{ ...day, name: 'plan', key: (user: string) => user }];
    const limiter = createLimiter<string>({ store: memoryStore(), tiers: () => plan });

    const before = await limiter.of('ada').inspect();
    await limiter.consume('ada');

    expect([before, await limiter.of('ada').inspect()]).toMatchObject([
      [],
      [{ outcome: { tier: 'plan', remaining: 8 } }],
    ]);
  });

  it('needs the limit of an identity for a name that plans give several limits', async () => {
    const key = ({ account }: Account) => account;
    const plans = { ada: [{ ...day, name: 'plan', key, limit: 1 }], bob: [{ ...day, name: 'plan', key, limit: 100 }] };
    const store = memoryStore();
    const tiers = ({ account }: Account) => plans[account as 'ada' | 'bob'];
    const limiter = createLimiter<Account>({ store, tiers });
    for (const account of ['ada', 'bob']) await limiter.consume({ account, ip: '' });
    const [view] = limitersOf(store);

    await expect(limiter.of('bob').inspect()).rejects.toMatchObject({
      code: 'USAGE_INVALID',
      message:
        'tier "plan": plans give it the limits 1, 100: pass the limit of this identity as limit, or name other tiers',
    });
    await expect(view!.of('bob').inspect()).rejects.toThrow('plans give it the limits 1, 100');
    await expect(limiter.of('bob', { limit: 5 }).inspect()).rejects.toThrow(
      'plans give it the limits 1, 100, got 5: pass',
    );
    expect(await limiter.of('ada', { limit: 1 }).inspect()).toMatchObject([{ outcome: { allowed: false, limit: 1 } }]);
    expect(await view!.of('bob', { limit: 100 }).inspect()).toMatchObject([
      { outcome: { allowed: true, remaining: 99 } },
    ]);
    expect(view!.tiers).toMatchObject([{ name: 'plan', limit: 'by-request' }]);
    await limiter.of('ada').reset();
    expect(await limiter.of('ada', { limit: 1 }).inspect()).toMatchObject([{ outcome: { allowed: true } }]);
  });

  it.each([[undefined], [''], [{ ip: '203.0.113.7' }], [{ kind: 'ip', parts: [] }]])(
    'rejects %j, which is no identity',
    async (identity) => {
      const message = /^limiter: identity must be a non-empty text, a whole number or an identity such as byIp\(\)/;

      await expect(
        scene()
          .limiter.of(identity as never)
          .inspect(),
      ).rejects.toThrow(message);
    },
  );

  it('rejects a tier that does not exist', async () => {
    await expect(
      scene()
        .limiter.of('ada')
        .inspect({ tiers: ['acount'] }),
    ).rejects.toThrow('tiers must name tiers');
  });
});

describe('Budgets.reset', () => {
  it('forgets what an identity has used, in the named tiers only', async () => {
    const { limiter, addressOf } = scene();
    const subject = { account: 'ada', ip: '203.0.113.7' };
    await limiter.consume(subject);

    await limiter.of('ada').reset({ tiers: ['account'] });

    expect(await limiter.of('ada').inspect({ tiers: ['account'] })).toMatchObject([
      { outcome: { remaining: 9 }, recorded: [] },
    ]);
    expect(await limiter.of(addressOf(subject.ip)).inspect({ tiers: ['address'] })).toMatchObject([
      { outcome: { remaining: 8 } },
    ]);
  });

  it('needs no limit, because keys do not depend on it', async () => {
    const limiter = createLimiter<string>({ ...day, key: (user) => user, limit: () => 3 });
    await limiter.consume('ada');

    await limiter.of('ada').reset();

    expect(limiter.peek('ada')).toMatchObject({ outcomes: [{ remaining: 3 }] });
  });

  it('resets a bucket whose burst allows no limit of 1', async () => {
    const bucket = { algorithm: 'token-bucket', window: '1d', burst: 10_000_000 } as const;
    const limiter = createLimiter<string>({ ...bucket, key: (user) => user, limit: () => 1_000_000 });
    await limiter.consume('ada');

    await limiter.of('ada').reset();

    expect(limiter.peek('ada')).toMatchObject({ outcomes: [{ remaining: 10_000_000 }] });
  });
});
