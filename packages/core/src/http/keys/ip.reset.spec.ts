import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';

import { createGate, type Gate } from '../gate/gate.js';
import type { HttpRequest } from '../request.js';
import { byApiKey } from './api-key.js';
import { byIp } from './ip.js';

// Some of these clients are nobody, and one presents a key that nobody has verified.
jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);

const tiers = [
  { name: 'address', limit: 2, window: '1m', algorithm: 'fixed-window' },
  { name: 'key', key: byApiKey(), limit: 2, window: '1m', algorithm: 'fixed-window' },
] as const;

describe('what an operator names', () => {
  const open: Server[] = [];
  const answers: Promise<void>[] = [];

  afterEach(async () => {
    await Promise.all(open.splice(0).map(async (server) => server[Symbol.asyncDispose]()));
  });

  it.each(['1.2.3.4', '::ffff:1.2.3.4', '::ffff:102:304', '1.2.3.4:51234'])(
    'C46: is the budget of requests from 1.2.3.4 when it is spelt %s',
    async (ip) => {
      const gate = createGate<HttpRequest>({ tiers });
      const port = await serve(gate, () => ({ ip: '::ffff:1.2.3.4', headers: {} }));
      const before = [await status(port), await status(port), await status(port)];

      const used = await gate.limiter.inspect({ ip });
      await gate.limiter.reset({ ip });

      expect(before).toEqual([200, 200, 429]);
      expect(used.map(({ outcome }) => outcome.remaining)).toEqual([0, 0]);
      expect([await status(port), await status(port), await status(port)]).toEqual([200, 200, 429]);
    },
  );

  it('is nobody else', async () => {
    const gate = createGate<HttpRequest>({ tiers });
    const port = await serve(gate, () => ({ ip: '1.2.3.4', headers: {} }));
    await Promise.all([status(port), status(port)]);

    await gate.limiter.reset({ ip: '1.2.3.5' });

    expect(await status(port)).toBe(429);
  });

  it.each(['2001:db8:0:1::9', '2001:DB8:0:1:ffff::', '2001:db8:0:1::1.2.3.4'])(
    'C47: is the network when it is an IPv6 address such as %s',
    async (ip) => {
      const gate = createGate<HttpRequest>({ limit: 1, window: '1m' });
      const port = await serve(gate, () => ({ ip: '2001:db8:0:1::1', headers: {} }));
      const before = [await status(port), await status(port)];

      await gate.limiter.reset({ ip });

      expect([...before, await status(port)]).toEqual([200, 429, 200]);
    },
  );

  it.each(['127.0.0.1', '::', undefined])(
    "is the peer of Node's own requests, to a server that listens at %s",
    async (host) => {
      const gate = createGate<IncomingMessage>({ limit: 1, window: '1m', key: byIp() });
      const port = await serve(gate, (request) => request, host);
      const before = [await status(port), await status(port)];

      await gate.limiter.reset({ ip: '127.0.0.1' } as Partial<IncomingMessage>);

      expect([...before, await status(port)]).toEqual([200, 429, 200]);
    },
  );

  it('is the key that a request has presented', async () => {
    const gate = createGate<HttpRequest>({ tiers: [tiers[1]] });
    const port = await serve(gate, () => ({ ip: '1.2.3.4', headers: { 'x-api-key': 'k-1' } }));
    const before = [await status(port), await status(port), await status(port)];

    await gate.limiter.reset({ ip: '1.2.3.4' });
    const otherwise = await status(port);
    await gate.limiter.reset({ headers: { 'x-api-key': 'k-1' } });

    expect([...before, otherwise, await status(port)]).toEqual([200, 200, 429, 429, 200]);
  });

  it('C49: is the address at entry, of a client that has left before it is counted', async () => {
    let left = (): void => {};
    const gone = new Promise<void>((resolve) => (left = resolve));
    const gate = createGate<IncomingMessage>({
      limit: 5,
      window: '1m',
      key: async (request) => gone.then(() => byIp()(request)),
    });
    const port = await serve(gate, (request) => {
      request.socket.once('close', left);
      return request;
    });

    const client = connect(port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n', () => client.destroy());
    await gone;
    await Promise.all(answers.splice(0));
    const [address, nobody] = await Promise.all([
      gate.limiter.inspect({ ip: '127.0.0.1' } as Partial<IncomingMessage>),
      gate.limiter.inspect({ ip: undefined } as Partial<IncomingMessage>),
    ]);

    expect([address, nobody].map(([inspected]) => inspected!.outcome.remaining)).toEqual([4, 5]);
  });

  async function serve<S extends HttpRequest>(
    gate: Gate<S>,
    requestOf: (request: IncomingMessage) => S,
    host: string | undefined = '127.0.0.1',
  ): Promise<number> {
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const admission = await gate.admit(requestOf(request), response);
      response.statusCode = admission.state === 'denied' ? admission.problem.status : 200;
      response.end();
    };
    const server = createServer((request, response) => void answers.push(answer(request, response)));
    open.push(server);
    await once(server.listen(0, host), 'listening');
    return (server.address() as AddressInfo).port;
  }
});

async function status(port: number): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}/`)).status;
}
