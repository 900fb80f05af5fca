import { carelessGroupClient } from './careless-group-client.js';
import { clusterFaults } from './cluster-faults.js';
import { runFault } from './fault-run.js';
import { brokenBounds } from './verdict.js';

describe('a shard of a Cluster', () => {
  // What becomes of one that is down altogether: cluster-outage.spec.ts.
  it.each(clusterFaults.slice(0, 2))('$name: keeps nobody waiting, and counts no hit twice', async (fault) => {
    const row = await runFault(fault);

    expect(brokenBounds(row)).toEqual([]);
  });

  it("keeps nobody waiting with a caller's client either, whose settings are those of ioredis", async () => {
    const row = await runFault(clusterFaults[0]!, { client: carelessGroupClient });

    expect(brokenBounds(row)).toEqual([]);
    expect(row.recovery).toBeLessThan(3_000);
  });
});
