import type { IncomingMessage } from 'node:http';

import type { Decision, Denial, Gate } from '@sluice/http';
import { fakeClock, type FakeClock } from '@sluice/testing';
import * as fc from 'fast-check';

import { Random } from '../twin/random.js';
import { exchange, type Exchange } from '../../support/exchange.js';
import { randomGates } from './random-gates.js';
import { parametersAsSent, reportedBy, type Reported } from './reported.js';

// For any policies, several tiers, several limiters on a request, and any load.

const RUNS = 60;
const STEPS = 25;

describe('the headers of random gates', () => {
  const calls: Call[] = [];

  beforeAll(async () => {
    jest.spyOn(process, 'emitWarning').mockImplementation();
    await everyRequest((call) => calls.push(call));
  });

  afterAll(() => jest.restoreAllMocks());

  /** The seeds of requests that are not as they should be, and what is wrong. */
  const wrong = (find: (call: Call) => unknown) =>
    calls.flatMap((call) => {
      const found = find(call);
      return found === undefined || found === false ? [] : [[call.seed, found]];
    });

  it('C1 C2 C3 are lists of named items with plain integers', () => {
    const texts = ({ reported, response }: Call) => {
      const names = [...reported.policies, ...reported.limits].map(({ name }) => name);
      const sent = ['RateLimit-Policy', 'RateLimit'].flatMap((name) => parametersAsSent(response, name));
      const bad = [
        ...names.filter((name) => !/^[\x20-\x7e]{1,64}$/.test(name)),
        ...sent.filter((text) => !/^$|^;[qwrt]=(0|[1-9]\d{0,14})$/.test(text)),
      ];
      return bad.length > 0 && bad;
    };

    expect(wrong(texts)).toEqual([]);
    expect(wrong(({ reported, response }) => reported.limits.length > 0 !== response.hasHeader('RateLimit'))).toEqual(
      [],
    );
  });

  it('C4 C5 C6 C7 C8 have each name once, with its policy, 0 <= r <= q, w >= 1 and t <= w', () => {
    const unsound = ({ reported }: Call) => {
      const policies = new Map(reported.policies.map(({ name, parameters }) => [name, parameters]));
      const limits = new Map(reported.limits.map(({ name, parameters }) => [name, parameters]));
      const bad = [...limits].filter(([name, { r, t }]) => {
        const { q, w } = policies.get(name)!;
        // Remaining units last for at most a window.
        return !(r! >= 0 && r! <= q! && w! >= 1 && (r === 0 || t! <= w!));
      });
      const areTwice = policies.size !== reported.policies.length || limits.size !== reported.limits.length;
      return (bad.length > 0 || areTwice) && [bad, reported];
    };

    expect(wrong(unsound)).toEqual([]);
  });

  it('C34 report the member with the fewest units in X-RateLimit, and a time in the future', () => {
    const misreported = ({ reported, response, at }: Call) => {
      if (reported.limits.length === 0) return false;
      const least = Math.min(...reported.limits.map(({ parameters }) => parameters['r']!));
      const [remaining, reset] = ['Remaining', 'Reset'].map((name) => response.getHeader(`X-RateLimit-${name}`));
      const isRight =
        remaining === String(least) && /^\d{10}$/.test(String(reset)) && Number(reset) * 1_000 >= Math.floor(at);
      return !isRight && [remaining, reset, least, at];
    };

    expect(wrong(misreported)).toEqual([]);
  });

  it('C22 C23 C25 C26 report r=0 and a t of at most Retry-After for each policy that denies', () => {
    const misreported = ({ reported, response, denial }: Call) => {
      const sent = String(response.getHeader('Retry-After'));
      const { retryAfter = Infinity } = reported;
      const violated = denial?.problem['violated-policies'];
      const denying = reported.limits.filter(({ name }) => violated?.includes(name));
      const isRight =
        (denial?.problem.status === 429 ? /^[1-9]\d*$/ : /^undefined$/).test(sent) &&
        violated?.length !== 0 &&
        denying.length === (violated?.length ?? 0) &&
        denying.every(({ parameters: { r, t = 0 } }) => r === 0 && t <= retryAfter);
      return !isRight && [sent, violated, reported];
    };

    expect(wrong(misreported)).toEqual([]);
    expect(calls.filter(({ denial }) => denial !== undefined).length).toBeGreaterThan(50);
  });

  it('C24 send a Retry-After after which the request fits, and not a second before', async () => {
    await everyRequest(({ reported: { retryAfter }, denying, request, cost, clock }) => {
      if (retryAfter === undefined) return;
      const fits = () => (denying!.limiter.peek(request, { cost }) as Decision).allowed;

      clock.advance((retryAfter - 1) * 1_000);
      const before = retryAfter > 1 && fits();
      clock.advance(1_000);

      expect([before, fits()]).toEqual([false, true]);
    });
  });
});

interface Call extends Exchange {
  readonly seed: number;
  readonly at: number;
  readonly reported: Reported;
  readonly cost: number;
  readonly clock: FakeClock;
  readonly denial: Denial | undefined;
  /** The gate that denied the request. */
  readonly denying: Gate<IncomingMessage> | undefined;
}

async function everyRequest(check: (call: Call) => unknown): Promise<void> {
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
        const visit = exchange();
        const { denial, denying } = pass(gates, visit, waiting);
        const reported = reportedBy(visit.response);
        check({ ...visit, seed, at: clock(), reported, cost, clock, denial, denying });
      }
      for (const [{ response }] of waiting) response.emit('close');
      await Promise.all(waiting.map(([, admission]) => admission));
      now.mockRestore();
    }),
    { numRuns: RUNS },
  );
}

/** Passes gates up to the one that denies. A request in a queue has its headers already. */
function pass(gates: readonly Gate<IncomingMessage>[], visit: Exchange, waiting: [Exchange, Promise<unknown>][]) {
  for (const gate of gates) {
    const admission = gate.admit(visit.request, visit.response);
    if (admission instanceof Promise) waiting.push([visit, admission]);
    else if (admission.state === 'denied') return { denial: admission, denying: gate };
  }
  return { denial: undefined, denying: undefined };
}
