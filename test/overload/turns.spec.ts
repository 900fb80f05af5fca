import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

// https://github.com/libuv/libuv/pull/3696. If a version of Node accepts all again, the door of the shedder holds nothing, and
// docs/guide/overload.md and the default of `sluice simulate --shed` are wrong.
describe('a turn of the event loop of Node', () => {
  it('accepts one connection, however many wait in the kernel', async () => {
    const server = createServer((socket) => socket.destroy());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    let [inTurn, accepted] = [0, 0];
    server.on('connection', () => (inTurn += 1));
    const clients = Array.from({ length: 40 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    const turns: number[] = [];
    for (; accepted < clients.length; inTurn = 0) {
      await new Promise((resolve) => setImmediate(resolve));
      if (inTurn > 0) turns.push(inTurn);
      accepted += inTurn;
    }
    for (const client of clients) client.destroy();
    server.close();

    expect(turns).toEqual(new Array(40).fill(1));
  });
});
