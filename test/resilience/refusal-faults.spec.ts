import { runFault } from './fault-run.js';
import { brokenBounds } from './verdict.js';
import { refusalFaults } from './refusal-faults.js';

describe('a server that refuses', () => {
  it.each(refusalFaults)('$name: keeps nobody waiting, and counts no hit twice', async (fault) => {
    const row = await runFault(fault, { atMost: 700 });

    expect(brokenBounds(row)).toEqual([]);
  });
});
