import * as fc from 'fast-check';
import { lawOf, ZONES } from './calendar-law.js';

describe('Periods', () => {
  it('begin and end as Temporal says', () => {
    expect(() => fc.assert(lawOf(ZONES), { numRuns: 100 })).not.toThrow();
  });
});
