import { channel } from 'node:diagnostics_channel';
import { createLimiter } from '../limiter/limiter.js';
import type { Tier } from '../limiter/tiers/tier.js';
import { memoryStore } from '../stores/memory/memory-store.js';
import { redisStore } from '../../../redis/src/redis-store.js';
import { ManualClient, replyError, type Sent } from '../../../../test/support/manual-client.js';
import { manualConnection } from '../../../../test/support/manual-connection.js';
import { traces, type CallTrace, type ConsumeTrace } from './traces.js';

const hour: Tier<{ user: string }> = { name: 'hour', key: ({ user }) => user, limit: 9, window: '1h' };

/** The events of a tracing channel, with a copy of their context. */
function heardOn<Context extends object>(channels: (typeof traces)['call' | 'consume']) {
  const heard: { event: string; context: Context; was: Context }[] = [];
  const ends = (['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const).map((event) => {
    const listener = (context: unknown) => {
      heard.push({ event, context: context as Context, was: { ...(context as Context) } });
      if (event === 'start' && 'followed' in (context as Context))
        Object.assign(context as Context, { followed: true });
    };
    channels[event].subscribe(listener);
    return () => channels[event].unsubscribe(listener);
  });
  return { heard, end: () => void ends.map((each) => each()) };
}

let emitWarning: jest.SpyInstance;

beforeEach(() => {
  emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterEach(() => {
  emitWarning.mockRestore();
});

const eventsOf = (heard: readonly { event: string }[]) => heard.map(({ event }) => event);

describe('sluice:consume', () => {
  it('has the names of a tracing channel of Node', () => {
    expect(traces.consume.start).toBe(channel('tracing:sluice:consume:start'));
    expect(traces.call.asyncEnd).toBe(channel('tracing:sluice:call:asyncEnd'));
  });

  it('publishes start and end for a decision without a promise', () => {
    const { heard, end } = heardOn<ConsumeTrace>(traces.consume);

    const decision = createLimiter({ tiers: [hour] }).consume({ user: 'ada' });
    end();

    expect(decision).not.toBeInstanceOf(Promise);
    expect(eventsOf(heard)).toEqual(['start', 'end']);
    expect(heard.map(({ was }) => was)).toEqual([{ followed: false }, { followed: true, decision }]);
    expect(heard[0]!.context).toBe(heard[1]!.context);
  });

  it('publishes asyncStart and asyncEnd when a promise resolves', async () => {
    const { heard, end } = heardOn<ConsumeTrace>(traces.consume);
    const limiter = createLimiter({ tiers: [{ ...hour, key: async () => 'ada' }] });

    const decision = await limiter.consume({ user: 'ada' });
    end();

    expect(eventsOf(heard)).toEqual(['start', 'end', 'asyncStart', 'asyncEnd']);
    expect(heard.map(({ was: { decision: of } }) => of)).toEqual([undefined, undefined, decision, decision]);
  });

  it('has the code of an error, and not the error, which may quote an identity', async () => {
    const { heard, end } = heardOn<ConsumeTrace>(traces.consume);
    const limiter = createLimiter({ tiers: [hour] });

    await expect(limiter.consume({ user: '' })).rejects.toMatchObject({ code: 'FUNCTION_FAILED' });
    end();

    expect(eventsOf(heard)).toEqual(['start', 'end', 'error', 'asyncStart', 'asyncEnd']);
    expect(heard.at(-1)!.was).toEqual({ followed: true, code: 'FUNCTION_FAILED' });
  });

  it('publishes nothing for peek, nor without a listener of start that follows it', async () => {
    const { heard, end } = heardOn(traces.consume);
    const limiter = createLimiter({ store: memoryStore(), tiers: [hour] });
    await limiter.peek({ user: 'ada' });
    end();
    const started = jest.fn();
    const ended = jest.fn();
    traces.consume.end.subscribe(ended);
    await limiter.consume({ user: 'ada' });
    traces.consume.start.subscribe(started);
    await limiter.consume({ user: 'ada' });
    traces.consume.start.unsubscribe(started);
    traces.consume.end.unsubscribe(ended);

    expect(heard).toEqual([]);
    expect(started).toHaveBeenCalledTimes(1);
    expect(ended).not.toHaveBeenCalled();
  });
});

describe('sluice:call', () => {
  const scene = () => {
    const client = new ManualClient();
    const store = redisStore(client);
    return { client, limiter: createLimiter({ store, tiers: [hour], onStoreFailure: 'deny' }) };
  };

  it('lists the contexts of the checks in each call', async () => {
    const consumes = heardOn<ConsumeTrace>(traces.consume);
    const calls = heardOn<CallTrace>(traces.call);
    const { client, limiter } = scene();

    const decisions = ['ada', 'bob', 'cy', 'dan', 'eve'].map((user) => limiter.consume({ user }));
    const peeked = limiter.peek({ user: 'fay' });
    await new Promise(setImmediate);
    for (const sent of client.sent) sent.fail(replyError('OOM'));
    await Promise.all([...decisions, peeked]);
    consumes.end();
    calls.end();

    const started = consumes.heard.filter(({ event }) => event === 'start').map(({ context }) => context);
    const carried = calls.heard.filter(({ event }) => event === 'start').map(({ context }) => context);
    expect(carried.length).toBeGreaterThan(1);
    expect(carried.flatMap(({ consumes: each }) => each)).toEqual(started);
    for (const [index, context] of carried.flatMap((each) => each.consumes).entries())
      expect(context).toBe(started[index]);
    expect(carried.reduce((sum, { groups }) => sum + groups, 0)).toBe(6);
  });

  it.each<[string, (sent: Sent) => void, readonly string[], Partial<CallTrace>]>([
    ['is answered', (sent) => sent.reply(1), ['asyncStart', 'asyncEnd'], { outcome: 'answered' }],
    [
      'fails',
      (sent) => sent.fail(replyError('OOM')),
      ['error', 'asyncStart', 'asyncEnd'],
      { outcome: 'failed', problem: 'OOM' },
    ],
  ])('publishes the end of a call that %s', async (_how, settle, events, context) => {
    const { heard, end } = heardOn<CallTrace>(traces.call);

    settle(manualConnection().send({ groups: 3 }));
    await Promise.resolve();
    end();

    const send = expect.any(Function);
    expect(eventsOf(heard)).toEqual(['start', 'end', ...events]);
    expect(heard[0]!.was).toEqual({ consumes: [], groups: 3, send });
    expect(heard.at(-1)!.was).toEqual({ consumes: [], groups: 3, send, ...context });
  });

  it('sends the call as a listener of start wraps it', async () => {
    const order: string[] = [];
    const listener = (context: unknown) => {
      const call = context as CallTrace;
      const { send } = call;
      call.send = () => {
        order.push(`before ${client.sent.length}`);
        send();
        order.push(`after ${client.sent.length}`);
      };
    };
    const { client, limiter } = scene();
    traces.call.start.subscribe(listener);

    const decision = limiter.consume({ user: 'ada' });
    traces.call.start.unsubscribe(listener);
    client.last.fail(replyError('OOM'));
    await decision;

    expect(order).toEqual(['before 0', 'after 1']);
  });
});
