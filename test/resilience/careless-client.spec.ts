import { carelessClient } from './careless-client.js';
import { clientFaults } from './faults.js';
import { runFault } from './fault-run.js';
import { brokenBounds } from './verdict.js';

describe("a caller's client with the settings that ioredis has", () => {
  it.each(clientFaults)('$name: keeps nobody waiting', async (fault) => {
    const row = await runFault(fault, { atMost: 700, client: carelessClient });

    expect(brokenBounds(row)).toEqual([]);
  });
});
