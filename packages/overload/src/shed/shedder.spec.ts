import { manualShedder, overloadedShedder } from '../../../../test/support/manual-loop.js';
import { exchange } from '../../../../test/support/exchange.js';
import { warningCatcher } from '../../../../test/support/warnings.js';
import { subscribe } from '../../../core/src/events/events.js';
import { createGate } from '../../../http/src/gate/gate.js';
import { byIp } from '../../../http/src/keys/ip.js';
import type { GatedLimiterOptions } from '../../../http/src/gate/gate-options.js';
import type { HttpRequest } from '../../../http/src/request/request.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { keptPriority } from '../queues/kept-priority.js';
import { onward } from '../queues/onward.js';
import { SHEDDER_FEATURE } from './shedder-feature.js';
import { type LoadEvent, loadEvent, type ShedEvent, shedEvent } from './shed-events.js';
import { shedder } from './shedder.js';
import type { Priority, Shedder, ShedderOptions } from './shedder-options.js';

interface Request extends HttpRequest {
  readonly priority?: Priority;
}

const hour = { name: 'hour', limit: 100, window: '1h' } as const;

function gateOf(shed: Shedder<Request>, options: Partial<GatedLimiterOptions<Request>> = {}) {
  const store = memoryStore();
  const gate = createGate<Request>({ ...hour, store, shed, ...options } as GatedLimiterOptions<Request>);
  const admit = async (subject: Partial<Request> = {}, headers: Record<string, string> = {}) => {
    const { request, response } = exchange(headers);
    const admission = await gate.admit(Object.assign(request, { ip: '203.0.113.9', ...subject }), response);
    return { admission, response };
  };
  return { store, admit };
}

const byPriority: ShedderOptions<Request> = { priority: ({ priority = 'normal' }) => priority };

/** Raises a level to 50 or a little more. */
function halfOverloaded(options: ShedderOptions<Request>) {
  const made = manualShedder(options);
  while (made.shed.level < 50) made.loop.tick(100);
  return made;
}

