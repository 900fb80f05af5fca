import { runFault } from './fault-run.js';
import { brokenBounds } from './verdict.js';
import { wireFaults } from './wire-faults.js';

describe('a limiter on a failing connection', () => {
  it.each(wireFaults)('answers within the deadline and counts no request twice: $name', async (fault) => {
    const row = await runFault(fault, { atMost: 700 });

    expect(brokenBounds(row)).toEqual([]);
  });
});
