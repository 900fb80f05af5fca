import * as fc from 'fast-check';
import { Random } from '../twin/random.js';
import { guarantees, worst } from './guarantees.js';

describe('any pattern of requests', () => {
  it.each(guarantees)('gets at most $bound units from $name in any $span ms', (guarantee) => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(worst(guarantee, new Random(seed), 200)).toBeLessThanOrEqual(guarantee.bound);
      }),
      { numRuns: 20 },
    );
  });
});
