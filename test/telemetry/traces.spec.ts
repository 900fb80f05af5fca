import { context, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { createLimiter, memoryStore, tracksOf, type Decision, type Store } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { startTraces, type TracesOptions } from '@sluice/opentelemetry';
import { commandsDuring } from '../support/monitor.js';
import { withRedisStore } from '../support/redis-store.js';
import { until } from '../support/until.js';
import { wireTo } from '../support/wire.js';
import { startTracing, type Tracing } from './tracing.js';

interface Visitor {
  readonly user: string;
}

const limiterOn = (store: Store, limit = 100) =>
  createLimiter<Visitor>({ store, name: `hour-${(count += 1)}`, key: ({ user }) => user, limit, window: '1h' });

const byUser = ({ user }: Visitor) => user;

let count = 0;
let tracing: Tracing;
let stop: () => void;

function begin(options?: TracesOptions, sampler?: ConstructorParameters<typeof ParentBasedSampler>[0]['root']) {
  tracing = startTracing(sampler && new ParentBasedSampler({ root: sampler }));
  stop = startTraces(options);
}

afterEach(async () => {
  stop();
  await tracing.stop();
});

const requests = () => tracing.spans().filter(({ name }) => name.startsWith('GET'));

describe('startTraces on Redis', () => {
  const redis = withRedisStore(({ store }) => store.ready());

  it('describes each decision on the span of its request, and links each call to the requests that it carried', async () => {
    const limiter = limiterOn(redis.store);
    // Redis then knows the script, so that no call is sent again.
    await limiter.consume({ user: 'first' }, { cost: 2 });
    begin();
    const digests = new Map<string, string>();

    const commands = await commandsDuring(redis.server, () =>
      Promise.all(
        Array.from({ length: 64 }, (_, index) =>
          tracing.request(`GET ${index}`, async (span) => {
            // One unit would go by a script of its own.
            const decision = await limiter.consume({ user: `user-${index}` }, { cost: index + 2 });
            digests.set(tracksOf(decision)[0]!.digest, span.spanContext().spanId);
            // The answer of a batch has not changed the context of its requests.
            expect(trace.getActiveSpan()).toBe(span);
          }),
        ),
      ),
    );

    const carried = commands
      .filter(({ name, scripted }) => name === 'evalsha' && !scripted)
      .map(({ arguments: [, keys, ...rest] }) => rest.slice(0, Number(keys)).map((key) => spanOf(digests, key)));
    expect(carried.length).toBeLessThan(20);
    expect(carried.flat()).toHaveLength(64);
    expect(tracing.calls().map(requestsOf)).toEqual(carried);
    expect(tracing.calls().map(({ attributes }) => attributes['db.operation.batch.size'] ?? 1)).toEqual(
      carried.map(({ length }) => length),
    );
    for (const { name, attributes } of requests()) {
      const cost = Number(name.slice('GET '.length)) + 2;
      expect(attributes).toMatchObject({ 'sluice.reason': 'ok', 'sluice.binding.remaining': 100 - cost });
    }
    expect(requests()).toHaveLength(64);
  });

  it('makes the call a child of the only request that is recorded', async () => {
    begin();
    const limiter = limiterOn(redis.store);

    const decisions = Array.from({ length: 12 }, (_, index) => {
      const consume = () => limiter.consume({ user: `user-${index}` });
      return index === 9 ? tracing.request('GET /', consume) : Promise.resolve(consume());
    });
    await Promise.all(decisions);

    const [call, ...others] = tracing.calls();
    const [request] = requests();
    expect(others).toEqual([]);
    expect(call!.parentSpanContext).toMatchObject({ spanId: request!.spanContext().spanId });
    expect(call).toMatchObject({
      links: [],
      attributes: { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA' },
    });
    expect(Number(call!.attributes['db.operation.batch.size'])).toBeGreaterThan(1);
  });

  it.each([
    ['a permit', { algorithm: 'concurrency', limit: 100 }],
    ['a lease', { limit: 100, window: '1h', lease: { units: 5, duration: '1s' } }],
  ])('makes the call a child of its request with %s', async (name, tier) => {
    begin();
    const limiter = createLimiter<Visitor>({ store: redis.store, tiers: [{ name, key: byUser, ...tier } as never] });

    await tracing.request('GET /', () => limiter.consume({ user: name }));

    const [request] = requests();
    expect(tracing.calls().map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([
      request!.spanContext().spanId,
    ]);
  });

  it('has one link for a request with two limiters', async () => {
    begin();
    const limiters = [limiterOn(redis.store), limiterOn(redis.store), limiterOn(redis.store)];

    await tracing.request('GET /', () => Promise.all(limiters.map((each) => each.consume({ user: 'ada' }))));

    const [request] = requests();
    for (const call of tracing.calls()) expect(requestsOf(call)).toEqual([request!.spanContext().spanId]);
  });

  it('makes no span for a request that is sampled out, nor without a request', async () => {
    begin(undefined, new AlwaysOffSampler());
    const limiter = limiterOn(redis.store);

    await tracing.request('GET /', () => limiter.consume({ user: 'ada' }));
    await limiter.consume({ user: 'ada' });

    expect(tracing.spans()).toEqual([]);
  });

  it('keeps the calls of sampled requests', async () => {
    begin(undefined, new TraceIdRatioBasedSampler(0.2));
    const limiter = limiterOn(redis.store);

    for (let turn = 0; turn < 100; turn += 1) {
      await tracing.request(`GET ${turn}`, () => limiter.consume({ user: 'ada' }));
    }

    expect(requests().length).toBeLessThan(100);
    expect(tracing.calls().map(requestsOf)).toEqual(requests().map((each) => [each.spanContext().spanId]));
  });

  it('reports an error of Redis by its code', async () => {
    begin();
    await redis.client.config('SET', 'maxmemory', '1');
    const limiter = limiterOn(redis.store);

    await tracing.request('GET /', () => limiter.consume({ user: 'ada' }));
    await redis.client.config('SET', 'maxmemory', '0');

    expect(tracing.calls()).toMatchObject([{ attributes: { 'error.type': 'OOM' }, status: { code: 2 } }]);
    expect(requests()[0]!.attributes).toMatchObject({ 'sluice.degraded': true, 'sluice.source': 'local' });
  });

  it('ends the span of a call at the deadline, and has no span of a call that is not sent', async () => {
    const wire = await wireTo(redis.server);
    const store = redisStore({ url: wire.url });
    await store.ready();
    begin();
    const limiter = limiterOn(store);

    wire.freeze();
    await tracing.request('GET late', () => limiter.consume({ user: 'ada' }));
    const [late] = tracing.calls();
    await wire.close();
    // The client has noticed when a request makes no call.
    await until(async () => {
      const calls = tracing.calls().length;
      await tracing.request('GET down', () => limiter.consume({ user: 'ada' }));
      return tracing.calls().length === calls;
    });
    await store.close();

    expect(late).toMatchObject({ attributes: { 'error.type': 'timeout' }, status: { code: 2 } });
    for (const { attributes } of requests()) expect(attributes['sluice.source']).toBe('local');
  });

  it('makes a span for each decision with spans: all', async () => {
    begin({ spans: 'all' });
    const limiter = limiterOn(redis.store);

    await tracing.request('GET /', () => limiter.consume({ user: 'ada' }));
    const failed = tracing.request('GET /failed', () => limiter.consume({ user: '' }));
    await expect(failed).rejects.toThrow('key');

    const decides = tracing.spans().filter(({ name }) => name === 'sluice decide');
    expect(decides).toMatchObject([
      { kind: 0, status: { code: 0 } },
      { attributes: { 'error.type': 'FUNCTION_FAILED' }, status: { code: 2 } },
    ]);
    expect(tracing.calls().map(requestsOf)).toEqual([[decides[0]!.spanContext().spanId]]);
    expect(requests()[0]!.attributes).toMatchObject({ 'sluice.allowed': true });
    expect(decides[0]!.parentSpanContext!.spanId).toBe(requests()[0]!.spanContext().spanId);
  });

  it('makes no span of a decision for what is extended or settled after it', async () => {
    const limiter = limiterOn(redis.store);
    begin();

    await tracing.request('GET /', async () => {
      const decision = await limiter.consume({ user: 'ada' }, { cost: 2 });
      await limiter.extend(decision, { [`hour-${count}`]: 3 });
      await limiter.settle(decision, 9);
    });

    expect(tracing.calls().map(({ name }) => name)).toEqual(['sluice consume']);
  });

  it('makes no span with spans: none, and describes decisions', async () => {
    begin({ spans: 'none' });
    const limiter = limiterOn(redis.store);

    await tracing.request('GET /', () => limiter.consume({ user: 'ada' }));

    expect(tracing.spans()).toMatchObject([{ name: 'GET /', attributes: { 'sluice.source': 'redis' } }]);
  });

  it('ends', async () => {
    begin();
    stop();
    const limiter = limiterOn(redis.store);

    await tracing.request('GET /', () => limiter.consume({ user: 'ada' }));

    expect(tracing.spans()).toMatchObject([{ name: 'GET /', attributes: {} }]);
    expect(Object.keys(tracing.spans()[0]!.attributes)).toEqual([]);
  });
});

describe('startTraces in memory', () => {
  it('describes a denial', async () => {
    begin();
    const limiter = limiterOn(memoryStore(), 1);

    await tracing.request('GET 1', () => limiter.consume({ user: 'ada' }));
    const denied = await tracing.request('GET 2', async () => limiter.consume({ user: 'ada' }));
    await tracing.request('GET 3', () => limiter.consume({ user: 'ada' }, { cost: 2 }));

    const tier = denied.deniedBy[0]!;
    expect(requests().map(({ attributes }) => attributes)).toEqual([
      {
        'sluice.allowed': true,
        'sluice.reason': 'ok',
        'sluice.source': 'memory',
        'sluice.degraded': false,
        'sluice.binding.tier': tier,
        'sluice.binding.limit': 1,
        'sluice.binding.remaining': 0,
      },
      expect.objectContaining({
        'sluice.allowed': false,
        'sluice.reason': 'denied',
        'sluice.denied_by': [tier],
        'sluice.retry_after': denied.retryAfter / 1e3,
      }),
      expect.not.objectContaining({ 'sluice.retry_after': expect.anything() }),
    ]);
    expect(requests().map(({ status }) => status.code)).toEqual([0, 0, 0]);
  });

  it('leaves a request alone that has ended, or that nothing records', async () => {
    begin();
    const limiter = createLimiter<Visitor>({ key: async ({ user }) => user, limit: 5, window: '1h' });
    let decision: Decision | undefined;

    const late = await tracing.request('GET /', (span) => {
      const pending = limiter.consume({ user: 'ada' });
      span.end();
      return { pending };
    });
    await late.pending;
    await context.with(trace.setSpan(context.active(), trace.wrapSpanContext(OTHER)), async () => {
      decision = await limiter.consume({ user: 'ada' });
    });

    expect(decision!.allowed).toBe(true);
    expect(tracing.spans().map(({ attributes }) => Object.keys(attributes))).toEqual([[]]);
  });

  it('rejects other options', () => {
    begin();

    expect(() => startTraces({ spans: 'call' as 'calls' })).toThrow(
      'startTraces: spans must be one of "calls", "none", "all" (did you mean "calls"?), got "call"',
    );
    expect(() => startTraces({ span: 'all' } as TracesOptions)).toThrow('did you mean spans?');
  });
});

/** A span of another process, of which this one records nothing. */
const OTHER = { traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 0 };

/** The spans of the requests of a call: its parent, or its links. */
function requestsOf({ parentSpanContext, links }: ReadableSpan): string[] {
  return parentSpanContext ? [parentSpanContext.spanId] : links.map((link) => link.context.spanId);
}

function spanOf(digests: ReadonlyMap<string, string>, key: string): string | undefined {
  return [...digests].find(([digest]) => key.includes(digest))?.[1];
}
