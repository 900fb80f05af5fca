import { inspect } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import * as fc from 'fast-check';
import { claim, type ClaimOptions } from '../testing/internal/claim.js';
import { FailingStore, rejects, throws, unavailable } from '../testing/internal/failing-store.js';
import { definePolicy } from '../algorithms/policy-options.js';
import { subscribe, type DegradedEvent } from '../events/events.js';
import type { Claim, OnStoreFailure } from '../model/claim.js';
import { ConfigError, StoreError, UsageError } from '../model/errors.js';
import { fakeClock } from '../testing/clock.js';
import { memoryStore } from './memory/memory-store.js';
import type { Answer } from './store.js';
import { withFallback } from './with-fallback.js';

const fixed = (limit: number) => definePolicy({ algorithm: 'fixed-window', limit, window: '1h' });

let emitWarning: jest.SpyInstance;
let events: DegradedEvent[];
let unsubscribe: () => void;

beforeEach(() => {
  emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
  events = [];
  unsubscribe = subscribe('sluice:degraded', (event) => events.push(event));
});

afterEach(() => {
  unsubscribe();
  emitWarning.mockRestore();
});

function wrapped() {
  const clock = fakeClock();
  const store = new FailingStore(clock);
  const local = memoryStore({ clock });
  const whole = withFallback(store, local);
  /** What is left of a claim here, and in the store. */
  const left = async (one: Claim) => {
    const { failure } = store;
    store.failure = undefined;
    const { outcomes } = await store.peek([one]);
    store.failure = failure;
    const here = local.peek([{ ...one, policy: one.localPolicy ?? one.policy }]);
    return { here: here.outcomes[0]!.remaining, there: outcomes[0]!.remaining };
  };
  return { clock, store, local, whole, left };
}

function tier(onStoreFailure: OnStoreFailure, more: ClaimOptions = {}): Claim {
  return claim({ tier: onStoreFailure, policy: fixed(10), localPolicy: fixed(4), onStoreFailure, ...more });
}

/** A promise that is not `instanceof Promise` here. */
const foreignRejection = (reason: unknown) =>
  runInContext('Promise.reject(reason)', createContext({ reason })) as Promise<never>;

const told = ({ outcomes }: Answer) => outcomes.map(({ tier: name, allowed, remaining }) => [name, allowed, remaining]);

// The first of all, for a warning is given once.
describe('a store that cannot answer', () => {
  it('is warned of once, and told of each time, in words that name nobody', async () => {
    const { store, whole } = wrapped();
    const group = [tier('local', { record: 'ada@example.org' }), tier('local', { tier: 'watching', shadow: true })];
    store.failure = rejects(unavailable);

    await whole.consume(group);
    await whole.peek(group);

    expect(emitWarning.mock.calls).toEqual([
      [expect.stringContaining(unavailable.message), expect.objectContaining({ code: 'SLUICE_STORE_UNAVAILABLE' })],
    ]);
    const { code, message } = unavailable;
    const tiers = ['local', 'watching'];
    expect(events).toEqual([
      { operation: 'consume', fallback: 'local', code, message, tiers },
      { operation: 'peek', fallback: 'local', code, message, tiers },
    ]);
  });
});

describe('a store that answers', () => {
  it('is all that is asked', async () => {
    const { whole, left } = wrapped();
    const one = tier('local');

    const answer = await whole.consume([one]);

    expect(answer).not.toHaveProperty('fallback');
    expect(await left(one)).toEqual({ here: 4, there: 9 });
    expect(events).toEqual([]);
  });

  it('is believed when it denies: a denial is no outage', async () => {
    const { whole, left } = wrapped();
    const one = tier('local', { policy: fixed(1) });
    await whole.consume([one]);

    const denied = await whole.consume([one]);

    expect(told(denied)).toEqual([['local', false, 0]]);
    expect((await left(one)).here).toBe(4);
  });

  it('answers at once where it does so itself', () => {
    const whole = withFallback(memoryStore(), memoryStore());

    expect(whole.consume([tier('local')])).not.toBeInstanceOf(Promise);
  });
});

