import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rateLimit, type RateLimitHandler, type RateLimitOptions } from '@sluice/express';
import type express from 'express';
import type { RequestHandler } from 'express';
import { ask, type RawRequest } from './raw-request.js';

/** More than any test asks for. */
export const LIMIT = 100_000;

export interface SiteOptions {
  readonly limiter: RateLimitOptions;
  /** The setting `trust proxy`. */
  readonly trust?: boolean | number | string | undefined;
  /** What stands before the limiter. */
  readonly before?: readonly RequestHandler[] | undefined;
  /** What stands behind it, before the answer. */
  readonly behind?: readonly RequestHandler[] | undefined;
}

/** A server with a limiter in front. */
export interface Site {
  readonly port: number;
  readonly gate: RateLimitHandler;
  /** What the error handler was given. */
  readonly errors: readonly unknown[];
  /** Requests that were let through. */
  readonly served: number;
  /**
   * Sends requests one after the other. Resolves with what the bucket of each has spent then, or with the status of a
   * request that was not let through.
   */
  spending(requests: readonly RawRequest[]): Promise<number[]>;
  /** Units that the bucket of an address has spent; of what is no address, that of all whose address cannot be read. */
  spentBy(ip: string): Promise<number>;
  close(): Promise<void>;
}

export async function openSite(
  make: typeof express,
  { limiter, trust = false, before = [], behind = [] }: SiteOptions,
): Promise<Site> {
  const app = make();
  const gate = rateLimit(limiter);
  const errors: unknown[] = [];
  let served = 0;
  app.set('trust proxy', trust);
  app.use(...before, gate, ...behind, ((_request, response) => {
    served += 1;
    response.send('served');
  }) satisfies RequestHandler);
  app.use(((error, _request, response, _next) => {
    errors.push(error);
    response.status(500).end();
  }) satisfies express.ErrorRequestHandler);

  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    gate,
    errors,
    get served() {
      return served;
    },
    async spending(requests) {
      const spent: number[] = [];
      for (const request of requests) {
        const answer = await ask(port, request);
        spent.push(answer.status === 200 ? answer.spent : answer.status);
      }
      return spent;
    },
    async spentBy(ip) {
      const [inspection] = await gate.limiter.inspect({ ip });
      return inspection!.outcome.limit - inspection!.outcome.remaining;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
