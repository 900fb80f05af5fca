import { carelessClient } from './careless-client.js';
import { clientFaults } from './faults.js';
import { runFault } from './fault-run.js';
import { brokenBounds } from './verdict.js';

describe('redisStore on a client with default settings', () => {
  it.each(clientFaults)('answers within the deadline: $name', async (fault) => {
    const row = await runFault(fault, { atMost: 700, client: carelessClient });

    expect(brokenBounds(row)).toEqual([]);
  });
});
