import { defaultClient } from './default-client.js';
import { clientFaults, clusterFaults, refusalFaults, sentinelFaults, serverFaults, wireFaults } from './index.js';
import { runFault } from './run-fault.js';
import { brokenBounds } from './verdict.js';

/** Milliseconds of a fault here; `npm run tool -- faults` runs each in full. */
const MAX_MS = 700;

describe.each([
  ['a failing server', serverFaults],
  ['a failing connection', wireFaults],
  ['a server that refuses commands', refusalFaults],
])('a limiter on %s', (_what, faults) => {
  it.each(faults)('answers within the deadline and counts no request twice: $name', async (fault) => {
    expect(brokenBounds(await runFault(fault, { atMost: MAX_MS }))).toEqual([]);
  });
});

describe('a limiter on a client with default settings', () => {
  it.each(clientFaults)('answers within the deadline: $name', async (fault) => {
    expect(brokenBounds(await runFault(fault, { atMost: MAX_MS, client: defaultClient }))).toEqual([]);
  });
});

// A healthy primary that is replaced: sentinel-failover.long.spec.ts. A shard that is down: cluster-outage.long.spec.ts.
describe.each([
  ['a group with Sentinels', sentinelFaults.slice(0, 2)],
  ['a Cluster with a failing shard', clusterFaults.slice(0, 2)],
])('a limiter on %s', (_what, faults) => {
  it.each(faults)('answers within the deadline and counts no request twice: $name', async (fault) => {
    expect(brokenBounds(await runFault(fault))).toEqual([]);
  });

  it('answers within the deadline on a client with default settings', async () => {
    expect(brokenBounds(await runFault(faults[0]!, { client: defaultClient }))).toEqual([]);
  });
});
