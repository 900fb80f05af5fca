import { runFault } from './fault-run.js';
import { brokenBounds } from './verdict.js';
import { refusalFaults } from './refusal-faults.js';

describe('a limiter on a server that refuses commands', () => {
  it.each(refusalFaults)('answers within the deadline and counts no request twice: $name', async (fault) => {
    const row = await runFault(fault, { atMost: 700 });

    expect(brokenBounds(row)).toEqual([]);
  });
});
