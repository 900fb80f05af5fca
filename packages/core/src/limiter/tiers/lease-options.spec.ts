import { windows } from '../../../../../test/support/windows.js';
import { TierDefinition } from './tier-definition.js';
import type { Tier } from './tier.js';

const lease = { units: 5, duration: '2s' };

function define(options: object) {
  const tier = { key: () => 'anna', limit: 10, window: '1m', ...options } as unknown as Tier<unknown>;
  return new TierDefinition(tier, 'hot', { owner: 'limiter', prefix: 'rl', secret: undefined, defaults: {} });
}

describe('TierOptions.lease', () => {
  it.each(['fixed-window', 'sliding-window', 'token-bucket', 'gcra'])('is allowed with %s', (algorithm) => {
    expect(define({ algorithm, lease }).lease).toEqual({ units: 5, duration: 2_000 });
  });

  it('is off by default', () => {
    expect(define({}).lease).toBeUndefined();
  });

  it.each([
    ['sliding-window-log', {}],
    ['leaky-bucket', { queue: 3 }],
    ['leaky-bucket', {}],
    ['multi-window', { limit: undefined, window: undefined, windows: windows([2, '1s'], [9, '1m']) }],
  ])('is an error with %s', (algorithm, options) => {
    expect(() => define({ algorithm, lease, ...options })).toThrow(
      `tier "hot" (${algorithm}): lease is for fixed-window, sliding-window, token-bucket, got an object`,
    );
  });

  it.each([
    ['charge', { charge: 'all' }, 'denied requests count in the store'],
    ['record', { record: () => 'a text' }, 'the store records a string with every request'],
    ['strict', { strict: true }, 'leased units may be spent in a later window'],
  ])('is an error beside %s', (name, options, reason) => {
    expect(() => define({ lease, ...options })).toThrow(`lease cannot be combined with ${name}: ${reason}`);
  });

  it('is allowed beside options that are off, and for as long as the window', () => {
    const options = { charge: 'admitted', record: undefined, strict: false, precision: 6, mode: 'shadow' };

    expect(define({ lease: { units: 1, duration: '1m' }, ...options }).lease).toEqual({ units: 1, duration: 60_000 });
  });

  it.each([
    [5, 'lease.units is missing: it must be an integer of at least 1'],
    [null, 'lease.units is missing: it must be an integer of at least 1'],
    [{ duration: '1s' }, 'lease.units is missing: it must be an integer of at least 1'],
    [{ units: 0, duration: '1s' }, 'lease.units must be an integer of at least 1, got 0'],
    [{ units: 1.5, duration: '1s' }, 'lease.units must be an integer of at least 1, got 1.5'],
    [{ units: '5', duration: '1s' }, 'lease.units must be a number, not text'],
    [{ units: 5 }, "lease.duration must be a duration from 1 ms to the window, such as 1000 or '1s', got undefined"],
    [{ units: 5, duration: 0.5 }, "lease.duration must be a duration from 1 ms to the window: write '0.5s'"],
    [{ units: 5, duration: '61s' }, 'lease.duration must be a duration from 1 ms to the window, such as 1000'],
    [{ units: 5, duration: '1s', min: 1 }, 'lease.min is not an option here: known are units, duration'],
  ])('rejects %j', (wrong, message) => {
    expect(() => define({ lease: wrong })).toThrow(message);
  });
});
