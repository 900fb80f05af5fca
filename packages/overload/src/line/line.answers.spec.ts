import { createLimiter, memoryStore } from '../../../core/src/index.js';
import { createGate } from '../../../http/src/gate/gate.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { nodeResponse } from '../../../../test/support/node-response.js';
import { line } from './index.js';

const NOW = Date.UTC(2030, 0, 1);

/** The second of two denied requests of a tier. */
async function denied(options: object, headers: readonly string[]) {
  const store = memoryStore({ clock: fakeClock(NOW) });
  const tier = { name: 'minute', key: () => 'shared', line: line({ longest: '1h' }), ...options };
  const gate = createGate({ store, tiers: [tier] as never, headers: headers as never });
  const request = { headers: { origin: 'https://a.example' } };
  for (let count = 0; count < 2; count += 1) await gate.admit(request, nodeResponse());
  const response = nodeResponse();
  const admission = await gate.admit(request, response);
  return { response, problem: admission.state === 'denied' ? admission.problem : undefined };
}

const bucket = { algorithm: 'token-bucket', limit: 1, window: '30s' };

describe('a denial of a tier with a line', () => {
  beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(NOW));
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['x-ratelimit', 'x-ratelimit-reset', String(NOW / 1e3 + 60)],
    ['draft-11', 'ratelimit', '"minute";r=0;t=60'],
    ['draft-7', 'ratelimit', 'limit=1, remaining=0, reset=60'],
    ['draft-6', 'ratelimit-reset', '60'],
    ['openai', 'x-ratelimit-reset-requests', '1m0s'],
  ])('says its place by %s, by Retry-After and by retry-after-ms', async (format, name, value) => {
    const { response } = await denied(bucket, [format]);

    const headers = ['retry-after', 'retry-after-ms', name].map((each) => response.getHeader(each));
    expect(headers).toEqual(['60', '60000', value]);
    expect(response.getHeader('access-control-expose-headers')).toContain('retry-after-ms');
  });

  it('says its place without formats, too', async () => {
    const { response } = await denied(bucket, []);

    expect(['retry-after', 'retry-after-ms'].map((each) => response.getHeader(each))).toEqual(['60', '60000']);
  });

  it('says a place in a later window by draft-11', async () => {
    const { response } = await denied({ algorithm: 'fixed-window', limit: 1, window: '30s' }, ['draft-11']);

    expect(response.getHeader('ratelimit')).toBe('"minute";r=0;t=60');
  });

  it('says in its problem when the place is, and when the request would fit alone', async () => {
    const { problem } = await denied(bucket, []);

    expect(problem).toMatchObject({
      status: 429,
      'retry-after': 60,
      'fits-after': 30,
      detail: 'Too many requests. Your place in line is in 60 seconds.',
    });
  });
});

describe('a client of a gate whose line keeps places', () => {
  it('gets a place by Sluice-Place when it asks for one, and is let in at its moment when it sends it back', async () => {
    const clock = fakeClock(NOW);
    const tier = {
      ...bucket,
      name: 'minute',
      key: () => 'shared',
      limit: 60,
      line: line({ longest: '1h', keep: '2s' }),
    };
    const gate = createGate({ store: memoryStore({ clock }), secret: 'pepper', tiers: [tier] as never, cost: 20 });
    const send = async (place?: string) => {
      const response = nodeResponse();
      const headers = { origin: 'https://a.example', ...(place !== undefined && { 'sluice-place': place }) };
      const { state } = await gate.admit({ headers }, response);
      return { state, response, place: response.getHeader('sluice-place') as string | undefined };
    };
    for (let count = 0; count < 3; count += 1) await send();
    const asked = await send('?1');
    const unasked = await send();
    clock.advance(10_000);

    const states: string[] = [];
    for (const each of [undefined, '"forged.place"', asked.place]) states.push((await send(each)).state);

    expect([unasked.place, asked.place]).toEqual([undefined, expect.stringMatching(/^"[\w.-]+"$/)]);
    expect(asked.response.getHeader('access-control-expose-headers')).toContain('Sluice-Place');
    expect(states).toEqual(['denied', 'denied', 'admitted']);
  });

  it('is read no header of by a limiter that keeps no places, whose tiers get none later', async () => {
    const read: PropertyKey[] = [];
    const headers = new Proxy({}, { get: (_target, name) => void read.push(name), has: () => false });
    const tier = { ...bucket, name: 'minute', key: () => 'shared', limit: 60 };
    const limiter = createLimiter<object>({ store: memoryStore(), secret: 'pepper', tiers: [tier] as never });
    const gate = createGate({ limiter });

    await gate.admit({ headers }, nodeResponse());

    expect(read).not.toContain('sluice-place');
    const kept = { ...tier, line: line<object>({ longest: '1h', keep: '2s' }) };
    const called = { ...tier, line: line<object>({ longest: '1h', by: () => 'ada' }) };
    expect(() => limiter.prepare([kept] as never)).toThrow(
      'tier "minute": line must not take what requests bring in a limiter that began without it: write by, or create another limiter',
    );
    expect(() => limiter.prepare([called] as never)).not.toThrow();
  });
});
