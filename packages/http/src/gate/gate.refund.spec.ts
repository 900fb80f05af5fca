import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { closeServers, serve } from '../../../../test/support/gate-server.js';
import { warningCatcher } from '../../../../test/support/warnings.js';
import { createGate } from './gate.js';

const logins = { name: 'logins', key: () => 'ada', algorithm: 'fixed-window', limit: 5, window: '1m' } as const;
const succeeded = (status: number) => status < 400;

afterEach(closeServers);

describe('Gate, refundWhen', () => {
  it('refunds responses of a matching status only', async () => {
    const gate = createGate<IncomingMessage>({ ...logins, refundWhen: succeeded });

    await answerWith(gate, [200, 401, 204, 500, 304]);

    expect(remainingAt(gate)).toBe(3);
  });

  it('calls the function with status and request, and waits for its promise', async () => {
    const refundWhen = jest.fn(async () => true);
    const gate = createGate<IncomingMessage>({ ...logins, refundWhen });

    const request = await answerWith(gate, [201]);

    expect(refundWhen.mock.calls).toEqual([[201, request]]);
    expect(remainingAt(gate)).toBe(5);
  });

  it('refunds the whole cost, once', async () => {
    const store = memoryStore();
    const refund = jest.spyOn(store, 'refund');
    const gate = createGate<IncomingMessage>({ ...logins, store, cost: 3, refundWhen: succeeded });

    const request = await answerWith(gate, [200]);

    expect([remainingAt(gate), refund.mock.calls.length]).toEqual([5, 1]);
    expect(await gate.limiter.refund(gate.decision(request)!)).toBe(0);
  });

  it('refunds all limiters of a request with one listener, because Node warns of more than ten', async () => {
    const gates = Array.from({ length: 11 }, () => createGate<IncomingMessage>({ ...logins, refundWhen: succeeded }));
    const counts: number[] = [];
    for (const some of [gates.slice(0, 1), gates]) {
      const server = await serve(some, (_request, response) => {
        counts.push(response.listenerCount('finish'));
        response.end();
      });
      await (await server.send()).text();
      await server.close();
    }

    expect(gates.map(remainingAt)).toEqual(gates.map(() => 5));
    expect(counts[1]).toBe(counts[0]);
  });

  it('does not refund denied requests', async () => {
    const refundWhen = jest.fn((status: number) => status === 429);
    const server = await serve([createGate<IncomingMessage>({ ...logins, limit: 1, charge: 'all', refundWhen })]);

    const answers = [await server.send(), await server.send()];

    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    expect(refundWhen.mock.calls.map(([status]) => status)).toEqual([200]);
  });

  it.each<[string, boolean]>([
    ['before the response', false],
    ['when all but the end of the response was sent', true],
  ])('does not refund a client that disconnects %s', async (_case, isBegun) => {
    const refundWhen = jest.fn(() => true);
    const gate = createGate<IncomingMessage>({ ...logins, refundWhen });

    await disconnect(gate, isBegun);

    expect(refundWhen).not.toHaveBeenCalled();
    expect(remainingAt(gate)).toBe(4);
  });

  it('warns once if the function throws, and the requests stay counted', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    const refundWhen = () => {
      throw new Error('down');
    };
    const gate = createGate<IncomingMessage>({ ...logins, refundWhen });

    await answerWith(gate, [200, 200]);

    const reason = 'rateLimit: the function refundWhen failed with Error: the message is in its cause';
    const text = `rateLimit: a refund failed, so the request stays counted: ${reason}`;
    expect(warn.mock.calls).toEqual([[text, expect.objectContaining({ code: 'SLUICE_REFUND_FAILED' })]]);
    expect(remainingAt(gate)).toBe(3);
    warn.mockRestore();
  });
});

describe('Gate, results of refundWhen', () => {
  const warnings = warningCatcher();

  it.each<[unknown, string]>([
    ['false', 'text'],
    [1, 'a number'],
    [succeeded, 'the function succeeded'],
  ])('keeps the request counted and warns if the function returns %p', async (result, got) => {
    const gate = createGate<IncomingMessage>({ ...logins, refundWhen: () => result as boolean });

    await answerWith(gate, [200]);

    const text = `rateLimit: the function refundWhen must return true or false, got ${got}`;
    expect(warnings()).toEqual([['SLUICE_REFUND_FAILED', expect.stringContaining(text)]]);
    expect(remainingAt(gate)).toBe(4);
  });

  it.each([304, 412, 416])(
    'keeps the status %i counted, which a client brings about by a header, and warns',
    async (status) => {
      const gate = createGate<IncomingMessage>({ ...logins, refundWhen: (each) => each === status });

      await answerWith(gate, [status, status]);

      expect(remainingAt(gate)).toBe(3);
      expect(warnings()).toEqual([
        ['SLUICE_REFUND_REFUSED', expect.stringContaining(`the status ${status} and not 200`)],
      ]);
    },
  );

  it('refunds the status 304 where it refunds 200', async () => {
    const gate = createGate<IncomingMessage>({ ...logins, refundWhen: succeeded });

    await answerWith(gate, [304, 200]);

    expect([remainingAt(gate), warnings()]).toEqual([5, []]);
  });

  it.each([[false], [undefined], [null]])('keeps the request counted without a warning for %p', async (result) => {
    const gate = createGate<IncomingMessage>({ ...logins, refundWhen: async () => result as boolean });

    await answerWith(gate, [200]);

    expect([remainingAt(gate), warnings()]).toEqual([4, []]);
  });
});

type LoginGate = ReturnType<typeof createGate<IncomingMessage>>;

/** Answers requests with these statuses, one after the other, and returns the last request. */
async function answerWith(gate: LoginGate, statuses: readonly number[]): Promise<IncomingMessage> {
  const requests: IncomingMessage[] = [];
  const server = await serve([gate], (request, response) => {
    response.statusCode = statuses[requests.length]!;
    requests.push(request);
    response.end();
  });
  for (const _ of statuses) await (await server.send()).text();
  await server.close();
  return requests.at(-1)!;
}

/** A client that disconnects, and a handler that ends its response after that. */
async function disconnect(gate: LoginGate, isBegun: boolean): Promise<void> {
  const client = new AbortController();
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const server = await serve([gate], async (_request, response: ServerResponse) => {
    const closed = once(response, 'close');
    if (isBegun) response.writeHead(200, { 'Content-Length': '4' }).write('full');
    client.abort();
    await closed;
    response.end(isBegun ? undefined : 'late');
    setImmediate(finish);
  });
  await expect(server.send({ signal: client.signal }).then((answer) => answer.text())).rejects.toThrow('aborted');
  await finished;
}

function remainingAt({ limiter }: LoginGate): number {
  const decision = limiter.peek({} as IncomingMessage, { cost: 0 });
  return (decision as { outcomes: readonly { remaining: number }[] }).outcomes[0]!.remaining;
}
