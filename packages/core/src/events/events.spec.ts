import { channel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { FailingStore, rejects, unavailable } from '../testing/internal/failing-store.js';
import { createLimiter } from '../limiter/limiter.js';
import type { Tier } from '../limiter/tiers/tier.js';
import { memoryStore } from '../stores/memory/memory-store.js';
import { channels } from './channels.js';
import { subscribe, type DecisionEvent, type SluiceEvents } from './events.js';

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

describe('the channels', () => {
  it('have the names that are documented', () => {
    const names = Object.values(channels).map(({ name }) => name);

    expect(names).toEqual([
      'sluice:decision',
      'sluice:store-call',
      'sluice:breaker',
      'sluice:late-reply',
      'sluice:degraded',
      'sluice:config-fault',
    ] satisfies (keyof SluiceEvents)[]);
    for (const each of Object.values(channels)) expect(each).toBe(channel(each.name));
  });
});

describe('subscribing', () => {
  it('hears what is told from now on, until it is ended', async () => {
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

  it('is of each listener alone', async () => {
    const limiter = createLimiter({ tiers: [hour] });
    const [one, other] = [jest.fn(), jest.fn()];

    const endOne = subscribe('sluice:decision', one);
    const endOther = subscribe('sluice:decision', other);
    await limiter.consume({ user: 'ada' });
    endOne();
    await limiter.consume({ user: 'ada' });
    endOther();

    expect([one.mock.calls.length, other.mock.calls.length]).toEqual([1, 2]);
  });

  it('may be done twice with one listener, which is ended each on its own', async () => {
    const limiter = createLimiter({ tiers: [hour] });
    const listener = jest.fn();

    const ends = [subscribe('sluice:decision', listener), subscribe('sluice:decision', listener)];
    ends[0]!();
    await limiter.consume({ user: 'ada' });
    ends[1]!();

    expect(listener).toHaveBeenCalledTimes(1);
  });
});

describe('a decision', () => {
  it('is told whether it admits, denies, or was made without the store', async () => {
    const heard: unknown[] = [];
    const end = subscribe('sluice:decision', ({ decision: { reason, source } }) => heard.push([reason, source]));
    const store = new FailingStore();
    const limiter = createLimiter({ store, tiers: [hour] });
    const denying = createLimiter({ store, onStoreFailure: 'deny', tiers: [hour] });

    for (let request = 0; request < 3; request += 1) await limiter.consume({ user: 'ada' });
    store.failure = rejects(unavailable);
    await limiter.consume({ user: 'ada' });
    await denying.consume({ user: 'ada' });
    end();

    expect(heard).toEqual([
      ['ok', 'memory'],
      ['ok', 'memory'],
      ['denied', 'memory'],
      ['ok', 'local'],
      ['unavailable', 'none'],
    ]);
  });

  it('is told once, and nothing is of a look, a refund, a settlement or a call that fails', async () => {
    const heard = jest.fn();
    const end = subscribe('sluice:decision', heard);
    const limiter = createLimiter({ tiers: [hour] });

    const decision = await limiter.consume({ user: 'ada' });
    await limiter.peek({ user: 'ada' });
    await limiter.inspect({ user: 'ada' });
    await limiter.refund(decision);
    await Promise.resolve(limiter.consume({ user: '' })).catch(() => undefined);
    end();

    expect(heard).toHaveBeenCalledTimes(1);
  });
});

describe('whoever asks', () => {
  const identity = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }).filter((text) => /^\S{8,}$/.test(text));

  it('is in no event and in no warning, whatever becomes of the request', async () => {
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
          const day: Tier<{ user: string }> = {
            ...hour,
            name: 'day',
            key: () => ({ kind: 'user', parts: [user, text] }),
          };
          const limiter = createLimiter({ store, onStoreFailure, tiers: [{ ...hour, record: () => text }, day] });
          const admitted = await limiter.consume({ user });
          store.failure = rejects(ours ? unavailable : new Error(`no budget for ${user} and ${text}`));
          const decision = await limiter.consume({ user });
          await limiter.peek({ user });
          await limiter.refund(admitted);
          await limiter.refund(decision);

          const shown = inspect([heard, emitWarning.mock.calls], {
            depth: Infinity,
            showHidden: true,
            breakLength: Infinity,
          });
          const serialized = JSON.stringify([heard, emitWarning.mock.calls]);
          expect(heard.length).toBeGreaterThanOrEqual(5);
          for (const secret of [user, text]) {
            expect(shown.includes(secret) || serialized.includes(secret)).toBe(false);
          }
        },
      ),
      { numRuns: 200 },
    );
    for (const end of ends) end();
  });
});

describe('nobody who listens', () => {
  it('costs nothing but a look at who does', () => {
    const limiter = createLimiter({ store: memoryStore(), tiers: [hour] });
    const publish = jest.spyOn(channels.decision, 'publish');

    void limiter.consume({ user: 'ada' });
    const calls = publish.mock.calls.length;
    publish.mockRestore();

    expect(calls).toBe(0);
  });
});
