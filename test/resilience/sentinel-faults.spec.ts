import { carelessGroupClient } from './careless-group-client.js';
import { runFault } from './fault-run.js';
import { sentinelFaults } from './sentinel-faults.js';
import { brokenBounds } from './verdict.js';

describe('a group that Sentinels watch', () => {
  // A primary that is replaced while it is well: sentinel-failover.spec.ts.
  it.each(sentinelFaults.slice(0, 2))('$name: keeps nobody waiting, and counts no hit twice', async (fault) => {
    const row = await runFault(fault);

    expect(brokenBounds(row)).toEqual([]);
  });

  it("keeps nobody waiting with a caller's client either, whose settings are those of ioredis", async () => {
    const row = await runFault(sentinelFaults[0]!, { client: carelessGroupClient });

    expect(brokenBounds(row)).toEqual([]);
  });
});
