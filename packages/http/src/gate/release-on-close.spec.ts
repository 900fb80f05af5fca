import { EventEmitter } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { createLimiter } from '../../../core/src/limiter/limiter.js';
import type { Decision } from '../../../core/src/model/decision.js';
import { nodeResponse } from '../../../../test/support/node-response.js';
import { releaseOnClose, type ClosingRequest } from './release-on-close.js';

const limiter = createLimiter<string>({ key: (user) => user, algorithm: 'concurrency', limit: 5 });
const held = async (user: string) => 5 - (await limiter.inspect(user))[0]!.outcome.remaining;

describe('releaseOnClose', () => {
  it('ends the permits of a socket that is destroyed without an event, at a renewal', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'Date'] });
    const socket = Object.assign(new EventEmitter(), { destroyed: false });

    releaseOnClose(await limiter.consume('silent'), { socket });
    const before = await held('silent');
    socket.destroyed = true;
    await jest.advanceTimersByTimeAsync(10_100);
    const after = await held('silent');
    jest.useRealTimers();

    expect([before, after]).toEqual([1, 0]);
  });

  it.each<[string, (emitter: EventEmitter) => object]>([
    ['response', (response) => ({ response, socket: undefined })],
    ['socket', (socket) => ({ socket })],
  ])('ends the permits when the %s closes', async (name, closingOf) => {
    const emitter = new EventEmitter();

    releaseOnClose(await limiter.consume(name), closingOf(emitter));
    const before = await held(name);
    emitter.emit('close');

    expect([before, await held(name)]).toEqual([1, 0]);
  });

  it.each<[string, unknown, string]>([
    ['no second argument', undefined, 'undefined'],
    ['an object without response and socket', {}, 'an object'],
    ['another name', { res: nodeResponse() }, 'an object'],
    ['a response alone', nodeResponse(), 'an object'],
    ['a socket alone', new Socket(), 'an object'],
    ['a request alone', new IncomingMessage(new Socket()), 'an object'],
    ['a web-standard response', { response: new Response('') }, 'an object'],
  ])('throws a UsageError that says what to pass for %s', async (_case, closing, got) => {
    const decision = await limiter.consume('ada');

    expect(() => releaseOnClose(decision, closing as ClosingRequest)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        code: 'USAGE_INVALID',
        message: `releaseOnClose: the second argument must be { response } or { socket } of Node, got ${got}`,
      }),
    );
    await limiter.release(decision);
  });

  it.each<[string, unknown, string]>([
    ['a promise of a decision', Promise.resolve({}), 'a promise: await it'],
    ['no decision', undefined, 'undefined'],
    ['a copy of a decision', { allowed: true }, 'an object'],
  ])('throws a UsageError for %s', (_case, decision, got) => {
    expect(() => releaseOnClose(decision as Decision, { socket: new Socket() })).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        code: 'USAGE_INVALID',
        message: `releaseOnClose: the decision must be one that consume has returned, got ${got}`,
      }),
    );
  });
});
