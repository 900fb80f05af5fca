import { EventEmitter } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { nodeResponse } from '../../../../test/support/node-response.js';
import type { HttpRequest } from '../request/request.js';
import { createGate } from './gate.js';
import { holdWhile } from './held-request.js';

/** A request that a gate has admitted, and what its two limits in flight hold. */
async function admitted() {
  const gate = createGate<HttpRequest>({ algorithm: 'concurrency', limit: 5 });
  const other = createGate<HttpRequest>({ algorithm: 'concurrency', limit: 5 });
  const request = Object.assign(new IncomingMessage(new Socket()), { ip: '127.0.0.1' });
  const emitter = new EventEmitter();
  const response = Object.assign(nodeResponse(), { once: emitter.once.bind(emitter) });
  const close = () => {
    request.destroy();
    emitter.emit('close');
  };
  await gate.admit(request, response);
  await other.admit(request, response);
  const held = async () => {
    const all = await Promise.all([gate, other].map(({ limiter }) => limiter.inspect({ ip: '127.0.0.1' })));
    return all.map(([inspection]) => 5 - inspection!.outcome.remaining);
  };
  return { request, response, gate, close, held };
}

describe('holdWhile', () => {
  it('holds the permits of all gates until the work has settled and the response is closed', async () => {
    const { request, close, held } = await admitted();
    let end!: () => void;

    const work = holdWhile(request, () => new Promise<void>((resolve) => (end = resolve)));
    close();
    const closed = await held();
    end();
    await work;

    expect([closed, await held()]).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });

  it('holds them for a response that is open after the work', async () => {
    const { request, close, held } = await admitted();

    await holdWhile(request, async () => undefined);
    const open = await held();
    close();

    expect([open, await held()]).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });

  it.each<[string, () => unknown]>([
    ['rejects', async () => Promise.reject(new Error('mine'))],
    [
      'throws',
      () => {
        throw new Error('mine');
      },
    ],
  ])('passes on the error of work that %s, and holds nothing after it', async (_how, fail) => {
    const { request, close, held } = await admitted();

    const failed = (async () => holdWhile(request, fail))();

    await expect(failed).rejects.toThrow('mine');
    close();
    expect(await held()).toEqual([0, 0]);
  });

  it('calls `then` of a lazy result once, and returns plain results as they are', async () => {
    const { request } = await admitted();
    const then = jest.fn((resolve: (value: number) => void) => resolve(20));

    // oxlint-disable-next-line unicorn/no-thenable -- a query of an SQL builder is one
    const lazy = await holdWhile(request, () => ({ then }));

    expect([lazy, then.mock.calls.length, holdWhile(request, () => 5), holdWhile({}, () => 6)]).toEqual([20, 1, 5, 6]);
  });

  it('runs no work whose client has left before it, and work beside that which still holds', async () => {
    const { request, close } = await admitted();
    let end!: () => void;
    const first = holdWhile(request, () => new Promise<void>((resolve) => (end = resolve)));

    close();
    const beside = holdWhile(request, () => 'works');
    end();
    await first;

    const afterwards = holdWhile(
      request,
      () => 'works',
      () => 'gone',
    );
    expect([beside, afterwards, holdWhile(request, () => 'works')]).toEqual(['works', 'gone', undefined]);
  });

  it('releases what work holds that goes on without its client, and warns of its route', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'Date'] });
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const { request, close, held } = await admitted();
    Object.assign(request, { method: 'GET', route: { path: '/exports/:id' } });
    void holdWhile(request, () => new Promise<void>(() => {}));

    close();
    await jest.advanceTimersByTimeAsync(29_000);
    const before = await held();
    await jest.advanceTimersByTimeAsync(31_000);
    const after = await held();
    const [message] = warned.mock.calls.find(([, each]) => {
      return (each as { code: string }).code === 'SLUICE_HANDLER_OUTLIVES_CLIENT';
    }) ?? [''];
    jest.useRealTimers();

    expect([before, after]).toEqual([
      [1, 1],
      [0, 0],
    ]);
    expect(message).toContain('a handler of GET /exports/:id has worked on for at least 30 s');
  });

  it('finds the end of a response whose stream was closed without an event', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'Date'] });
    const { request, response, held } = await admitted();
    const stream = Object.assign(new EventEmitter(), { closed: false, destroyed: false });
    Object.assign(response, { stream });
    await holdWhile(request, async () => undefined);
    const open = await held();

    stream.closed = true;
    await jest.advanceTimersByTimeAsync(10_100);
    const closed = await held();
    jest.useRealTimers();

    expect([open, closed]).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });

  it('begins nothing for a client that has left when its request is decided', async () => {
    const { request, response, gate, close } = await admitted();
    close();

    const admission = await gate.admit(request, response);

    expect(admission).toEqual({ state: 'ended' });
  });

  it.each<[string, unknown, unknown, string]>([
    ['no request', undefined, () => 5, 'undefined and the function'],
    ['a promise instead of a function', {}, Promise.resolve(), 'an object and an object'],
  ])('throws a UsageError for %s', (_case, request, work, got) => {
    expect(() => holdWhile(request as object, work as () => number)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        code: 'USAGE_INVALID',
        message: expect.stringContaining(`holdWhile: the arguments must be a request and a function, got ${got}`),
      }),
    );
  });
});
