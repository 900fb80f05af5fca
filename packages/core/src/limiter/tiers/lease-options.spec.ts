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

  it('is allowed beside options that are off, and for as long as the window', () => {
    const options = { charge: 'admitted', record: undefined, strict: false, precision: 6, mode: 'shadow' };

    expect(define({ lease: { units: 1, duration: '1m' }, ...options }).lease).toEqual({ units: 1, duration: 60_000 });
  });
});
