import * as fc from 'fast-check';
import { lawOf, ZONES } from './calendar-law.js';

describe('Periods', () => {
  it.each(ZONES)('begin and end as Temporal says in %s', (zone) => {
    expect(() => fc.assert(lawOf([zone]), { numRuns: 40 })).not.toThrow();
  });
});