describe('shedder', () => {
  const warnings = warningCatcher();

  afterEach(() => jest.restoreAllMocks());

  it('refuses nothing without an overload, and calls no function of the application', async () => {
    const [priority, key] = [jest.fn(), jest.fn()];
    const { shed, loop } = manualShedder<Request>({ priority, key });
    const { admit } = gateOf(shed);
    loop.tick(20, 100);

    const { admission } = await admit();

    expect(admission.state).toBe('admitted');
    expect([priority, key].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    expect([shed.level, shed.standing, loop.uses]).toEqual([0, 20, 1]);
  });

  it('refuses with 503, Retry-After and a problem, and asks no store', async () => {
    const { store, admit } = gateOf(overloadedShedder(byPriority));

    const { admission, response } = await admit({}, { origin: 'https://a.example' });

    expect(admission).toMatchObject({
      state: 'denied',
      decision: { allowed: false, reason: 'shed', outcomes: [], deniedBy: [], source: 'none', degraded: false },
      problem: {
        type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
        status: 503,
        detail: expect.stringMatching(/^This service is overloaded at the moment\. Retry in [1-5] seconds?\.$/),
      },
    });
    expect(response.getHeaders()).toMatchObject({
      'retry-after': expect.stringMatching(/^[1-5]$/),
      'cache-control': 'no-store',
      'access-control-expose-headers': 'Retry-After',
    });
    expect(response.getHeaderNames().filter((name) => /ratelimit|connection/.test(name))).toEqual([]);
    expect(store.size).toBe(0);
  });

  it('spreads Retry-After over 1 to 5 seconds', async () => {
    const { admit } = gateOf(overloadedShedder());
    const answers = await Promise.all(Array.from({ length: 100 }, () => admit()));

    const seconds = new Set(answers.map(({ response }) => response.getHeader('retry-after')));

    expect([...seconds].toSorted((one, other) => Number(one) - Number(other))).toEqual(['1', '2', '3', '4', '5']);
  });

  it('never refuses critical requests', async () => {
    const { admit } = gateOf(overloadedShedder(byPriority));

    const { admission } = await admit({ priority: 'critical' });

    expect(admission).toMatchObject({ state: 'admitted', decision: { reason: 'ok' } });
  });

  it('refuses a part of the clients that are sheddable before any that is normal', async () => {
    // Within a minute: cohorts stay.
    jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2030, 0, 1));
    const { shed } = halfOverloaded(byPriority);
    const { admit } = gateOf(shed);
    const clients = Array.from({ length: 200 }, (_, index) => `198.51.100.${index}`);
    const states = (priority: Priority) =>
      Promise.all(clients.map(async (ip) => (await admit({ ip, priority })).admission.state));

    const sheddable = await states('sheddable');
    const again = await states('sheddable');
    const normal = await states('normal');

    expect(sheddable.filter((state) => state === 'denied').length / 200).toBeCloseTo(0.5, 0);
    expect(again).toEqual(sheddable);
    expect(new Set(normal)).toEqual(new Set(['admitted']));
  });

  it('takes a normal request as sheddable that tiers have demoted', async () => {
    const { shed } = halfOverloaded(byPriority);
    const { store, admit } = gateOf(shed, { mode: 'demote', limit: 1 });
    const clients = Array.from({ length: 100 }, (_, index) => `198.51.100.${index}`);
    const states = () => Promise.all(clients.map(async (ip) => (await admit({ ip })).admission.state));

    const first = await states();
    const over = await states();

    expect(new Set(first)).toEqual(new Set(['admitted']));
    expect(new Set(over)).toEqual(new Set(['admitted', 'denied']));
    expect(store.size).toBe(100);
  });

  it('serves or refuses together what `key` says, and a network of IPv6 by default', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2030, 0, 1));
    const rows = await Promise.all(
      [undefined, ({ headers }: Request) => String(headers?.['x-team'])].map(async (key) => {
        const { admit } = gateOf(halfOverloaded({ priority: () => 'sheddable', ...(key && { key }) }).shed);
        const states = Array.from({ length: 40 }, async (_, index) => {
          const { admission } = await admit({ ip: `2001:db8::${index}` }, { 'x-team': 'red' });
          return admission.state;
        });
        return new Set(await Promise.all(states)).size;
      }),
    );

    expect(rows).toEqual([1, 1]);
  });

  it('lets through what `skip`, `allow` and a preflight let through', async () => {
    const shed = overloadedShedder<Request>();
    const skipped = await gateOf(shed, { skip: () => true }).admit();
    const allowed = await gateOf(shed, { allow: ['203.0.113.0/24'] }).admit();
    const listed = await gateOf(shed, { deny: ['203.0.113.0/24'] }).admit();

    expect([skipped, allowed].map(({ admission }) => admission.state)).toEqual(['admitted', 'admitted']);
    expect(listed.admission).toMatchObject({ problem: { status: 403 } });
  });

  it('publishes each refusal, and refuses nothing in shadow', async () => {
    const heard: ShedEvent[] = [];
    const end = subscribe(shedEvent, (event) => heard.push(event));
    const enforced = await gateOf(overloadedShedder(byPriority)).admit({ priority: 'sheddable' });
    const shadowed = await gateOf(overloadedShedder({ ...byPriority, mode: 'shadow' })).admit();
    const off = await gateOf(overloadedShedder({ ...byPriority, mode: 'off' })).admit();
    end();

    expect([enforced, shadowed, off].map(({ admission }) => admission.state)).toEqual([
      'denied',
      'admitted',
      'admitted',
    ]);
    expect(heard).toEqual([
      { priority: 'sheddable', level: 200, standing: 1_000, shadow: false },
      { priority: 'normal', level: 200, standing: 1_000, shadow: true },
    ]);
  });

  it('counts a request once, also one that several gates admit and tiers demote', async () => {
    const heard: ShedEvent[] = [];
    const end = subscribe(shedEvent, (event) => heard.push(event));
    const shed = overloadedShedder<Request>({ mode: 'shadow' });
    const { request, response } = exchange();
    const client = Object.assign(request, { ip: '203.0.113.9' });
    const demoting = createGate<Request>({ ...hour, limit: 1, mode: 'demote', shed });
    await demoting.limiter.consume(client);

    for (const gate of [demoting, createGate<Request>({ ...hour, shed })]) await gate.admit(client, response);
    end();

    expect(heard).toEqual([{ priority: 'normal', level: 200, standing: 1_000, shadow: true }]);
  });

  it('refuses no request that an earlier gate has let through and counted', async () => {
    const { shed, loop } = manualShedder<Request>();
    const { request, response } = exchange();
    const client = Object.assign(request, { ip: '203.0.113.9' });
    await createGate<Request>({ ...hour, shed }).admit(client, response);
    loop.tick(1_000, 50);

    const { state } = await createGate<Request>({ ...hour, shed }).admit(client, response);

    expect(state).toBe('admitted');
  });

  it('publishes what it measures every 100 ms', () => {
    const heard: LoadEvent[] = [];
    const end = subscribe(loadEvent, (event) => heard.push(event));
    const { loop } = manualShedder({ target: '20ms' });
    loop.tick(10, 20);
    end();

    expect(heard).toHaveLength(4);
    expect(heard[1]).toEqual({ level: 0, standing: 10, target: 20 });
  });

  it.each<[string, ShedderOptions<Request>, RegExp]>([
    ['returns no priority', { priority: () => 'low' as Priority }, /priority must return 'critical', .*got "low"/],
    [
      'fails',
      {
        priority: () => {
          throw new TypeError('ada@example.org');
        },
      },
      /the function priority has failed: TypeError$/,
    ],
  ])('takes a request as normal whose priority function %s, and warns', async (_case, options, message) => {
    const { admission } = await gateOf(overloadedShedder(options)).admit();

    expect(admission.state).toBe('denied');
    expect(warnings()).toEqual([['SLUICE_SHEDDER_FUNCTION', expect.stringMatching(message)]]);
  });

  it('decides at random about a client whose key function fails, and warns', async () => {
    const { shed } = halfOverloaded({ priority: () => 'sheddable', key: async () => Promise.reject(new Error('no')) });
    const { admit } = gateOf(shed);
    const answers = await Promise.all(Array.from({ length: 60 }, () => admit()));

    expect(new Set(answers.map(({ admission }) => admission.state))).toEqual(new Set(['admitted', 'denied']));
    expect(warnings()).toEqual([['SLUICE_SHEDDER_FUNCTION', expect.stringContaining('key must return an identity')]]);
  });

  it.each<[object, string]>([
    [{ target: 1 }, 'shedder: target must be a duration from 5 ms to 10 s'],
    [{ priority: 'critical' }, 'shedder: priority must be a function, got "critical"'],
    [{ key: 5 }, 'shedder: key must be a function, got 5'],
    [{ key: byIp }, 'shedder: key must be what byIp returns: write byIp()'],
    [{ mode: 'monitor' }, 'shedder: mode must be one of "off", "shadow", "enforce"'],
    [{ prioritise: () => 'normal' }, 'shedder: prioritise is not an option here: did you mean priority?'],
  ])('refuses the options %j', (options, message) => {
    expect(() => shedder(options as ShedderOptions<Request>)).toThrow(message);
  });

  it('is what the option `shed` of a gate takes, and nothing else', () => {
    const create = (shed: unknown) => () => createGate({ ...hour, shed } as GatedLimiterOptions<Request>);

    expect(create(shedder())).not.toThrow();
    expect(create({ target: '50ms' })).toThrow(
      'rateLimit: shed must be what shedder of @sluice/overload returns: write shedder({ … }), got an object',
    );
  });
});

