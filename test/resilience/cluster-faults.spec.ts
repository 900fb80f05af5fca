import { carelessGroupClient } from './careless-group-client.js';
import { clusterFaults } from './cluster-faults.js';
import { runFault } from './fault-run.js';
import { brokenBounds } from './verdict.js';

describe('a limiter on a Cluster with a failing shard', () => {
  // What becomes of one that is down altogether: cluster-outage.spec.ts.
  it.each(clusterFaults.slice(0, 2))(
    'answers within the deadline and counts no request twice: $name',
    async (fault) => {
      const row = await runFault(fault);

      expect(brokenBounds(row)).toEqual([]);
    },
  );

  it('answers within the deadline on a client with default settings', async () => {
    const row = await runFault(clusterFaults[0]!, { client: carelessGroupClient });

    expect(brokenBounds(row)).toEqual([]);
    expect(row.recovery).toBeLessThan(3_000);
  });
});
