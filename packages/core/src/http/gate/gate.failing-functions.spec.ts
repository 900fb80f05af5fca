import type { IncomingMessage } from 'node:http';

import { exchange } from '../../testing/internal/exchange.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { createGate } from './gate.js';

const pages = { name: 'pages', key: () => 'ada', limit: 2, window: '1m' } as const;

describe('a function of the application that fails', () => {
  const fail = () => {
    throw new Error('down');
  };

  it.each<[string, object]>([
    ['skip', { skip: fail }],
    ['skip', { skip: async () => fail() }],
    ['cost', { cost: fail }],
    ['cost', { cost: async () => fail() }],
    ['key', { key: fail }],
    ['limit', { limit: fail }],
  ])('rejects with UsageError and is no admission: %s', async (name, change) => {
    const store = memoryStore();
    const gate = createGate<IncomingMessage>({ ...pages, store, ...change });
    const { request, response } = exchange();

    const admission = gate.admit(request, response);

    await expect(admission).rejects.toMatchObject({
      name: 'UsageError',
      code: 'FUNCTION_FAILED',
      message: expect.stringContaining(`the function ${name} failed`),
      cause: expect.objectContaining({ message: 'down' }),
    });
    expect(store.size).toBe(0);
    expect(response.getHeaderNames()).toEqual([]);
  });

  it.each([[1.5], [-1], [NaN], ['5'], [null], [undefined]])('is a cost that returns %p', async (cost) => {
    const gate = createGate<IncomingMessage>({ ...pages, cost: () => cost as number });
    const { request, response } = exchange();

    await expect(gate.admit(request, response)).rejects.toMatchObject({ name: 'UsageError' });
  });
});
