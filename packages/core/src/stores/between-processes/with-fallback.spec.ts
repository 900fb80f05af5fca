import { inspect } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import * as fc from 'fast-check';
import { definePolicy } from '../../algorithms/named/policy-options.js';
import { subscribe, type DegradedEvent } from '../../events/events.js';
import type { Claim, OnStoreFailure } from '../../model/claim.js';
import { ConfigError, StoreError, UsageError } from '../../model/errors.js';
import { fakeClock } from '../../../../testing/src/clock.js';
import { claim, type ClaimOptions } from '../../../../../test/support/claim.js';
import { FailingStore, rejects, throws, unavailable } from '../../../../../test/support/failing-store.js';
import { allowedAndLeft } from '../../../../testing/src/suite/store-test.js';
import { memoryStore } from '../memory/memory-store.js';
import { behindFallback } from '../../../../../test/support/layered-stores.js';

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

function scene() {
  const clock = fakeClock();
  const store = new FailingStore(clock);
  const local = memoryStore({ clock });
  const whole = behindFallback(store, local);
  /** The units that a claim has left here, and in the store. */
  const left = async (one: Claim) => {
    const { failure } = store;
    store.failure = undefined;
    const there = await store.peek([one]);
    store.failure = failure;
    const here = local.peek([{ ...one, policy: one.terms!.localPolicyOf(one.policy) }]);
    return { here: here.outcomes[0]!.remaining, there: there.outcomes[0]!.remaining };
  };
  return { clock, store, local, whole, left };
}

/** A store that fails. */
function outage(failure = rejects(unavailable)) {
  const made = scene();
  made.store.failure = failure;
  return made;
}

/** Ten units in the store, and four of them here. */
function tier(onStoreFailure: OnStoreFailure, more: ClaimOptions = {}): Claim {
  return claim({ tier: onStoreFailure, policy: fixed(10), localPolicy: fixed(4), onStoreFailure, ...more });
}

/** A promise that is not `instanceof Promise` here. */
const foreignRejection = (reason: unknown) =>
  runInContext('Promise.reject(reason)', createContext({ reason })) as Promise<never>;

