import { carelessGroupClient } from './careless-group-client.js';
import { runFault } from './fault-run.js';
import { sentinelFaults } from './sentinel-faults.js';
import { brokenBounds } from './verdict.js';

describe('a limiter on a group with Sentinels', () => {
  // A primary that is replaced while it is well: sentinel-failover.spec.ts.
  it.each(sentinelFaults.slice(0, 2))(
    'answers within the deadline and counts no request twice: $name',
    async (fault) => {
      const row = await runFault(fault);

      expect(brokenBounds(row)).toEqual([]);
    },
  );

  it('answers within the deadline on a client with default settings', async () => {
    const row = await runFault(sentinelFaults[0]!, { client: carelessGroupClient });

    expect(brokenBounds(row)).toEqual([]);
  });
});
