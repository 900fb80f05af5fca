import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peerOf } from './peer-address.js';

interface Connected {
  readonly client: Socket;
  readonly socket: Socket;
}

/** What is known of a client at a server, right after something has happened to its connection. */
async function peerAfter(happens: (connected: Connected) => void, path?: string): Promise<string | undefined> {
  const server = createServer();
  if (path === undefined) server.listen(0, '127.0.0.1');
  else server.listen(path);
  await once(server, 'listening');
  const client = path === undefined ? connect((server.address() as AddressInfo).port, '127.0.0.1') : connect(path);
  const [socket] = (await once(server, 'connection')) as [Socket];
  happens({ client, socket });
  const peer = peerOf({ socket });
  client.destroy();
  socket.destroy();
  server.close();
  await once(server, 'close');
  return peer;
}

describe('peerOf', () => {
  let folder = '';
  let path = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-socket-'));
    path = join(folder, 'socket');
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('is the address at the other end of a TCP connection, and a name for a Unix socket', async () => {
    expect(await peerAfter(() => {})).toBe('127.0.0.1');
    expect(await peerAfter(() => {}, path)).toBe('unix');
  });

  it.each<[string, (connected: Connected) => void]>([
    ['its client has reset', ({ client }) => client.resetAndDestroy()],
    ['the server has closed', ({ socket }) => socket.destroy()],
    ['the server has reset', ({ socket }) => socket.resetAndDestroy()],
  ])('is not that of a Unix socket on a TCP connection which %s', async (_name, happens) => {
    expect(await peerAfter(happens)).not.toBe('unix');
  });

  it('is what a server of web-standard requests says', () => {
    expect(peerOf({ peer: '203.0.113.7' })).toBe('203.0.113.7');
    expect(peerOf({})).toBeUndefined();
  });
});
