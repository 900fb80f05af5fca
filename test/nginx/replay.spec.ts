import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { byIp, memoryStore, rateLimit } from '@sluice/express';
import express from 'express';
import { documentOf, sluice } from '../cli/sluice.js';
import { openListener } from '../support/site.js';
import { startNginx } from './nginx-server.js';

const BURST = { limit: 10, window: 10_000 };
const EXACT = '$msec $request_time $remote_addr "$request" $status';

/** Of Linux: all of 127.0.0.0/8 is this machine. */
const ADDRESSES = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 2}`);

/**
 * When a client sends requests, in milliseconds, and how many: a burst, pairs of which the bucket has one, and a burst
 * when the hour is spent. The bucket has another unit each second, 400 ms and more from any request.
 */
const SCHEDULE = [
  [0, 14],
  [1_500, 1],
  [1_600, 1],
  [2_500, 1],
  [2_600, 1],
  [3_500, 1],
  [3_600, 9],
] as const;
const REQUESTS = SCHEDULE.reduce((sum, [, count]) => sum + count, 0);

interface Replayed {
  readonly requests: number;
  readonly refused: number;
  readonly refusedAndAdmitted: number;
  readonly wholeSeconds: boolean;
  readonly candidate: { readonly denied: number; readonly spreadDenied?: number; readonly identities: number };
}

/** Sends the requests of one client, one after the other. */
async function runClient(port: number, localAddress: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const start = performance.now();
  const statuses: number[] = [];
  for (const [time, count] of SCHEDULE) {
    await delay(Math.max(0, start + time - performance.now()));
    for (let sent = 0; sent < count; sent += 1) {
      const request = get({ host: '127.0.0.1', port, localAddress, agent, path: `/${time}` });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      statuses.push(response.statusCode!);
    }
  }
  agent.destroy();
  return statuses;
}

describe('sluice replay of a log of nginx', () => {
  it('denies what the limiter behind nginx has denied', async () => {
    const app = express().set('trust proxy', 1);
    // On a busy machine a request waits between nginx and the limiter, so the limiter decides by the time of nginx.
    let time = Date.now();
    app.use(({ headers }, _response, next) => {
      time = Number(headers['x-time']) * 1e3;
      next();
    });
    const store = memoryStore({ clock: () => time });
    const tiers = [
      { name: 'burst', algorithm: 'token-bucket', limit: BURST.limit, window: `${BURST.window}ms` },
      { name: 'hour', algorithm: 'fixed-window', limit: 12, window: '1h' },
    ] as const;
    app.use(rateLimit({ store, tiers: tiers.map((tier) => ({ ...tier, key: byIp() })) }));
    app.use((_request, response) => void response.send('ok'));
    const site = await openListener(app);
    const nginx = await startNginx(site.port, {
      formats: { exact: EXACT, combined: '' },
      directives: 'proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Time $msec;',
    });
    const running = ADDRESSES.map(async (address, index) => {
      // Out of step, so that requests of several clients are in flight.
      await delay(index * 37);
      return runClient(nginx.port, address);
    });
    const statuses = (await Promise.all(running)).flat();
    const total = REQUESTS * ADDRESSES.length;
    const [exact, combined] = [await nginx.log('exact', total), await nginx.log('combined', total)];
    const limits = ['--limits', '10/10s token-bucket', '--limits', '12/1h fixed-window'];
    const [precise, whole] = await Promise.all([
      sluice(['replay', exact, '--format', EXACT, ...limits, '--json']),
      sluice(['replay', combined, ...limits, '--json']),
    ]);
    await nginx.stop();
    await site.close();
    const denied = statuses.filter((status) => status === 429).length;
    const byExact = documentOf(precise) as unknown as Replayed;
    const byWhole = documentOf(whole) as unknown as Replayed;

    expect(statuses.length).toBe(total);
    expect(denied).toBeGreaterThan(total / 4);
    // As many, and none of the others: the same requests.
    expect(byExact).toMatchObject({ requests: total, refused: denied, refusedAndAdmitted: 0, wholeSeconds: false });
    expect(byExact.candidate).toEqual(expect.objectContaining({ denied, identities: ADDRESSES.length }));
    expect(byExact.candidate.spreadDenied).toBeUndefined();

    // The bound of docs/guide/operate.md: two seconds at the rate, and one, for each time at the limit.
    const bound = ADDRESSES.length * ((2_000 * BURST.limit) / BURST.window + 1);
    expect(byWhole).toMatchObject({ requests: total, refused: denied, wholeSeconds: true });
    expect(Math.abs(byWhole.candidate.denied - denied)).toBeLessThanOrEqual(bound);
    expect(Math.abs(byWhole.candidate.spreadDenied! - denied)).toBeLessThanOrEqual(bound);
  });
});
