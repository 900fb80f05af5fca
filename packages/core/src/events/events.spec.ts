import { channel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { FailingStore, rejects, unavailable } from '../../../../test/support/failing-store.js';
import { createLimiter } from '../limiter/limiter.js';
import type { Tier } from '../limiter/tiers/tier.js';
import { UsageError } from '../model/errors.js';
import { memoryStore } from '../stores/memory/memory-store.js';
import { channels } from './channels.js';
import { eventChannel } from './event-channel.js';
import { subscribe, type ChargeEvent, type DecisionEvent, type RefundEvent, type SluiceEvents } from './events.js';

const hour: Tier<{ user: string }> = {
  name: 'hour',
  key: ({ user }) => user,
  algorithm: 'fixed-window',
  limit: 2,
  window: '1h',
};

let emitWarning: jest.SpyInstance;

beforeEach(() => {
  emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterEach(() => {
  emitWarning.mockRestore();
});

describe('channels', () => {
  it('has the documented names', () => {
    const names = Object.values(channels).map(({ name }) => name);

    expect(names).toEqual([
      'sluice:decision',
      'sluice:store-call',
      'sluice:breaker',
      'sluice:late-reply',
      'sluice:degraded',
      'sluice:config-fault',
      'sluice:refund',
      'sluice:charge',
      'sluice:lease',
      'sluice:permit-lapsed',
      'sluice:listed',
      'sluice:list-failed',
      'sluice:list-lost',
      'sluice:audit',
      'sluice:policies',
      'sluice:override',
      'sluice:notice',
    ] satisfies (keyof SluiceEvents)[]);
    for (const each of Object.values(channels)) expect(each).toBe(channel(each.name));
  });
});

describe('sluice:refund', () => {
  it('reports what a refund and a settlement gave back', async () => {
    const limiter = createLimiter({ tiers: [{ ...hour, limit: 9 }] });
    const heard: RefundEvent[] = [];
    const end = subscribe('sluice:refund', (event) => heard.push(event));

    const first = await limiter.consume({ user: 'ada' }, { cost: 4 });
    const second = await limiter.consume({ user: 'ada' }, { cost: 3 });
    await limiter.refund(first, 2);
    await limiter.settle(second, 1);
    await limiter.settle(await limiter.consume({ user: 'ada' }), 2);
    end();

    expect(heard).toEqual([
      { tiers: [{ tier: 'hour', units: 2 }], given: 2 },
      { tiers: [{ tier: 'hour', units: 2 }], given: 2 },
    ]);
  });
});

describe('sluice:charge', () => {
  it('reports what a settlement has charged beyond the reserved units', async () => {
    const limiter = createLimiter({ tiers: [{ ...hour, limit: 9 }] });
    const heard: ChargeEvent[] = [];
    const end = subscribe('sluice:charge', (event) => heard.push(event));

    await limiter.settle(await limiter.consume({ user: 'ada' }, { cost: 2 }), 5);
    await limiter.settle(await limiter.consume({ user: 'ada' }, { cost: 2 }), 1);
    end();

    expect(heard).toEqual([{ tiers: [{ tier: 'hour', units: 3 }] }]);
  });
});

describe('subscribe', () => {
  it('calls the listener from now on, until the subscription ends', async () => {
    const limiter = createLimiter({ tiers: [hour] });
    const heard: DecisionEvent[] = [];
    await limiter.consume({ user: 'ada' });

    const end = subscribe('sluice:decision', (event) => heard.push(event));
    const decision = await limiter.consume({ user: 'ada' });
    end();
    end();
    await limiter.consume({ user: 'ada' });

    expect(heard).toEqual([{ decision }]);
    expect(heard[0]!.decision).toBe(decision);
    expect(channels.decision.hasSubscribers).toBe(false);
  });

  it('takes an event that a feature exports, of any copy of its package', () => {
    const listener = jest.fn();

    const end = subscribe(eventChannel<{ readonly level: number }>('sluice:feature'), listener);
    channel('sluice:feature').publish({ level: 7 });
    end();
    channel('sluice:feature').publish({ level: 8 });

    expect(listener.mock.calls).toEqual([[{ level: 7 }]]);
  });

  it('has one subscription for each call, also with the same listener', () => {
    const listener = jest.fn();

    const ends = [subscribe('sluice:decision', listener), subscribe('sluice:decision', listener)];
    ends[0]!();
    void createLimiter({ tiers: [hour] }).consume({ user: 'ada' });
    ends[1]!();

    expect(listener).toHaveBeenCalledTimes(1);
  });
});

describe('subscribe, with a wrong argument', () => {
  it.each<[string, unknown[], string]>([
    ['no listener', ['sluice:decision'], 'listener must be a function of the event, got undefined'],
    ['an object as listener', ['sluice:decision', {}], 'listener must be a function of the event, got object'],
    [
      'a misspelled channel',
      ['sluice:decisions', () => {}],
      'sluice:notice, or an event that a feature exports, got sluice:decisions',
    ],
    ['a channel of Object', ['toString', () => {}], 'channel must be one of sluice:decision, sluice:store-call,'],
    ['no channel', [undefined, () => {}], 'or an event that a feature exports, got undefined'],
    ['an object as channel', [{ name: 'sluice:decision' }, () => {}], 'feature exports, got object'],
    ['a listener as channel', [() => {}], 'or an event that a feature exports, got function'],
  ])('throws for %s', (_case, given, message) => {
    const act = () => subscribe(...(given as Parameters<typeof subscribe>));

    expect(act).toThrow(UsageError);
    expect(act).toThrow(
      expect.objectContaining({ code: 'USAGE_INVALID', message: expect.stringMatching(/^subscribe: /) }),
    );
    expect(act).toThrow(message);
    expect(channels.decision.hasSubscribers).toBe(false);
  });
});

describe('sluice:decision', () => {
  it('reports allowed, denied and degraded decisions, and no other calls', async () => {
    const heard: unknown[] = [];
    const end = subscribe('sluice:decision', ({ decision: { reason, source } }) => heard.push([reason, source]));
    const store = new FailingStore();
    const limiter = createLimiter({ store, tiers: [hour] });
    const denying = createLimiter({ store, onStoreFailure: 'deny', tiers: [hour] });

    for (let request = 0; request < 3; request += 1) await limiter.consume({ user: 'ada' });
    await limiter.refund(await limiter.consume({ user: 'bob' }));
    await limiter.peek({ user: 'ada' });
    await limiter.inspect({ user: 'ada' });
    await Promise.resolve(limiter.consume({ user: '' })).catch(() => undefined);
    store.failure = rejects(unavailable);
    await limiter.consume({ user: 'ada' });
    await denying.consume({ user: 'ada' });
    end();

    expect(heard).toEqual([
      ['ok', 'memory'],
      ['ok', 'memory'],
      ['denied', 'memory'],
      ['ok', 'memory'],
      ['ok', 'local'],
      ['unavailable', 'none'],
    ]);
  });
});

describe('SluiceEvents', () => {
  it('are not made without a subscriber', () => {
    const publish = jest.spyOn(channels.decision, 'publish');

    void createLimiter({ store: memoryStore(), tiers: [hour] }).consume({ user: 'ada' });

    expect(publish).not.toHaveBeenCalled();
    publish.mockRestore();
  });

  const identity = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }).filter((text) => /^\S{8,}$/.test(text));

  it('contain no identity and no recorded text, nor does a warning', async () => {
    const heard: unknown[] = [];
    const ends = Object.values(channels).map(({ name }) =>
      subscribe(name as keyof SluiceEvents, (event) => heard.push(event)),
    );
    await fc.assert(
      fc.asyncProperty(
        identity,
        identity,
        fc.constantFrom('local', 'allow', 'deny'),
        fc.boolean(),
        async (user, text, onStoreFailure, ours) => {
          heard.length = 0;
          const store = new FailingStore();
          const day: typeof hour = { ...hour, name: 'day', key: () => ({ kind: 'user', parts: [user, text] }) };
          const limiter = createLimiter({ store, onStoreFailure, tiers: [{ ...hour, record: () => text }, day] });
          const admitted = await limiter.consume({ user });
          store.failure = rejects(ours ? unavailable : new Error(`no budget for ${user} and ${text}`));
          const decision = await limiter.consume({ user });
          await limiter.peek({ user });
          await limiter.refund(admitted);
          await limiter.refund(decision);

          const all = [heard, emitWarning.mock.calls];
          const shown =
            inspect(all, { depth: Infinity, showHidden: true, breakLength: Infinity }) + JSON.stringify(all);
          expect(heard.length).toBeGreaterThanOrEqual(5);
          expect([user, text].filter((secret) => shown.includes(secret))).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
    for (const end of ends) end();
  });
});
