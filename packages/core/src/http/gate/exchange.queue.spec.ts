import type { IncomingMessage } from 'node:http';

import { exchange } from '../../testing/internal/exchange.js';
import { closeServers, serve } from '../../testing/internal/gate-server.js';
import { StoreError } from '../../model/errors.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { fakeClock } from '../../testing/clock.js';
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
const hour = { name: 'hour', key: () => 'ada', algorithm: 'fixed-window', limit: 100, window: '1h' } as const;

afterEach(closeServers);

describe('a leaky queue', () => {
  it('has requests wait for their turn, and denies who finds no place', async () => {
    const began = performance.now();
    const times: number[] = [];
    // The queue does not move on: six come to four places.
    const gate = createGate<IncomingMessage>({ ...queue, store: memoryStore({ clock: fakeClock() }) });
    const server = await serve([gate], (_request, response) => {
      times.push(performance.now() - began);
      response.end();
    });

    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => server.send()));

    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    // 50 ms apart; a timer may be a millisecond early.
    for (const [index, time] of times.entries()) expect(time).toBeGreaterThanOrEqual(index * 49);
  });

  it('tells everyone at once, and admits later', async () => {
    const gate = createGate<IncomingMessage>({ ...queue, store: memoryStore({ clock: fakeClock() }) });
    const visits = [exchange(), exchange()];

    const admissions = visits.map(({ request, response }) => gate.admit(request, response));

    expect(admissions.map((admission) => admission instanceof Promise)).toEqual([false, true]);
    expect(visits.map(({ response }) => response.getHeader('X-RateLimit-Remaining'))).toEqual(['3', '2']);
    expect(await Promise.all(admissions)).toMatchObject([{ state: 'admitted' }, { state: 'admitted' }]);
  });

  it('gives the place of a client that leaves to others, and nothing else of what it took', async () => {
    const gate = createGate<IncomingMessage>({ tiers: [queue, hour], store: memoryStore({ clock: fakeClock() }) });
    const [first, second] = [exchange(), exchange()];
    await gate.admit(first.request, first.response);
    const admission = gate.admit(second.request, second.response);

    second.response.emit('close');

    await expect(admission).resolves.toEqual({ state: 'ended' });
    expect(gate.limiter.peek(second.request, { cost: 0 })).toMatchObject({
      outcomes: [
        { tier: 'hour', remaining: 98 },
        { tier: 'queue', remaining: 3 },
      ],
    });
  });

  it('never calls the handler for a client that has left, on a real connection', async () => {
    const clock = fakeClock();
    const gate = createGate<IncomingMessage>({ ...queue, limit: 1, window: '1h', store: memoryStore({ clock }) });
    const leaving = new AbortController();
    let admission: Promise<Admission> | undefined;
    const handler = jest.fn((_request, response) => response.end());
    const watched = {
      async admit(request: IncomingMessage, response: Parameters<typeof gate.admit>[1]): Promise<Admission> {
        const admitted = Promise.resolve(gate.admit(request, response));
        if (gate.decision(request)!.delay === 0) return admitted;
        admission = admitted;
        leaving.abort();
        return admitted;
      },
    };
    const server = await serve([watched], handler);
    await server.send();

    await expect(server.send({ signal: leaving.signal })).rejects.toThrow('aborted');

    await expect(admission).resolves.toEqual({ state: 'ended' });
    expect(handler).toHaveBeenCalledTimes(1);
    expect(gate.limiter.peek({} as IncomingMessage, { cost: 0 })).toMatchObject({ outcomes: [{ remaining: 3 }] });
  });

  it('does not have a client wait that left while the store was asked', async () => {
    const gate = createGate<IncomingMessage>({ ...queue, limit: 1, window: '1h' });
    const [first, second] = [exchange(), exchange()];
    await gate.admit(first.request, first.response);
    second.response.destroy();

    await expect(gate.admit(second.request, second.response)).resolves.toEqual({ state: 'ended' });
  });

  it('warns where a place cannot be given back, and no more', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    const gate = createGate<IncomingMessage>(queue);
    jest.spyOn(gate.limiter, 'refund').mockRejectedValue(new StoreError('STORE_UNAVAILABLE', 'the store is away'));
    const [first, second] = [exchange(), exchange()];
    await gate.admit(first.request, first.response);
    const admission = gate.admit(second.request, second.response);

    second.response.emit('close');

    await expect(admission).resolves.toEqual({ state: 'ended' });
    expect(warn.mock.calls).toEqual([[expect.any(String), expect.objectContaining({ code: 'SLUICE_REFUND_FAILED' })]]);
    warn.mockRestore();
  });
});