describe('without its store a group', () => {
  it.each([
    ['rejects', rejects(unavailable)],
    ['throws', throws(unavailable)],
    ['gives a promise of another realm', () => foreignRejection(unavailable)],
  ])('is decided here by the local policies, where the store %s', async (_how, failure) => {
    const { store, whole, left } = wrapped();
    const one = tier('local');
    store.failure = failure;

    const answers = [];
    for (let check = 0; check < 5; check += 1) answers.push(await whole.consume([one]));

    expect(answers.map(told).flat()).toEqual([
      ['local', true, 3],
      ['local', true, 2],
      ['local', true, 1],
      ['local', true, 0],
      ['local', false, 0],
    ]);
    expect(answers[0]).toMatchObject({ source: 'local', fallback: 'local', receipts: [{ source: 'local', units: 1 }] });
    expect(answers[0]!.outcomes[0]!.limit).toBe(4);
    expect(await left(one)).toEqual({ here: 0, there: 10 });
  });

  it('is decided by the policy itself where there is no local one, and locally where nothing is said', async () => {
    const { store, whole } = wrapped();
    const { localPolicy: _none, onStoreFailure: _unsaid, ...one } = tier('local');
    store.failure = rejects(unavailable);

    expect(await whole.consume([one])).toMatchObject({ fallback: 'local', outcomes: [{ limit: 10, remaining: 9 }] });
  });

  it('is allowed without outcomes where all of it is', async () => {
    const { store, whole, left } = wrapped();
    const one = tier('allow');
    store.failure = rejects(unavailable);

    expect(await whole.consume([one])).toEqual({ outcomes: [], receipts: [], source: 'none', fallback: 'allow' });
    expect(await left(one)).toEqual({ here: 4, there: 10 });
  });

  it('is denied, and charged nowhere, where one of its tiers is', async () => {
    const { store, whole, left } = wrapped();
    const group = [tier('local'), tier('allow'), tier('deny')];
    store.failure = rejects(unavailable);

    expect(await whole.consume(group)).toEqual({ outcomes: [], receipts: [], source: 'none', fallback: 'deny' });
    for (const one of group) expect(await left(one)).toEqual({ here: 4, there: 10 });
  });

  it('leaves out tiers that are allowed, and those that only watch', async () => {
    const { store, whole } = wrapped();
    store.failure = rejects(unavailable);

    const mixed = await whole.consume([
      tier('allow'),
      tier('local', { tier: 'one' }),
      tier('deny', { tier: 'watching', shadow: true }),
      tier('local', { tier: 'other' }),
    ]);
    const watching = await whole.consume([tier('local', { shadow: true })]);

    expect(told(mixed)).toEqual([
      ['one', true, 3],
      ['other', true, 3],
    ]);
    expect(mixed.receipts.map((receipt) => receipt.tier)).toEqual(['one', 'other']);
    expect(watching).toEqual({ outcomes: [], receipts: [], source: 'none', fallback: 'allow' });
  });

  it('is charged all or nothing here as well, but for tiers that count denied requests', async () => {
    const { store, whole, left } = wrapped();
    const [wide, full, login] = [
      tier('local', { tier: 'wide' }),
      tier('local', { tier: 'full', localPolicy: fixed(1) }),
      tier('local', { tier: 'login', countDenied: true }),
    ];
    store.failure = rejects(unavailable);
    await whole.consume([full]);

    const denied = await whole.consume([wide, full, login]);

    expect(told(denied)).toEqual([
      ['wide', true, 4],
      ['full', false, 0],
      ['login', true, 3],
    ]);
    expect((await left(wide)).here).toBe(4);
    expect(denied.receipts.map(({ tier: name, source }) => [name, source])).toEqual([['login', 'local']]);
  });

  it('is unavailable, and not never, where a cost fits the limit and not the share of it', async () => {
    const { store, whole, left } = wrapped();
    const other = tier('local', { tier: 'other' });
    const cost = (units: number, onStoreFailure: OnStoreFailure = 'local') =>
      whole.consume([tier(onStoreFailure, { cost: units }), other]);
    store.failure = rejects(unavailable);

    expect((await cost(5)).fallback).toBe('deny');
    expect((await cost(10)).fallback).toBe('deny');
    expect((await left(other)).here).toBe(4);
    expect(await cost(4)).toMatchObject({ fallback: 'local', outcomes: [{ allowed: true }, { allowed: true }] });
    // What no store could ever hold is never.
    expect(await cost(11)).toMatchObject({ fallback: 'local', outcomes: [{ never: true }, {}] });
    expect((await cost(5, 'allow')).fallback).toBe('local');
  });

  it('is looked at without being charged', async () => {
    const { store, whole, left } = wrapped();
    const one = tier('local');
    store.failure = rejects(unavailable);

    expect(told(await whole.peek([one]))).toEqual([['local', true, 4]]);
    expect((await left(one)).here).toBe(4);
    expect((await whole.peek([tier('deny')])).fallback).toBe('deny');
  });

  it('keeps no text: whoever looks asks the store', async () => {
    const { store, local, whole } = wrapped();
    const one = tier('local', { record: 'text' });
    store.failure = rejects(unavailable);

    await whole.consume([one]);

    expect(local.inspect(one.key)).toEqual([]);
  });

  it('is decided as the page says, whatever its tiers are', async () => {
    const member = fc.record({
      onStoreFailure: fc.constantFrom<(OnStoreFailure | undefined)[]>('local', 'allow', 'deny', undefined),
      shadow: fc.boolean(),
      cost: fc.nat({ max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(member, { maxLength: 5 }), async (members) => {
        const { store, whole, left } = wrapped();
        const group = members.map(({ onStoreFailure, ...more }, index) => {
          const { onStoreFailure: _, ...one } = tier('local', { tier: `tier-${index}`, ...more });
          const said: Claim = onStoreFailure === undefined ? one : { ...one, onStoreFailure };
          return said;
        });
        store.failure = rejects(unavailable);
        const enforced = group.filter(({ shadow }) => !shadow);
        const ours = enforced.filter(({ onStoreFailure = 'local' }) => onStoreFailure === 'local');
        const cannot = ours.some(({ cost }) => cost > 4 && cost <= 10);
        const denied = cannot || enforced.some(({ onStoreFailure }) => onStoreFailure === 'deny');
        const fallback = denied ? 'deny' : ours.length > 0 ? 'local' : 'allow';
        const admitted = fallback === 'local' && ours.every(({ cost }) => cost <= 4);

        const answer = await whole.consume(group);

        expect(answer.fallback).toBe(fallback);
        expect(answer.source).toBe(fallback === 'local' ? 'local' : 'none');
        expect(answer.outcomes.map((outcome) => outcome.tier)).toEqual(
          fallback === 'local' ? ours.map((one) => one.tier) : [],
        );
        for (const one of group) {
          const charged = admitted && ours.includes(one) ? one.cost : 0;
          expect(await left(one)).toEqual({ here: 4 - charged, there: 10 });
        }
      }),
    );
  });
});

describe('claims for which the store was asked by somebody else', () => {
  it.each(['local', 'allow', 'deny'] as const)(
    'are answered as if it had been asked for them, and it is not: %s',
    async (onStoreFailure) => {
      const { store, whole, left } = wrapped();
      const [one, other] = [tier(onStoreFailure), tier(onStoreFailure)];
      store.failure = rejects(unavailable);
      const asked = await whole.consume([one]);
      store.failure = undefined;
      store.asked = 0;

      const answer = await whole.recover(unavailable, [other]);

      expect(store.asked).toBe(0);
      expect({ ...answer, receipts: [] }).toEqual({ ...asked, receipts: [] });
      expect(answer.receipts.map(({ key, source }) => [key, source])).toEqual(
        onStoreFailure === 'local' ? [[other.key, 'local']] : [],
      );
      expect(events[1]).toEqual(events[0]);
      expect(await left(other)).toEqual({ here: onStoreFailure === 'local' ? 3 : 4, there: 10 });
    },
  );

  it('are not answered where that was no failure of a store', () => {
    const { whole } = wrapped();
    const closed = new StoreError('STORE_CLOSED', 'this store has been closed');

    expect(() => whole.recover(closed, [tier('allow')])).toThrow(closed);
    expect(events).toEqual([]);
  });
});

describe('what was counted here', () => {
  it('outlives a flap, so that the next one grants nothing anew', async () => {
    const { store, whole, left } = wrapped();
    const one = tier('local');
    const flap = async () => {
      store.failure = rejects(unavailable);
      const answer = await whole.consume([{ ...one, cost: 2 }]);
      store.failure = undefined;
      await whole.consume([one]);
      return answer.outcomes[0]!.allowed;
    };

    expect([await flap(), await flap(), await flap()]).toEqual([true, true, false]);
    // And is not told to the store.
    expect((await left(one)).there).toBe(7);
  });

  it('is over with its window', async () => {
    const { clock, store, whole } = wrapped();
    const one = tier('local', { cost: 4 });
    store.failure = rejects(unavailable);
    await whole.consume([one]);

    clock.advance('1h');

    expect(told(await whole.consume([one]))).toEqual([['local', true, 0]]);
  });

  it('is forgotten with what was counted there', async () => {
    const { store, whole, left } = wrapped();
    const one = tier('local');
    await whole.consume([one]);
    store.failure = rejects(unavailable);
    await whole.consume([one]);
    store.failure = undefined;

    await whole.reset([one.key]);

    expect(await left(one)).toEqual({ here: 4, there: 10 });
  });

  it('is forgotten also where the store cannot be told to, which is an error', async () => {
    const { store, whole, left } = wrapped();
    const one = tier('local');
    store.failure = rejects(unavailable);
    await whole.consume([one]);

    await expect(whole.reset([one.key])).rejects.toBe(unavailable);
    expect((await left(one)).here).toBe(4);
  });
});

describe('a refund', () => {
  it('goes to where the decision was made', async () => {
    const { store, whole, left } = wrapped();
    const one = tier('local');
    const there = await whole.consume([one]);
    store.failure = rejects(unavailable);
    const here = await whole.consume([one]);

    const inOutage = await whole.refund(here.receipts);
    store.failure = undefined;
    const after = await whole.refund(there.receipts);

    expect([inOutage, after]).toEqual([1, 1]);
    expect(await left(one)).toEqual({ here: 4, there: 10 });
  });

  it('of a decision that was made here is given here, though the store is back', async () => {
    const { store, whole, left } = wrapped();
    const one = tier('local');
    await whole.consume([one]);
    store.failure = rejects(unavailable);
    const { receipts } = await whole.consume([one]);
    store.failure = undefined;

    expect(await whole.refund(receipts)).toBe(1);
    expect(await left(one)).toEqual({ here: 4, there: 9 });
  });

  it('that the store cannot give gives nothing, is not tried again, and is told', async () => {
    for (const fail of [rejects, throws]) {
      const { store, whole, left } = wrapped();
      const [one, other] = [tier('local'), tier('local', { tier: 'other' })];
      const there = await whole.consume([one]);
      store.failure = fail(unavailable);
      const here = await whole.consume([other]);
      store.asked = 0;
      events.length = 0;

      const given = await whole.refund([...there.receipts, ...here.receipts]);

      expect([given, store.asked]).toEqual([1, 1]);
      expect(events).toEqual([
        { operation: 'refund', code: 'STORE_UNAVAILABLE', message: unavailable.message, tiers: ['local'] },
      ]);
      expect(await left(one)).toEqual({ here: 4, there: 9 });
    }
  });

  it('of nothing asks nobody', async () => {
    const { store, whole } = wrapped();

    expect(await whole.refund([])).toBe(0);
    expect(store.asked).toBe(0);
  });
});

describe('a store of somebody else', () => {
  it.each<[string, unknown]>([
    ['an error', new TypeError('no budget for ada@example.org')],
    ['a text', 'no budget for ada@example.org'],
    ['nothing', undefined],
    ['an object', { user: 'ada@example.org' }],
  ])('that fails with %s is an outage, and what it says is told to nobody', async (_what, reason) => {
    for (const fail of [rejects, throws]) {
      const { store, whole } = wrapped();
      store.failure = fail(reason);
      events.length = 0;

      const answer = await whole.consume([tier('local')]);

      expect(answer.fallback).toBe('local');
      expect(events).toMatchObject([
        { code: 'STORE_UNAVAILABLE', message: 'the store failed with an error of its own' },
      ]);
      expect(inspect([events, emitWarning.mock.calls], { depth: Infinity })).not.toContain('ada');
    }
  });
});

describe('what is no failure of a store', () => {
  it.each([
    ['a store that was closed', new StoreError('STORE_CLOSED', 'this store has been closed')],
    ['a call that makes no sense', new UsageError('USAGE_INVALID', 'nonsense')],
    ['an option that cannot work', new ConfigError('OPTION_INVALID', 'limit', 0, 'nonsense')],
  ])('is passed on: %s', async (_what, error) => {
    for (const fail of [rejects, throws]) {
      const { store, whole } = wrapped();
      const { receipts } = await whole.consume([tier('local')]);
      store.failure = fail(error);

      await expect(async () => whole.consume([tier('allow')])).rejects.toBe(error);
      await expect(async () => whole.peek([tier('local')])).rejects.toBe(error);
      await expect(async () => whole.refund(receipts)).rejects.toBe(error);
    }
    expect(events).toEqual([]);
  });

  it('is a key that cannot be read: the store is well, but it cannot answer', async () => {
    const { store, whole } = wrapped();
    store.failure = rejects(new StoreError('STORE_KEY_UNREADABLE', 'a key holds what is no state'));

    expect((await whole.consume([tier('deny')])).fallback).toBe('deny');
    expect(events).toMatchObject([{ code: 'STORE_KEY_UNREADABLE', fallback: 'deny' }]);
  });
});

describe('closing', () => {
  it('closes both', async () => {
    const { local, store, whole } = wrapped();

    await whole.close();

    expect(() => local.consume([tier('local')])).toThrow(expect.objectContaining({ code: 'STORE_CLOSED' }));
    await expect(store.consume([tier('local')])).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    await expect(whole.consume([tier('local')])).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  });
});

describe('looking at texts', () => {
  it('is an error where the store cannot tell', async () => {
    const { store, whole } = wrapped();
    store.failure = rejects(unavailable);

    await expect(whole.inspect('rl:{a}:hour:fw000')).rejects.toBe(unavailable);
  });
});
