import type { IncomingMessage } from 'node:http';

import { StoreError } from '../../../core/src/model/errors.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { exchange } from '../../../../test/support/exchange.js';
import { closeServers, serve } from '../../../../test/support/gate-server.js';
import type { Admission } from './admission.js';
import { createGate } from './gate.js';

const queue = {
  name: 'queue',
  key: () => 'ada',
  algorithm: 'leaky-bucket',
  limit: 20,
  window: '1s',
  queue: 3,
} as const;
const slowQueue = { ...queue, limit: 1, window: '1h' } as const;
const hour = { name: 'hour', key: () => 'ada', algorithm: 'fixed-window', limit: 100, window: '1h' } as const;

afterEach(closeServers);

describe('Gate, queue', () => {
  it('has requests wait for their turn, and denies those without a place', async () => {
    const start = performance.now();
    const times: number[] = [];
    // On a clock that stands still, six requests meet four places.
    const gate = createGate<IncomingMessage>({ ...queue, store: memoryStore({ clock: fakeClock() }) });
    const server = await serve([gate], (_request, response) => {
      times.push(performance.now() - start);
      response.end();
    });

    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => server.send()));

    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    // Turns are 50 ms apart; a timer may be a millisecond early.
    for (const [index, time] of times.entries()) expect(time).toBeGreaterThanOrEqual(index * 49);
  });

  it('sets headers before a request waits', async () => {
    const gate = createGate<IncomingMessage>({ ...queue, store: memoryStore({ clock: fakeClock() }) });
    const exchanges = [exchange(), exchange()];

    const admissions = exchanges.map(({ request, response }) => gate.admit(request, response));

    expect(admissions.map((admission) => admission instanceof Promise)).toEqual([false, true]);
    expect(exchanges.map(({ response }) => response.getHeader('X-RateLimit-Remaining'))).toEqual(['3', '2']);
    expect(await Promise.all(admissions)).toMatchObject([{ state: 'admitted' }, { state: 'admitted' }]);
  });

  it('frees the place of a client that disconnects, and keeps its other charges', async () => {
    const gate = createGate<IncomingMessage>({ tiers: [queue, hour], store: memoryStore({ clock: fakeClock() }) });
    const { admission, request, response } = await waitingAt(gate);

    response.emit('close');

    await expect(admission).resolves.toEqual({ state: 'ended' });
    expect(gate.limiter.peek(request, { cost: 0 })).toMatchObject({
      outcomes: [
        { tier: 'hour', remaining: 98 },
        { tier: 'queue', remaining: 3 },
      ],
    });
  });

  it('does not call the handler for a client that disconnects, on a real connection', async () => {
    const gate = createGate<IncomingMessage>({ ...slowQueue, store: memoryStore({ clock: fakeClock() }) });
    const client = new AbortController();
    let admission: Promise<Admission> | undefined;
    const handler = jest.fn((_request, response) => response.end());
    const watched: Pick<typeof gate, 'admit'> = {
      admit(request, response) {
        const admitted = Promise.resolve(gate.admit(request, response));
        if (gate.decision(request)!.delay > 0) {
          admission = admitted;
          client.abort();
        }
        return admitted;
      },
    };
    const server = await serve([watched], handler);
    await server.send();

    await expect(server.send({ signal: client.signal })).rejects.toThrow('aborted');

    await expect(admission).resolves.toEqual({ state: 'ended' });
    expect(handler).toHaveBeenCalledTimes(1);
    expect(gate.limiter.peek({} as IncomingMessage, { cost: 0 })).toMatchObject({ outcomes: [{ remaining: 3 }] });
  });

  it('does not wait for a client that disconnected before the decision', async () => {
    const gate = createGate<IncomingMessage>(slowQueue);
    const [first, second] = [exchange(), exchange()];
    await gate.admit(first.request, first.response);
    second.response.destroy();

    await expect(gate.admit(second.request, second.response)).resolves.toEqual({ state: 'ended' });
  });

  it('warns if a place cannot be freed', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    const gate = createGate<IncomingMessage>(queue);
    jest.spyOn(gate.limiter, 'refund').mockRejectedValue(new StoreError('STORE_UNAVAILABLE', 'the store is away'));
    const { admission, response } = await waitingAt(gate);

    response.emit('close');

    await expect(admission).resolves.toEqual({ state: 'ended' });
    expect(warn.mock.calls).toEqual([[expect.any(String), expect.objectContaining({ code: 'SLUICE_REFUND_FAILED' })]]);
    warn.mockRestore();
  });
});

/** The second of two requests at a gate, which waits for its turn. */
async function waitingAt(gate: ReturnType<typeof createGate<IncomingMessage>>) {
  const [first, second] = [exchange(), exchange()];
  await gate.admit(first.request, first.response);
  return { ...second, admission: gate.admit(second.request, second.response) };
}
