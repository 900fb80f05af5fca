import { once } from 'node:events';
import { connect } from 'node:net';
import { startDoorServer } from './door-server.js';

const CLIENTS = 150;

// Only Linux says how many descriptors a process may have.
(process.platform === 'linux' ? describe : describe.skip)('a server that may have 200 descriptors', () => {
  it('holds no more requests than a quarter of those that are free, and answers all', async () => {
    const server = await startDoorServer(200);
    server.pause(true);
    const clients = Array.from({ length: CLIENTS }, () => {
      const socket = connect(server.port, '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      return socket.setEncoding('latin1');
    });
    // All wait in the kernel before the first is accepted.
    await Promise.all(clients.map((socket) => once(socket, 'connect')));
    server.pause(false);
    const answers = await Promise.all(
      clients.map(async (socket) => {
        let text = '';
        socket.on('data', (part: string) => (text += part));
        await once(socket, 'close');
        return text.slice(0, 12);
      }),
    );
    const { served, most } = await server.state();
    await server.stop();

    expect(answers).toEqual(new Array(CLIENTS).fill('HTTP/1.1 200'));
    expect(served).toBe(CLIENTS);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(50);
  });
});
