import { request } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rateLimit } from '@sluice/express';
import express from 'express';
import { page, sectionOf } from '../docs/pages.js';
import { closeServer } from '../support/site.js';
import { startNginx } from './nginx-server.js';

/** The directive of the guide. */
const [directive = ''] = /^ *proxy_set_header .+;$/m.exec(sectionOf(page('docs/guide/proxies.md').text, 'nginx')) ?? [];

/** Sends a request with a forged address. Resolves with what its client has left. */
function leftOf(port: number, client: string, claimed: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': claimed };
    request({ host: '127.0.0.1', port, localAddress: client, headers }, (response) => {
      response.resume();
      resolve(Number(response.headers['x-ratelimit-remaining']));
    })
      .on('error', reject)
      .end();
  });
}

describe('docs/guide/proxies.md, with a real nginx', () => {
  let server: Server;

  beforeEach(async () => {
    jest.spyOn(process, 'emitWarning').mockImplementation();
    const app = express();
    // The clients of this test are on this machine too: 'loopback' would trust them.
    app.set('trust proxy', '127.0.0.1');
    app.use(rateLimit({ limit: 100, window: '1m' }));
    server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
  });

  afterEach(async () => {
    await closeServer(server);
    jest.restoreAllMocks();
  });

  it.each([
    ['the directive of the guide', directive, [99, 98, 99, 98]],
    ['$remote_addr', 'proxy_set_header X-Forwarded-For $remote_addr;', [99, 98, 99, 98]],
    ['no address, so all clients are one', 'proxy_set_header X-Forwarded-For "";', [99, 98, 97, 96]],
    ['what the client has sent, so each forged header is a limit', '', [99, 99, 99, 99]],
  ])('tells the app %s', async (_, directives, expected) => {
    const nginx = await startNginx((server.address() as AddressInfo).port, { directives });
    const left = [
      await leftOf(nginx.port, '127.0.0.2', '203.0.113.1'),
      await leftOf(nginx.port, '127.0.0.2', '203.0.113.2'),
      await leftOf(nginx.port, '127.0.0.3', '203.0.113.3'),
      await leftOf(nginx.port, '127.0.0.3', '203.0.113.4'),
    ];
    await nginx.stop();

    expect(left).toEqual(expected);
  });
});
