import { ADA, addressOf, HOME, scene, stranger } from '../../../../test/support/sign-in-scene.js';

const DAY_MS = 86_400_000;

describe('loginTiers', () => {
  it('allow a new network six guesses of an account at once, and 33 in a day', async () => {
    const { clock, guesses, limiter } = scene();

    const atOnce = await guesses(9, stranger(1));
    let admitted = atOnce;
    for (let time = 0; ;) {
      const { retryAfter } = await limiter.peek(stranger(1));
      time += retryAfter;
      if (time >= DAY_MS) break;
      clock.advance(retryAfter);
      admitted += await guesses(1, stranger(1));
    }

    expect([atOnce, admitted]).toEqual([6, 33]);
  });

  it('allow all new networks together 90 guesses of an account at once', async () => {
    const { guesses } = scene();

    let admitted = 0;
    for (let host = 0; host < 100; host += 1) admitted += await guesses(9, stranger(host));

    expect(admitted).toBe(90);
  });

  it('leave the first tries of new networks to the owner while ten addresses guess', async () => {
    const { guesses, succeed } = scene();
    for (let host = 0; host < 10; host += 1) await guesses(50, stranger(host));

    expect(await guesses(2, ADA)).toBe(2);
    expect(await succeed(ADA)).toBe(true);
  });

  it('let the owner in on a known network while all new networks are denied', async () => {
    const { exhaust, guesses, succeed } = scene();
    await succeed(ADA);
    await exhaust();

    expect(await guesses(5, stranger(99))).toBe(0);
    expect(await guesses(19, ADA)).toBe(19);
    expect(await succeed(ADA)).toBe(true);
  });

  it('let the owner in on a known device in any network, also where its network guesses', async () => {
    const { exhaust, guesses, succeed } = scene({ device: ({ device }) => device });
    await succeed({ ...ADA, device: 'laptop' });
    await exhaust();
    await guesses(300, { ...stranger(1), account: 'ada' });

    expect(await succeed({ ...stranger(1), device: 'laptop' })).toBe(true);
    expect(await succeed({ ...stranger(99), device: 'unknown' })).toBe(false);
  });

  it('know a device from its first sign-in on, whose id the application has made for it', async () => {
    const { exhaust, succeed } = scene({ device: ({ device, ip }) => device ?? `new id at ${ip}` });
    await succeed(ADA);
    await exhaust();

    expect(await succeed({ ...stranger(99), device: `new id at ${HOME}` })).toBe(true);
  });

  it('know only the network of a first sign-in without an id', async () => {
    const { exhaust, succeed } = scene({ device: ({ device }) => device });
    await succeed(ADA);
    await exhaust();

    expect(await succeed({ ...stranger(99), device: 'new id' })).toBe(false);
    expect(await succeed({ ...ADA, device: 'new id' })).toBe(true);
    expect(await succeed({ ...stranger(99), device: 'new id' })).toBe(true);
  });

  it('count a known network without its device against the network', async () => {
    const { guess, succeed } = scene({ device: ({ device }) => device });
    await succeed(ADA);

    for (let number = 0; number < 100; number += 1) await guess({ ip: HOME, account: `account ${number}` });

    expect(await guess(ADA)).toBe(false);
  });

  it('know a device for the account alone that it has signed in to', async () => {
    const { exhaust, guess, succeed } = scene({ device: ({ device }) => device });
    await succeed({ ip: '192.0.2.66', account: 'mallory', device: 'laptop of mallory' });
    await exhaust();

    expect(await guess({ ip: '192.0.2.66', account: 'ada', device: 'laptop of mallory' })).toBe(false);
  });

  it('know a network for at least 30 days after each success, and for 60 at most', async () => {
    const { clock, exhaust, guess, succeed } = scene();
    await succeed(ADA);
    for (let visit = 0; visit < 3; visit += 1) {
      clock.advance('29d');
      await exhaust();
      expect(await succeed(ADA)).toBe(true);
    }
    clock.advance('60d');
    await exhaust();

    expect(await guess(ADA)).toBe(false);
  });

  it('forgive no guesses of others by a success', async () => {
    const { exhaust, guess, succeed } = scene();
    await succeed(ADA);
    await exhaust();

    for (let times = 0; times < 100; times += 1) await succeed(ADA);

    expect(await guess(stranger(99))).toBe(false);
  });

  it('bound the guesses of a neighbour of the owner, whose network is known', async () => {
    const { clock, guesses, succeed } = scene();

    let admitted = 0;
    for (let minute = 0; minute < 240; minute += 1) {
      await succeed(ADA);
      admitted += await guesses(2, ADA);
      clock.advance('1m');
    }

    // 20 at once, and 100 in a day.
    expect(admitted).toBeLessThanOrEqual(20 + 100 / 6);
  });

  it('allow a network 100 accounts at once', async () => {
    const { guess } = scene();

    const admitted: boolean[] = [];
    for (let number = 0; number < 150; number += 1)
      admitted.push(await guess({ ip: HOME, account: `account ${number}` }));

    expect(admitted.filter(Boolean)).toHaveLength(100);
  });

  it('admit at most one more than the limit of 100 guesses at the same time', async () => {
    const { guess } = scene();

    const admitted = await Promise.all(Array.from({ length: 100 }, async () => guess(stranger(1))));

    expect(admitted.filter(Boolean)).toHaveLength(6);
  });

  it('count the /48 of an IPv6 address as one network', async () => {
    const { guess } = scene();

    const admitted: boolean[] = [];
    for (let subnet = 0; subnet < 20; subnet += 1) {
      admitted.push(await guess({ ip: `2001:db8:1:${subnet.toString(16)}::1`, account: 'ada' }));
    }

    expect(admitted.filter(Boolean)).toHaveLength(6);
  });

  it.each<[string, unknown[]]>([
    ['spellings', ['ada', 'Ada', ' ADA\n', 'ａｄａ']],
    ['letters with two forms', ['straße', 'STRASSE', 'Strasse']],
    ['the ends of Greek words', ['σοφος', 'ΣΟΦΟΣ', 'σοφοσ', 'σοφος']],
    ['numbers and their texts', [17, '17', 17n]],
    ['arrays', [['ada'], [['ada']], ['ada', 'eve'], []]],
    ['arrays of long texts', [['x'.repeat(600)], ['y'.repeat(600)]]],
    ['long texts', ['x'.repeat(513), 'y'.repeat(600)]],
    ['objects', [{}, Object.create(null), { toString: 1 }, [{ valueOf: 1, toString: 1 }]]],
    ['other values', [true, 1.5, Number.NaN, ['ada'], {}]],
  ])('count %s as one account, from any number of addresses', async (_kind, accounts) => {
    const { guess } = scene();

    const admitted: boolean[] = [];
    for (let attempt = 0; attempt < 120; attempt += 1) {
      admitted.push(await guess({ ip: addressOf(attempt % 40), account: accounts[attempt % accounts.length] }));
    }

    // The first tries of new networks, of one account.
    expect(admitted.filter(Boolean)).toHaveLength(80);
  });

  it.each([[undefined], [null], [false], [''], [' ']])(
    'count a request with the account %p by its network',
    async (account) => {
      const { guesses } = scene();

      const admitted = [];
      for (let host = 0; host < 30; host += 1) admitted.push(await guesses(8, { ip: addressOf(host), account }));

      expect(new Set(admitted)).toEqual(new Set([6]));
    },
  );

  it('give a device that is no text no budget', async () => {
    const { exhaust, succeed } = scene({ device: ({ device }) => device });
    const attempt = { ...ADA, device: ['laptop'] as never };
    await succeed(attempt);
    await exhaust();

    expect(await succeed({ ...stranger(99), device: ['laptop'] as never })).toBe(false);
  });

  it('know a device that a promise of another library tells', async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- a query of an SQL builder is one
    const query = (id: string | undefined) => ({ then: (onValue: (value: unknown) => void) => onValue(id) });
    const { exhaust, succeed } = scene({ device: ({ device }) => query(device) as never });
    await succeed({ ...ADA, device: 'laptop' });
    await exhaust();

    expect(await succeed({ ...stranger(99), device: 'laptop' })).toBe(true);
  });

  it('leave no rejection unhandled when device throws and account rejects', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const { limiter } = scene({
      account: async () => Promise.reject(new Error('no account')),
      device() {
        throw new Error('no device');
      },
    });

    const consumed = Promise.resolve(limiter.consume(ADA));

    await expect(consumed).rejects.toMatchObject({ code: 'FUNCTION_FAILED' });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('reject with the error of a store that was closed', async () => {
    const { limiter, store } = scene();
    await store.close();

    await expect(Promise.resolve(limiter.consume(ADA))).rejects.toMatchObject({ name: 'StoreError' });
  });
});
