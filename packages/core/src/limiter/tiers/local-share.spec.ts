import * as fc from 'fast-check';
import { definePolicy, type PolicyOptions } from '../../algorithms/named/policy-options.js';
import { windows } from '../../../../../test/support/windows.js';
import { SAMPLES } from '../../../../testing/src/suite/samples.js';
import { localShareOf } from './local-share.js';

const limitOf = (limit: number, share: number) =>
  (localShareOf({ limit, window: '1h' }, share) as { limit: number }).limit;

describe('localShareOf', () => {
  it('returns a part of the limit, rounded up', () => {
    expect([10, 9, 1].map((limit) => limitOf(limit, 1 / 3))).toEqual([4, 3, 1]);
  });

  it('gives N processes together the limit, at most N - 1 units more, and none where N divides it', () => {
    const limits = fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 2 ** 32 - 1 }));
    fc.assert(
      fc.property(limits, (limit) => {
        const fleets = Array.from({ length: 100 }, (_, index) => index + 1);
        const wrong = fleets.filter((processes) => {
          const together = limitOf(limit, 1 / processes) * processes;
          const isExact = limitOf(limit * processes, 1 / processes) === limit;
          return together < limit || together > limit + processes - 1 || !isExact;
        });

        expect(wrong).toEqual([]);
      }),
    );
  });

  it('is not a unit too large for a share that floating point rounds up', () => {
    expect(limitOf(3, 0.1 + 0.2 + 0.7)).toBe(3);
    expect(limitOf(100, 0.07)).toBe(7);
    expect(limitOf(2 ** 32 - 1, 1 / 3)).toBe((2 ** 32 - 1) / 3);
  });

  it('returns at least one unit', () => {
    expect(limitOf(1, 1e-9)).toBe(1);
    expect(limitOf(1_000, Number.MIN_VALUE)).toBe(1);
  });

  it('applies to burst, overdraft and several windows', () => {
    const burst = { algorithm: 'token-bucket', limit: 100, window: '1s', burst: 40, overdraft: 20 } as const;
    const several = { algorithm: 'multi-window', windows: windows([10, '1s'], [90, '1m']) } as PolicyOptions;

    expect(localShareOf(burst, 1 / 4)).toEqual({ ...burst, limit: 25, burst: 10, overdraft: 5 });
    expect(localShareOf(several, 1 / 3)).toEqual({ ...several, windows: windows([4, '1s'], [30, '1m']) });
  });

  it('applies to the places of a queue, one of which is served', () => {
    const queue = (places: number, share: number) =>
      localShareOf({ algorithm: 'leaky-bucket', limit: 60, window: '1m', queue: places }, share);

    expect(queue(8, 1 / 3)).toMatchObject({ limit: 20, queue: 2 });
    expect(queue(0, 1 / 3)).toMatchObject({ queue: 0 });
    expect(queue(1, 1 / 3)).toMatchObject({ queue: 0 });
  });

  it('leaves the queue of a concurrency tier, which each process has for itself', () => {
    const running = { algorithm: 'concurrency', limit: 8, wait: '2s', queue: 1 } as const;

    expect(localShareOf(running, 1 / 4)).toEqual({ ...running, limit: 2 });
  });

  it('changes no other option, and nothing at a share of 1', () => {
    for (const options of Object.values(SAMPLES)) {
      expect(localShareOf(options, 1)).toEqual(options);
      expect(Object.keys(localShareOf(options, 1 / 3))).toEqual(Object.keys(options));
    }
  });

  it.each<[string, PolicyOptions, number, object]>([
    ['burst', { algorithm: 'token-bucket', limit: 3, window: '30d', burst: 40 }, 1 / 3, { limit: 1, burst: 13 }],
    [
      'overdraft',
      { algorithm: 'token-bucket', limit: 3, window: '30d', burst: 20, overdraft: 20 },
      1 / 3,
      { limit: 1, burst: 7, overdraft: 6 },
    ],
    ['queue', { algorithm: 'leaky-bucket', limit: 3, window: '30d', queue: 39 }, 1 / 3, { limit: 1, queue: 12 }],
  ])('rounds down a %s that could not refill in time', (_what, options, share, expected) => {
    const shared = localShareOf(options, share);

    expect(shared).toMatchObject(expected);
    expect(() => definePolicy(shared)).not.toThrow();
  });

  it('returns a valid policy of the same state for every valid policy', () => {
    const fraction = fc.oneof(
      fc.integer({ min: 1, max: 100 }).map((processes) => 1 / processes),
      fc.double({ min: 0.001, max: 1, noNaN: true }),
    );
    const window = fc.integer({ min: 1, max: 400 * 24 }).map((hours) => hours * 3_600_000);
    const some = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 100 }));
    const options: fc.Arbitrary<object> = fc.oneof(
      fc.record({ algorithm: fc.constantFrom('fixed-window', 'sliding-window'), limit: some, window }),
      fc.record({ algorithm: fc.constant('sliding-window-log'), limit: fc.integer({ min: 1, max: 10_000 }), window }),
      fc.record({ algorithm: fc.constant('token-bucket'), limit: some, window, burst: some }),
      fc.record({ algorithm: fc.constant('leaky-bucket'), limit: some, window, queue: some }),
      fc.record({
        algorithm: fc.constant('multi-window'),
        windows: fc.tuple(some, some).map(([one, other]) => windows([one, '1h'], [other, '1d'])),
      }),
    );
    fc.assert(
      fc.property(options, fraction, (given, share) => {
        const whole = defined(given as PolicyOptions);
        if (whole === undefined) return;

        expect(definePolicy(localShareOf(given as PolicyOptions, share)).dimensions).toBe(whole.dimensions);
      }),
      { numRuns: 2_000 },
    );
  });

  /** Undefined for invalid options. */
  function defined(options: PolicyOptions) {
    try {
      return definePolicy(options);
    } catch {
      return undefined;
    }
  }
});
