import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Polls a port, and resolves at its first PONG with the time of `performance.now()`. */
export async function firstPong(port: number): Promise<number> {
  for (;;) {
    if (await pongs(port)) return performance.now();
    await delay(5);
  }
}

function pongs(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const settle = (answered: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answered);
    };
    const timer = setTimeout(settle, 500, false);
    socket.once('data', (reply) => settle(reply.toString().startsWith('+PONG')));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
  });
}
