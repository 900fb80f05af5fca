import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { closeServers, serve } from '../../testing/internal/gate-server.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { createGate } from './gate.js';

const logins = { name: 'logins', key: () => 'ada', algorithm: 'fixed-window', limit: 5, window: '1m' } as const;
const succeeded = (status: number) => status < 400;

afterEach(closeServers);

describe('refundWhen', () => {
  it('gives back what a response of such a status took, and nothing of others', async () => {
    const gate = createGate<IncomingMessage>({ ...logins, refundWhen: succeeded });
    const { left } = await responses(gate, [200, 401, 204, 500, 304]);

    expect(left).toBe(3);
  });

  it('is asked with the status and the request, and may take its time', async () => {
    const refundWhen = jest.fn(async () => true);
    const gate = createGate<IncomingMessage>({ ...logins, refundWhen });

    const { left, request } = await responses(gate, [201]);

    expect(refundWhen.mock.calls).toEqual([[201, request]]);
    expect(left).toBe(5);
  });

  it('gives back all that a request has cost, once', async () => {
    const store = memoryStore();
    const refund = jest.spyOn(store, 'refund');
    const gate = createGate<IncomingMessage>({ ...logins, store, cost: 3, refundWhen: succeeded });

    const { left, request } = await responses(gate, [200]);

    expect(left).toBe(5);
    expect(refund).toHaveBeenCalledTimes(1);
    expect(await gate.limiter.refund(gate.decision(request)!)).toBe(0);
  });

  it('is not asked about what was denied', async () => {
    const refundWhen = jest.fn((status: number) => status === 429);
    const server = await serve([createGate<IncomingMessage>({ ...logins, limit: 1, countDenied: true, refundWhen })]);

    const answers = [await server.send(), await server.send()];

    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    expect(refundWhen.mock.calls.map(([status]) => status)).toEqual([200]);
  });

  it('gives nothing back to a client that left before its response was sent', async () => {
    const refundWhen = jest.fn(() => true);
    const gate = createGate<IncomingMessage>({ ...logins, refundWhen });
    const left = await leave(gate, (response) => response.end('late'));

    expect(refundWhen).not.toHaveBeenCalled();
    expect(left).toBe(4);
  });

  it('gives nothing back to a client that left when all but the end of its response was sent', async () => {
    const refundWhen = jest.fn(() => true);
    const gate = createGate<IncomingMessage>({ ...logins, refundWhen });
    const left = await leave(gate, (response) => response.end(), 'begin');

    expect(refundWhen).not.toHaveBeenCalled();
    expect(left).toBe(4);
  });

  it('warns where it fails, once, and the request stays counted', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    const gate = createGate<IncomingMessage>({
      ...logins,
      refundWhen: () => {
        throw new Error('down');
      },
    });

    const { left } = await responses(gate, [200, 200]);

    const text = 'rateLimit: a refund failed, so the request stays counted: rateLimit: the function refundWhen failed';
    expect(warn.mock.calls).toEqual([[text, expect.objectContaining({ code: 'SLUICE_REFUND_FAILED' })]]);
    expect(left).toBe(3);
    warn.mockRestore();
  });
});

type LoginGate = ReturnType<typeof createGate<IncomingMessage>>;

/** Has requests answered with these statuses, one after the other: the last one, and what is left then. */
async function responses(gate: LoginGate, statuses: readonly number[]) {
  const last: IncomingMessage[] = [];
  const next = statuses.values();
  const server = await serve([gate], (request, response) => {
    last.push(request);
    response.statusCode = next.next().value!;
    response.end();
  });
  for (let count = 0; count < statuses.length; count += 1) await (await server.send()).text();
  await server.close();
  return { left: remaining(gate), request: last.at(-1)! };
}

/** A client that leaves, and a handler that ends the response when it has left: what is left then. */
async function leave(gate: LoginGate, end: (response: ServerResponse) => void, begin?: 'begin'): Promise<number> {
  const leaving = new AbortController();
  let done: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    done = resolve;
  });
  const server = await serve([gate], async (_request, response) => {
    const closed = once(response, 'close');
    if (begin) {
      response.writeHead(200, { 'Content-Length': '4' });
      response.write('full');
    }
    leaving.abort();
    await closed;
    end(response);
    setImmediate(done);
  });
  await expect(server.send({ signal: leaving.signal }).then((answer) => answer.text())).rejects.toThrow('aborted');
  await over;
  return remaining(gate);
}

function remaining({ limiter }: LoginGate): number {
  const decision = limiter.peek({} as IncomingMessage, { cost: 0 });
  return (decision as { outcomes: readonly { remaining: number }[] }).outcomes[0]!.remaining;
}
