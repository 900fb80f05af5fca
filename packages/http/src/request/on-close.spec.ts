import { EventEmitter } from 'node:events';

import { exchange } from '../../../../test/support/exchange.js';
import { sleep } from '../../../core/src/waiting/sleep.js';
import type { HttpSocket } from './request.js';
import { onClose, type ClosingResponse } from './on-close.js';

/** As a gate waits for the turn of a queued request. */
const waitForTurn = (delay: number, response: ClosingResponse, socket?: HttpSocket) =>
  sleep(delay, (leave) => onClose(response, socket, leave));

describe('sleep until onClose', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([5_000, 2 ** 31 + 1_000])(
    'resolves to true after %d ms, or the longest timer, and not before',
    async (delay) => {
      const { response } = exchange();
      const settled = jest.fn();

      const waited = waitForTurn(delay, response).finally(settled);

      await jest.advanceTimersByTimeAsync(Math.min(delay, 2 ** 31 - 1) - 1);
      expect(settled).not.toHaveBeenCalled();
      await jest.advanceTimersByTimeAsync(1);
      await expect(waited).resolves.toBe(true);
    },
  );

  it('resolves to false when the client disconnects, and clears its timer', async () => {
    const { response } = exchange();

    const waited = waitForTurn(5_000, response);
    response.emit('close');

    await expect(waited).resolves.toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('resolves to false at once if the response or the connection has ended', async () => {
    const { response } = exchange();
    response.destroy();
    const socket = Object.assign(new EventEmitter(), { destroyed: true });

    await expect(waitForTurn(5_000, response)).resolves.toBe(false);
    await expect(waitForTurn(5_000, exchange().response, socket)).resolves.toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('adds one listener to a response, however often it waits', async () => {
    const { response } = exchange();
    const before = response.listenerCount('close');

    const waited = Array.from({ length: 20 }, () => waitForTurn(5_000, response));

    expect(response.listenerCount('close')).toBe(before + 1);
    response.emit('close');
    expect(await Promise.all(waited)).toEqual(waited.map(() => false));
  });

  it('resolves all pipelined requests when their connection ends, with one listener on it', async () => {
    const [closed, open] = [new EventEmitter(), new EventEmitter()];
    const waitOn = (socket: EventEmitter) =>
      Array.from({ length: 20 }, () => waitForTurn(5_000, exchange().response, socket));
    const [abandoned, served] = [waitOn(closed), waitOn(open)];

    closed.emit('close');

    expect(open.listenerCount('close')).toBe(1);
    expect(await Promise.all(abandoned)).toEqual(abandoned.map(() => false));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await Promise.all(served)).toEqual(served.map(() => true));
    expect(jest.getTimerCount()).toBe(0);
  });
});
