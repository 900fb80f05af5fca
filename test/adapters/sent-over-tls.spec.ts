import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request, createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGate } from '@sluice/http';
import { sentTimes } from '@sluice/overload';
import { makeAuthority, whyNotSigned } from '../security/redis/certificates.js';
import { manualShedder } from '../support/manual-loop.js';
import { closeServer, listen } from '../support/site.js';

const loopback = ['loopback'];

(whyNotSigned() === undefined ? describe : describe.skip)(
  'A shedder that reads when a proxy has sent a request',
  () => {
    let folder = '';
    let key = '';
    let cert = '';

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sluice-sent-'));
      const paths = await (await makeAuthority(folder, 'proxies')).sign('127.0.0.1');
      [key, cert] = [await readFile(paths.key, 'utf8'), await readFile(paths.cert, 'utf8')];
    });

    afterAll(() => rm(folder, { recursive: true }));

    /** What a request gets that has waited for 900 ms by its time, between two that have not waited. */
    async function statusesOf(from: 'unix' | readonly string[], socketPath?: string): Promise<readonly number[]> {
      const { shed, loop } = manualShedder<IncomingMessage>({
        features: [sentTimes({ header: 'x-request-start', from })],
      });
      const gate = createGate<IncomingMessage>({ limit: 100, window: '1h', key: () => 'all', shed });
      const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
        const admission = await gate.admit(incoming, response);
        response.statusCode = admission.state === 'denied' ? admission.problem.status : 200;
        response.end();
      };
      const server = createServer({ key, cert }, (...exchange) => void answer(...exchange));
      const address = await listen(server, socketPath);
      const send = async (age: number) => {
        const headers = { 'x-request-start': String(1_700_000_000_000 + loop.now() - age) };
        const asking = request({ ...address, headers, agent: false, rejectUnauthorized: false }).end();
        const [reply] = (await once(asking, 'response')) as [IncomingMessage];
        reply.resume();
        return reply.statusCode ?? 0;
      };
      await send(0);
      while (shed.level === 0) loop.tick(100);
      const statuses = [await send(0), await send(900), await send(0)];
      await closeServer(server);
      return statuses;
    }

    it('believes a proxy of a network over TLS, and nobody else', async () => {
      expect(await statusesOf(loopback)).toEqual([200, 503, 200]);
      expect(await statusesOf(['203.0.113.0/24'])).toEqual([200, 200, 200]);
      expect(await statusesOf('unix')).toEqual([200, 200, 200]);
    });

    it('believes each peer of a Unix socket over TLS, where the proxy uses one', async () => {
      expect(await statusesOf('unix', join(folder, 'one'))).toEqual([200, 503, 200]);
      expect(await statusesOf(loopback, join(folder, 'two'))).toEqual([200, 200, 200]);
    });
  },
);
