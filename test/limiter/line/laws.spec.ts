import * as fc from 'fast-check';
import { served, serve, TIERS, type Client } from './fleet.js';

const LONG = { longest: '49d' } as const;

const runs = { seed: 64, numRuns: 12 };

function fleet(start: number, costs: readonly number[]): Client[] {
  return costs.map((cost) => ({ cost, at: start, denials: 0 }));
}

describe('A line', () => {
  it.each(TIERS)('has room for all who come at their moment: %s', (_name, options) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 150 }),
        fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 30 }),
        (cost, count, before) => {
          const shared = served(options, LONG);
          for (const pause of before) {
            shared.clock.advance(pause);
            shared.consume();
          }
          const clients = fleet(
            shared.clock(),
            Array.from({ length: count }, () => cost),
          );

          serve(shared, clients);

          expect(clients.filter(({ denials }) => denials > 1)).toEqual([]);
        },
      ),
      runs,
    );
  });
});
