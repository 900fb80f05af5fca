import type { IncomingMessage } from 'node:http';
import { exchange } from '../../../../test/support/exchange.js';
import { demotedShedder, overloadedShedder } from '../../../../test/support/manual-loop.js';
import { warningCatcher } from '../../../../test/support/warnings.js';
import { tracksOf } from '../../../core/src/limiter/decisions/tracks-of.js';
import { createLimiter } from '../../../core/src/limiter/limiter.js';
import type { Admitted } from './admission.js';
import { createGate } from './gate.js';
import type { GatedLimiterOptions } from './gate-options.js';

const tiers = [
  { name: 'day', limit: 1, window: '1d', mode: 'demote' },
  { name: 'hour', limit: 10, window: '1h' },
  { name: 'tried', limit: 1, window: '1m', mode: 'shadow' },
] as const;
const WARNED = ['SLUICE_DEMOTION_WITHOUT_SHEDDER', expect.stringContaining("mode: 'shadow'")];

function admitTo(options: Partial<GatedLimiterOptions<IncomingMessage>>) {
  const gate = createGate<IncomingMessage>({ tiers, ...options } as GatedLimiterOptions<IncomingMessage>);
  return async () => {
    const { request, response } = exchange();
    return gate.admit(Object.assign(request, { ip: '203.0.113.9' }), response);
  };
}

describe("a gate with a tier of mode: 'demote'", () => {
  const warnings = warningCatcher();

  it('admits what the tier would deny, and names the tier, but no tier in shadow', async () => {
    const admit = admitTo({ shed: overloadedShedder({ mode: 'shadow' }) });

    const [first, second] = [(await admit()) as Admitted, (await admit()) as Admitted];

    expect(first.decision).not.toHaveProperty('demotedBy');
    expect(second.decision).toMatchObject({ allowed: true, reason: 'ok', deniedBy: [], demotedBy: ['day'] });
    expect(warnings()).toEqual([]);
  });

  it('refuses it under overload, and gives its units back', async () => {
    const admit = admitTo({ shed: demotedShedder() });

    const states = [];
    for (let request = 0; request < 20; request += 1) states.push(await admit());

    // Nine units of the hour would be gone otherwise.
    expect(states.map((each) => (each.state === 'denied' ? each.decision.reason : each.state))).toEqual([
      'admitted',
      ...new Array<string>(19).fill('shed'),
    ]);
  });

  it('charges no request that it demotes, so that its client keeps the rest of its share', async () => {
    let units = 2;
    const share = { name: 'share', limit: 3, window: '1d', mode: 'demote', cost: () => units } as const;
    const admit = admitTo({ tiers: [share], shed: overloadedShedder({ mode: 'shadow' }) });
    const demotes = async () => ((await admit()) as Admitted).decision!.demotedBy !== undefined;

    const large = [await demotes(), await demotes()];
    units = 1;

    expect([...large, await demotes(), await demotes()]).toEqual([false, true, false, true]);
  });

  it('does not refuse a critical request, although a tier demotes it', async () => {
    const admit = admitTo({ shed: overloadedShedder({ priority: () => 'critical' }) });

    const states = [await admit(), await admit()].map(({ state }) => state);

    expect(states).toEqual(['admitted', 'admitted']);
  });

  it('is the same for `peek`, which makes no tracks', async () => {
    const limiter = createLimiter<string>({ key: (user) => user, limit: 1, window: '1h', mode: 'demote' });
    await limiter.consume('ada');

    const peeked = await limiter.peek('ada');
    const { demotedBy } = await limiter.consume('ada');

    expect([peeked.demotedBy, demotedBy]).toEqual([['default'], ['default']]);
    expect(tracksOf(peeked)).toEqual([]);
  });

  it('names the tiers that would demote also where another tier denies', async () => {
    const limiter = createLimiter<string>({
      tiers: [
        { name: 'hour', key: (user) => user, limit: 1, window: '1h' },
        { name: 'share', key: (user) => user, limit: 1, window: '1d', mode: 'demote' },
      ],
    });
    await limiter.consume('ada');

    const { deniedBy, demotedBy } = await limiter.consume('ada');

    expect([deniedBy, demotedBy]).toEqual([['hour'], ['share']]);
  });

  it('warns once at the start without a shedder', () => {
    admitTo({});
    admitTo({});

    expect(warnings()).toEqual([WARNED]);
  });

  it('warns where a function chooses such a tier', async () => {
    const admit = admitTo({ tiers: () => tiers });
    await admit();
    const before = warnings();
    await admit();

    expect([before, warnings()]).toEqual([[], [WARNED]]);
  });

  it('leaves the decisions of other limiters as they are', async () => {
    const admit = admitTo({ tiers: tiers.slice(1) });

    const { decision } = (await admit()) as Admitted;

    expect(decision).not.toHaveProperty('demotedBy');
    expect(warnings()).toEqual([]);
  });
});
