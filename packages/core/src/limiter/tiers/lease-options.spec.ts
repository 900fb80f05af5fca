import { TierDefinition } from './tier-definition.js';
import type { Tier } from './tier.js';

type Options = Partial<Record<string, unknown>>;

const define = (options: Options) =>
  new TierDefinition({ key: () => 'anna', limit: 10, window: '1m', ...options } as unknown as Tier<unknown>, 'hot');

const twoWindows = [
  { limit: 2, window: '1s' },
  { limit: 9, window: '1m' },
];

const lease = { max: 5, horizon: '2s' };

describe('The option lease', () => {
  it.each(['fixed-window', 'sliding-window', 'token-bucket', 'gcra'])('is for %s', (algorithm) => {
    expect(define({ algorithm, lease }).lease).toEqual({ max: 5, horizon: 2_000 });
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
    ['record', { record: () => 'a text' }, 'texts are kept by the store, with every request'],
    ['strict', { strict: true }, 'units in hand may be spent in a later window'],
  ])('is an error beside %s', (name, options, reason) => {
    expect(() => define({ lease, ...options })).toThrow(`lease must not stand beside ${name}: ${reason}`);
  });

  it('stands beside what is not asked for', () => {
    const options = { lease, countDenied: false, record: undefined, strict: false, precision: 6, mode: 'shadow' };

    expect(define(options).lease).toEqual({ max: 5, horizon: 2_000 });
  });

  it.each([
    ['a number', 5],
    ['null', null],
    ['no max', { horizon: '1s' }],
    ['a max of 0', { max: 0, horizon: '1s' }],
    ['half a unit', { max: 1.5, horizon: '1s' }],
    ['text', { max: '5', horizon: '1s' }],
    ['no horizon', { max: 5 }],
    ['a horizon below a millisecond', { max: 5, horizon: 0.5 }],
    ['a horizon beyond the window', { max: 5, horizon: '61s' }],
    ['another name', { max: 5, horizon: '1s', min: 1 }],
  ])('refuses %s', (_, wrong) => {
    expect(() => define({ lease: wrong })).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        message: expect.stringContaining('lease must be { max: an integer of at least 1, horizon: a duration'),
      }),
    );
  });

  it('takes the whole window as its horizon', () => {
    expect(define({ lease: { max: 1, horizon: '1m' } }).lease).toEqual({ max: 1, horizon: 60_000 });
  });
});
