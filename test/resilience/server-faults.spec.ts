import { runFault } from './fault-run.js';
import { brokenBounds } from './verdict.js';
import { serverFaults } from './server-faults.js';

describe('a limiter on a failing server', () => {
  it.each(serverFaults)('answers within the deadline and counts no request twice: $name', async (fault) => {
    const row = await runFault(fault, { atMost: 700 });

    expect(brokenBounds(row)).toEqual([]);
  });
});
