import { TierDefinition } from './tier-definition.js';
import type { Tier } from './tier.js';

type Options = Partial<Record<string, unknown>>;

const define = (options: Options) =>
  new TierDefinition({ key: () => 'anna', limit: 10, window: '1m', ...options } as unknown as Tier<unknown>, 'hot', {
    prefix: 'rl',
    secret: undefined,
    defaults: {},
  });

const twoWindows = [
  { limit: 2, window: '1s' },
  { limit: 9, window: '1m' },
];

const lease = { units: 5, duration: '2s' };

describe('The option lease', () => {
  it.each(['fixed-window', 'sliding-window', 'token-bucket', 'gcra'])('is for %s', (algorithm) => {
    expect(define({ algorithm, lease }).lease).toEqual({ units: 5, duration: 2_000 });
  });

  it('is not there by default', () => {
    expect(define({}).lease).toBeUndefined();
  });

  it.each([
    ['sliding-window-log', {}],
    ['leaky-bucket', { queue: 3 }],
    ['leaky-bucket', {}],
    ['multi-window', { limit: undefined, window: undefined, windows: twoWindows }],
  ])('is an error with %s', (algorithm, options) => {
    expect(() => define({ algorithm, lease, ...options })).toThrow(
      `tier "hot" (${algorithm}): lease is for fixed-window, sliding-window, token-bucket, got an object`,
    );
  });

  it.each([
    ['countDenied', { countDenied: true }, 'denied requests count in the store'],
    ['record', { record: () => 'a text' }, 'the store records a text with every request'],
    ['strict', { strict: true }, 'leased units may be spent in a later window'],
  ])('is an error beside %s', (name, options, reason) => {
    expect(() => define({ lease, ...options })).toThrow(`lease must not stand beside ${name}: ${reason}`);
  });

  it('stands beside what is not asked for', () => {
    const options = { lease, countDenied: false, record: undefined, strict: false, precision: 6, mode: 'shadow' };

    expect(define(options).lease).toEqual({ units: 5, duration: 2_000 });
  });

  it.each([
    ['a number', 5],
    ['null', null],
    ['no units', { duration: '1s' }],
    ['0 units', { units: 0, duration: '1s' }],
    ['half a unit', { units: 1.5, duration: '1s' }],
    ['text', { units: '5', duration: '1s' }],
    ['no duration', { units: 5 }],
    ['a duration below a millisecond', { units: 5, duration: 0.5 }],
    ['a duration beyond the window', { units: 5, duration: '61s' }],
    ['another name', { units: 5, duration: '1s', min: 1 }],
  ])('refuses %s', (_, wrong) => {
    expect(() => define({ lease: wrong })).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        message: expect.stringContaining('lease must be { units: an integer of at least 1, duration: from 1 ms'),
      }),
    );
  });

  it('takes the whole window as its duration', () => {
    expect(define({ lease: { units: 1, duration: '1m' } }).lease).toEqual({ units: 1, duration: 60_000 });
  });
});
