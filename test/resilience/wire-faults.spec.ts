import { runFault } from './fault-run.js';
import { brokenBounds } from './verdict.js';
import { wireFaults } from './wire-faults.js';

describe('a wire in trouble', () => {
  it.each(wireFaults)('$name: keeps nobody waiting, and counts no hit twice', async (fault) => {
    const row = await runFault(fault, { atMost: 700 });

    expect(brokenBounds(row)).toEqual([]);
  });
});
