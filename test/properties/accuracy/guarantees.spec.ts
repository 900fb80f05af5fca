import * as fc from 'fast-check';
import { Random } from '../twin/random.js';
import { guarantees, worst } from './guarantees.js';

describe('However somebody spends', () => {
  it.each(guarantees)('$name lets through at most $bound in any $span ms', (guarantee) => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(worst(guarantee, new Random(seed), 200)).toBeLessThanOrEqual(guarantee.bound);
      }),
      { numRuns: 20 },
    );
  });
});
