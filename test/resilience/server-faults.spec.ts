import { runFault } from './fault-run.js';
import { brokenBounds } from './verdict.js';
import { serverFaults } from './server-faults.js';

describe('a server in trouble', () => {
  it.each(serverFaults)('$name: keeps nobody waiting, and counts no hit twice', async (fault) => {
    const row = await runFault(fault, { atMost: 700 });

    expect(brokenBounds(row)).toEqual([]);
  });
});
