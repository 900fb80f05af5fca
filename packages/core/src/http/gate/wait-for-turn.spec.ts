import { EventEmitter } from 'node:events';

import { exchange } from '../../testing/internal/exchange.js';
import { waitForTurn } from './wait-for-turn.js';

describe('wait', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('ends when the time has passed, and not before', async () => {
    const { response } = exchange();
    const settled = jest.fn();

    const waited = waitForTurn(5_000, response).finally(settled);

    await jest.advanceTimersByTimeAsync(4_999);
    expect(settled).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    await expect(waited).resolves.toBe(true);
  });

  it('ends at once when the client leaves, and leaves no timer behind', async () => {
    const { response } = exchange();

    const waited = waitForTurn(5_000, response);
    response.emit('close');

    await expect(waited).resolves.toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('does not begin for a client that has left', async () => {
    const { response } = exchange();
    response.destroy();

    await expect(waitForTurn(5_000, response)).resolves.toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends when the connection ends, of which a response behind others of it hears nothing', async () => {
    const socket = new EventEmitter();
    const waiting = Array.from({ length: 20 }, () => waitForTurn(5_000, exchange().response, socket));

    socket.emit('close');

    expect(await Promise.all(waiting)).toEqual(waiting.map(() => false));
    expect(jest.getTimerCount()).toBe(0);
  });

  it('has one listener at a connection, however many of its requests wait', async () => {
    const socket = new EventEmitter();

    const waiting = Array.from({ length: 20 }, () => waitForTurn(5_000, exchange().response, socket));

    expect(socket.listenerCount('close')).toBe(1);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => true));
  });

  it('does not begin on a connection that has ended', async () => {
    const socket = Object.assign(new EventEmitter(), { destroyed: true });

    await expect(waitForTurn(5_000, exchange().response, socket)).resolves.toBe(false);
  });

  it('leaves no listener behind', async () => {
    const { response } = exchange();
    const before = response.listenerCount('close');

    const waited = waitForTurn(10, response);
    await jest.advanceTimersByTimeAsync(10);
    await waited;

    expect(response.listenerCount('close')).toBe(before);
  });

  it('does not end at once for more than a timer holds', async () => {
    const { response } = exchange();
    const settled = jest.fn();

    const waited = waitForTurn(2 ** 31 + 1_000, response).finally(settled);

    await jest.advanceTimersByTimeAsync(1_000);
    expect(settled).not.toHaveBeenCalled();
    response.emit('close');
    await waited;
  });
});