describe('what a request needs', () => {
  const overloaded = { name: 'database', level: 120, standing: 900 };
  const calm = { name: 'search', level: 0, standing: 0 };
  const wish = (needs: readonly (typeof calm)[], is: Priority = 'sheddable') =>
    manualShedder<Request>({
      features: [overloaded, calm].map((scarce) => ({ [SHEDDER_FEATURE]: { scarce } })),
      priority: () => ({ is, needs }),
    }).shed;

  it('has it refused while that is overloaded, and never without', async () => {
    const refused: ShedEvent[] = [];
    const stop = subscribe(shedEvent, (event) => void refused.push(event));
    const states = [
      await gateOf(wish([overloaded])).admit(),
      await gateOf(wish([calm])).admit(),
      await gateOf(wish([])).admit(),
      await gateOf(wish([overloaded], 'critical')).admit(),
    ].map(({ admission }) => admission.state);
    stop();

    expect(states).toEqual(['denied', 'admitted', 'admitted', 'admitted']);
    expect(refused).toEqual([{ priority: 'sheddable', level: 120, standing: 900, shadow: false, queue: 'database' }]);
  });
});

describe('a feature of a shedder', () => {
  it('hears of requests that go on, in the turn in which they came, and of none that is refused at once', async () => {
    const passed: unknown[] = [];
    const feature = {
      [SHEDDER_FEATURE]: { pass: ({ request }: { readonly request: Request }) => void passed.push(request.priority) },
    };
    const shed = overloadedShedder<Request>({ ...byPriority, features: [feature] });
    const { admit } = gateOf(shed);

    const states = [
      await admit({ priority: 'critical' }),
      await admit({ priority: 'normal' }),
      await admit({ priority: 'sheddable' }),
    ].map(({ admission }) => admission.state);

    expect(states).toEqual(['admitted', 'denied', 'denied']);
    expect(passed).toEqual(['critical']);
  });

  it('hears of a request whose identity is read later before that', () => {
    const passed: unknown[] = [];
    const feature = { [SHEDDER_FEATURE]: { pass: () => void passed.push('passed') } };
    const { shed } = halfOverloaded({ features: [feature], priority: () => 'sheddable', key: async () => 'ada' });

    void gateOf(shed).admit();

    expect(passed).toEqual(['passed']);
  });
});

describe('the priority that another service has given', () => {
  const levels = async (from: 'unix' | readonly string[], header: string) => {
    const database = { name: 'database', level: 200, standing: 900 };
    const priority = () => ({ is: 'critical', needs: [database] }) as const;
    const { shed } = manualShedder<Request>({
      features: [{ [SHEDDER_FEATURE]: { scarce: database } }, keptPriority({ from })],
      priority,
    });
    await gateOf(shed).admit({ peer: '10.1.2.3', headers: { 'x-priority': header } });
    // The gate remembers the request for what follows.
    return onward()['x-priority'];
  };

  it.each([
    ['a service of the networks', ['10.0.0.0/8'], 'sheddable', 'sheddable'],
    ['anybody else', ['192.0.2.0/24'], 'sheddable', 'critical'],
    ['a service that says nonsense', ['10.0.0.0/8'], 'highest', 'critical'],
  ])('is that of the header, from %s', async (_, from, header, priority) => {
    expect(await levels(from, header)).toBe(priority);
  });
});
