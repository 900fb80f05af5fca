import type { IncomingMessage } from 'node:http';

import type { Decision, Denial, Gate } from '@sluice/core';
import { fakeClock, type FakeClock } from '@sluice/core/testing';
import * as fc from 'fast-check';

import { Random } from '../../properties/twin/random.js';
import { exchange, type Exchange } from '../../../packages/core/src/testing/internal/exchange.js';
import { randomGates } from './random-gates.js';
import { parametersAsSent, toldBy, type Told } from './told.js';

// What holds for all that clients are told: any policies, several tiers, several limiters on a request, any load.

const RUNS = 100;
const STEPS = 25;

describe('of any request', () => {
  beforeAll(() => jest.spyOn(process, 'emitWarning').mockImplementation());
  afterAll(() => jest.restoreAllMocks());

  it('C1 C2 C3 the fields are lists of named items with plain integers', async () => {
    await everyRequest(({ told, response }) => {
      const names = [...told.policies, ...told.limits].map(({ name }) => name);
      const sent = ['RateLimit-Policy', 'RateLimit'].flatMap((name) => parametersAsSent(response, name));

      expect(names.filter((name) => !/^[\x20-\x7e]{1,64}$/.test(name))).toEqual([]);
      expect(sent.filter((text) => !/^$|^;[qwrt]=(0|[1-9]\d{0,14})$/.test(text))).toEqual([]);
      expect(told.limits.length > 0).toBe(response.hasHeader('RateLimit'));
    });
  });

  it('C4 C5 C6 C7 C8 every name is told once and has its policy, with 0 <= r <= q, w >= 1 and t <= w', async () => {
    await everyRequest(({ told }) => {
      const policies = new Map(told.policies.map(({ name, parameters }) => [name, parameters]));
      const limits = new Map(told.limits.map(({ name, parameters }) => [name, parameters]));
      const unsound = [...limits].filter(([name, { r, t }]) => {
        const { q, w } = policies.get(name)!;
        // What is left has at most a window to last.
        return !(r! >= 0 && r! <= q! && w! >= 1 && (r === 0 || t! <= w!));
      });

      expect(unsound).toEqual([]);
      expect([policies.size, limits.size]).toEqual([told.policies.length, told.limits.length]);
    });
  });

  it('C34 X-RateLimit-* are of the member with the least left, and Reset is a moment to come', async () => {
    await everyRequest(({ told, response, clock }) => {
      if (told.limits.length === 0) return;
      const least = Math.min(...told.limits.map(({ parameters }) => parameters['r']!));

      expect(response.getHeader('X-RateLimit-Remaining')).toBe(String(least));
      expect(response.getHeader('X-RateLimit-Reset')).toMatch(/^\d{10}$/);
      expect(Number(response.getHeader('X-RateLimit-Reset')) * 1_000).toBeGreaterThanOrEqual(Math.floor(clock()));
    });
  });

  it('C22 C23 C25 C26 a denial names what denies, with r = 0, and with a t of at most Retry-After', async () => {
    await everyRequest(({ told, response, denial }) => {
      const sent = String(response.getHeader('Retry-After'));
      const { retryAfter = Infinity } = told;
      const violated = denial?.problem['violated-policies'];
      const denying = told.limits.filter(({ name }) => violated?.includes(name));
      const wrong = denying.filter(({ parameters: { r, t = 0 } }) => !(r === 0 && t <= retryAfter));

      expect(sent).toMatch(denial?.problem.status === 429 ? /^[1-9]\d{0,6}$/ : /^undefined$/);
      expect(told.retryAfter ?? 1).toBeLessThanOrEqual(2_147_483);
      expect([denying.length, wrong]).toEqual([violated?.length ?? 0, []]);
      expect(violated).not.toEqual([]);
    });
  });

  it('C24 a denied one fits when Retry-After has passed, and not a second before', async () => {
    await everyRequest(({ told: { retryAfter }, denial, denying, request, cost, clock }) => {
      if (retryAfter === undefined || denial!.decision.retryAfter > 2_147_483_000) return;
      const fits = () => (denying!.limiter.peek(request, { cost }) as Decision).allowed;

      clock.advance((retryAfter - 1) * 1_000);
      const before = retryAfter > 1 && fits();
      clock.advance(1_000);

      expect([before, fits()]).toEqual([false, true]);
    });
  });
});

interface Visit extends Exchange {
  readonly told: Told;
  readonly cost: number;
  readonly clock: FakeClock;
  readonly denial: Denial | undefined;
  /** The gate that has denied. */
  readonly denying: Gate<IncomingMessage> | undefined;
}

async function everyRequest(check: (visit: Visit) => void): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const random = new Random(seed);
      const clock = fakeClock(Date.UTC(2030, 0, 1) + random.integer(0, 1e9) / 1e3);
      const now = jest.spyOn(Date, 'now').mockImplementation(() => Math.floor(clock()));
      let cost = 0;
      const gates = randomGates(random, clock, () => cost);
      const waiting: [Exchange, Promise<unknown>][] = [];
      for (let step = 0; step < STEPS; step += 1) {
        clock.advance(random.chance(0.5) ? 0 : random.magnitude(1, 1e8) / 1e3);
        cost = random.chance(0.7) ? random.integer(0, 5) : random.magnitude(1, 1_000);
        const visitor = exchange();
        const { denial, denying } = pass(gates, visitor, waiting);
        check({ ...visitor, told: toldBy(visitor.response), cost, clock, denial, denying });
      }
      for (const [{ response }] of waiting) response.emit('close');
      await Promise.all(waiting.map(([, admission]) => admission));
      now.mockRestore();
    }),
    { numRuns: RUNS },
  );
}

/** Up to the gate that denies. Whoever is in a queue waits there, and is told at once what it will be told. */
function pass(gates: readonly Gate<IncomingMessage>[], visitor: Exchange, waiting: [Exchange, Promise<unknown>][]) {
  for (const gate of gates) {
    const admission = gate.admit(visitor.request, visitor.response);
    if (admission instanceof Promise) waiting.push([visitor, admission]);
    else if (admission.state === 'denied') return { denial: admission, denying: gate };
  }
  return { denial: undefined, denying: undefined };
}