// The first test, because a warning is emitted once.
describe('FallbackLayer, during an outage', () => {
  it('warns once, and publishes an event for each request, without identities', async () => {
    const { whole } = outage();
    const group = [tier('local', { record: 'ada@example.org' }), tier('local', { tier: 'watching', shadow: true })];

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

  it.each([
    ['rejects', rejects(unavailable)],
    ['throws', throws(unavailable)],
    ['rejects in another realm', () => foreignRejection(unavailable)],
  ])('decides by the local policy when the store %s', async (_how, failure) => {
    const { whole, left } = outage(failure);
    const one = tier('local');

    const answers = [];
    for (let check = 0; check < 5; check += 1) answers.push(await whole.consume([one]));

    expect(answers.flatMap(allowedAndLeft)).toEqual([
      [true, 3],
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    expect(answers[0]).toMatchObject({ source: 'local', fallback: 'local', receipts: [{ source: 'local', units: 1 }] });
    expect(answers[0]!.outcomes[0]!.limit).toBe(4);
    expect(await left(one)).toEqual({ here: 0, there: 10 });
  });

  it('decides locally, by the policy itself, when no limiter has made the claim', async () => {
    const { terms: _none, ...one } = tier('local');

    const answer = await outage().whole.consume([one]);

    expect(answer).toMatchObject({ fallback: 'local', outcomes: [{ limit: 10, remaining: 9 }] });
  });

  it('allows a request when all its tiers do', async () => {
    const { whole, left } = outage();
    const one = tier('allow');

    expect(await whole.consume([one])).toEqual({ outcomes: [], receipts: [], source: 'none', fallback: 'allow' });
    expect(await left(one)).toEqual({ here: 4, there: 10 });
  });

  it('denies a request when one of its tiers does, and charges nothing', async () => {
    const { whole, left } = outage();
    const group = [tier('local'), tier('allow'), tier('deny')];

    expect(await whole.consume(group)).toEqual({ outcomes: [], receipts: [], source: 'none', fallback: 'deny' });
    for (const one of group) expect(await left(one)).toEqual({ here: 4, there: 10 });
  });

  it('leaves out allowed tiers and shadow tiers', async () => {
    const { whole } = outage();

    const mixed = await whole.consume([
      tier('allow'),
      tier('local', { tier: 'one' }),
      tier('deny', { tier: 'watching', shadow: true }),
      tier('local', { tier: 'other' }),
    ]);
    const watching = await whole.consume([tier('local', { shadow: true })]);

    for (const tiers of [mixed.outcomes, mixed.receipts]) {
      expect(tiers.map((each) => each.tier)).toEqual(['one', 'other']);
    }
    expect(watching).toEqual({ outcomes: [], receipts: [], source: 'none', fallback: 'allow' });
  });

  it('charges local tiers all or none, except those that charge all requests', async () => {
    const { whole, left } = outage();
    const [wide, full, login] = [
      tier('local', { tier: 'wide' }),
      tier('local', { tier: 'full', localPolicy: fixed(1) }),
      tier('local', { tier: 'login', charge: 'all' }),
    ];
    await whole.consume([full]);

    const denied = await whole.consume([wide, full, login]);

    expect(allowedAndLeft(denied)).toEqual([
      [true, 4],
      [false, 0],
      [true, 3],
    ]);
    expect((await left(wide)).here).toBe(4);
    expect(denied.receipts).toMatchObject([{ tier: 'login', source: 'local' }]);
  });

  it('denies a cost that fits the limit and not the local share of it', async () => {
    const { whole, left } = outage();
    const other = tier('local', { tier: 'other' });
    const consume = (cost: number, onStoreFailure: OnStoreFailure = 'local') =>
      whole.consume([tier(onStoreFailure, { cost }), other]);

    expect((await consume(5)).fallback).toBe('deny');
    expect((await consume(10)).fallback).toBe('deny');
    expect((await left(other)).here).toBe(4);
    expect(await consume(4)).toMatchObject({ fallback: 'local', outcomes: [{ allowed: true }, { allowed: true }] });
    // No store could ever hold it.
    expect(await consume(11)).toMatchObject({ fallback: 'local', outcomes: [{ never: true }, {}] });
    expect((await consume(5, 'allow')).fallback).toBe('local');
  });

  it('peeks without charging', async () => {
    const { whole, left } = outage();
    const one = tier('local');

    expect(allowedAndLeft(await whole.peek([one]))).toEqual([[true, 4]]);
    expect((await left(one)).here).toBe(4);
    expect((await whole.peek([tier('deny')])).fallback).toBe('deny');
  });

  it('records no text in the local store, because it is read from the store', async () => {
    const { local, whole } = outage();
    const one = tier('local', { record: 'text' });

    await whole.consume([one]);

    expect(local.recorded(one.key)).toEqual([]);
  });

  it('follows the rules of onStoreFailure with any tiers', async () => {
    const member = fc.record({
      onStoreFailure: fc.constantFrom<OnStoreFailure[]>('local', 'allow', 'deny'),
      shadow: fc.boolean(),
      cost: fc.nat({ max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(member, { maxLength: 5 }), async (members) => {
        const { whole, left } = outage();
        const group = members.map(({ onStoreFailure, ...more }, index) =>
          tier(onStoreFailure, { tier: `tier-${index}`, ...more }),
        );
        const enforced = group.filter(({ shadow }) => !shadow);
        const ours = enforced.filter(({ terms }) => terms!.onStoreFailure === 'local');
        const isAboveShare = ours.some(({ cost }) => cost > 4 && cost <= 10);
        const isDenied = isAboveShare || enforced.some(({ terms }) => terms!.onStoreFailure === 'deny');
        const fallback = isDenied ? 'deny' : ours.length > 0 ? 'local' : 'allow';
        const isAdmitted = fallback === 'local' && ours.every(({ cost }) => cost <= 4);

        const answer = await whole.consume(group);

        expect(answer.fallback).toBe(fallback);
        expect(answer.source).toBe(fallback === 'local' ? 'local' : 'none');
        const tiers = fallback === 'local' ? ours.map((one) => one.tier) : [];
        expect(answer.outcomes.map((outcome) => outcome.tier)).toEqual(tiers);
        for (const one of group) {
          const charged = isAdmitted && ours.includes(one) ? one.cost : 0;
          expect(await left(one)).toEqual({ here: 4 - charged, there: 10 });
        }
      }),
    );
  });

  it.each<[string, unknown]>([
    ['an error', new TypeError('no budget for ada@example.org')],
    ['a text', 'no budget for ada@example.org'],
    ['undefined', undefined],
    ['an object', { user: 'ada@example.org' }],
  ])('hides the reason of a custom store that fails with %s', async (_what, reason) => {
    for (const fail of [rejects, throws]) {
      events.length = 0;

      const answer = await outage(fail(reason)).whole.consume([tier('local')]);

      expect(answer.fallback).toBe('local');
      expect(events).toMatchObject([
        { code: 'STORE_UNAVAILABLE', message: 'the store failed with an error of its own' },
      ]);
      expect(inspect([events, emitWarning.mock.calls], { depth: Infinity })).not.toContain('ada');
    }
  });

  it('treats an unreadable key as an outage of that request', async () => {
    const { whole } = outage(rejects(new StoreError('STORE_KEY_UNREADABLE', 'a key holds another type')));

    expect((await whole.consume([tier('deny')])).fallback).toBe('deny');
    expect(events).toMatchObject([{ code: 'STORE_KEY_UNREADABLE', fallback: 'deny' }]);
  });

  it.each([
    ['a call to a closed store', new StoreError('STORE_CLOSED', 'this store has been closed')],
    ['a wrong call', new UsageError('USAGE_INVALID', 'nonsense')],
    ['a wrong option', new ConfigError('OPTION_INVALID', 'limit', 0, 'nonsense')],
  ])('rejects %s, which is not an outage', async (_what, error) => {
    for (const fail of [rejects, throws]) {
      const { store, whole } = scene();
      const { receipts } = await whole.consume([tier('local')]);
      store.failure = fail(error);

      await expect(async () => whole.consume([tier('allow')])).rejects.toBe(error);
      await expect(async () => whole.peek([tier('local')])).rejects.toBe(error);
      await expect(async () => whole.refund(receipts)).rejects.toBe(error);
      expect(() => whole.recover(error, [tier('allow')])).toThrow(error);
    }
    expect(events).toEqual([]);
  });

  it.each(['local', 'allow', 'deny'] as const)('recovers from an error like consume, by %s', async (onStoreFailure) => {
    const { store, whole, left } = outage();
    const [one, other] = [tier(onStoreFailure), tier(onStoreFailure)];
    const consumed = await whole.consume([one]);
    store.calls = 0;

    const recovered = await whole.recover(unavailable, [other]);

    expect(store.calls).toBe(0);
    expect({ ...recovered, receipts: [] }).toEqual({ ...consumed, receipts: [] });
    expect(recovered.receipts.map(({ key, source }) => [key, source])).toEqual(
      onStoreFailure === 'local' ? [[other.key, 'local']] : [],
    );
    expect(events[1]).toEqual(events[0]);
    expect(await left(other)).toEqual({ here: onStoreFailure === 'local' ? 3 : 4, there: 10 });
  });
});

describe('FallbackLayer', () => {
  it('returns the answers of the store, denials too', async () => {
    const { whole, left } = scene();
    const one = tier('local', { policy: fixed(1) });

    const answers = [await whole.consume([one]), await whole.consume([one])];

    expect(answers.flatMap(allowedAndLeft)).toEqual([
      [true, 0],
      [false, 0],
    ]);
    expect(answers[1]).not.toHaveProperty('fallback');
    expect(await left(one)).toEqual({ here: 4, there: 0 });
    expect(events).toEqual([]);
  });

  it('answers immediately if the store does', () => {
    const whole = behindFallback(memoryStore(), memoryStore());

    expect(whole.consume([tier('local')])).not.toBeInstanceOf(Promise);
  });

  it('grants no fresh budget in the next outage, and sends no local count to the store', async () => {
    const { store, whole, left } = scene();
    const one = tier('local');
    const flap = async () => {
      store.failure = rejects(unavailable);
      const answer = await whole.consume([{ ...one, cost: 2 }]);
      store.failure = undefined;
      await whole.consume([one]);
      return answer.outcomes[0]!.allowed;
    };

    expect([await flap(), await flap(), await flap()]).toEqual([true, true, false]);
    expect((await left(one)).there).toBe(7);
  });

  it('drops a local count at the end of its window', async () => {
    const { clock, whole } = outage();
    const one = tier('local', { cost: 4 });
    await whole.consume([one]);

    clock.advance('1h');

    expect(allowedAndLeft(await whole.consume([one]))).toEqual([[true, 0]]);
  });

  it('resets both counts, and the local one also if the store fails', async () => {
    const { store, whole, left } = scene();
    const one = tier('local');
    await whole.consume([one]);
    store.failure = rejects(unavailable);
    await whole.consume([one]);

    await expect(whole.reset([one.key])).rejects.toBe(unavailable);
    expect(await left(one)).toEqual({ here: 4, there: 9 });

    store.failure = undefined;
    await whole.reset([one.key]);
    expect(await left(one)).toEqual({ here: 4, there: 10 });
  });

  it('refunds each charge to where it was made, in an outage and after it', async () => {
    const { store, whole, left } = scene();
    const one = tier('local');
    const there = await whole.consume([one]);
    store.failure = rejects(unavailable);
    const here = [await whole.consume([one]), await whole.consume([one])];

    const inOutage = await whole.refund(here[0]!.receipts);
    store.failure = undefined;
    const after = [await whole.refund(here[1]!.receipts), await whole.refund(there.receipts)];

    expect([inOutage, ...after]).toEqual([1, 1, 1]);
    expect(await left(one)).toEqual({ here: 4, there: 10 });
  });

  it('reports a refund that the store cannot take, without a retry', async () => {
    for (const fail of [rejects, throws]) {
      const { store, whole, left } = scene();
      const [one, other] = [tier('local'), tier('local', { tier: 'other' })];
      const there = await whole.consume([one]);
      store.failure = fail(unavailable);
      const here = await whole.consume([other]);
      store.calls = 0;
      events.length = 0;

      const given = await whole.refund([...there.receipts, ...here.receipts]);

      expect([given, store.calls]).toEqual([1, 1]);
      expect(events).toEqual([
        { operation: 'refund', code: 'STORE_UNAVAILABLE', message: unavailable.message, tiers: ['local'] },
      ]);
      expect(await left(one)).toEqual({ here: 4, there: 9 });
    }
  });

  it('refunds no receipts without a call', async () => {
    const { store, whole } = scene();

    expect([await whole.refund([]), store.calls]).toEqual([0, 0]);
  });

  it('closes both stores', async () => {
    const { local, store, whole } = scene();

    await whole.close();

    expect(() => local.consume([tier('local')])).toThrow(expect.objectContaining({ code: 'STORE_CLOSED' }));
    await expect(store.consume([tier('local')])).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    await expect(whole.consume([tier('local')])).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  });
});
