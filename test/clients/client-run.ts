import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { rateLimit } from '@sluice/express';
import express from 'express';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';

/** What a client reports: two requests to a limit of one, and a third that can never fit its limit. */
export interface Report {
  readonly statuses: readonly number[];
  /** Milliseconds that it waited, measured by itself. */
  readonly waits: readonly number[];
  /** The status of the third request. */
  readonly never: number | undefined;
}

export interface ClientRun {
  readonly report: Report;
  /** The answers of the server, in order. */
  readonly answers: readonly {
    readonly path: string;
    readonly status: number;
    readonly retryAfter: number | undefined;
  }[];
}

/** Runs a client, in its own process, against a server that allows one request in two seconds. */
export async function runClient(name: string): Promise<ClientRun> {
  const answers: ClientRun['answers'][number][] = [];
  const app = express();
  app.use(({ path }, response, next) => {
    response.once('finish', () => {
      const retryAfter = response.getHeader('retry-after');
      answers.push({
        path,
        status: response.statusCode,
        retryAfter: retryAfter === undefined ? undefined : Number(retryAfter),
      });
    });
    next();
  });
  const tier = { algorithm: 'fixed-window', limit: 1, window: '2s' } as const;
  app.get('/limited', rateLimit(tier), (_request, response) => void response.json({}));
  app.get('/never', rateLimit({ ...tier, cost: () => 2 }), (_request, response) => void response.json({}));

  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const script = join(root, 'test', 'clients', `${name}.mjs`);
    const { stdout } = await execute(process.execPath, [script, `http://127.0.0.1:${port}`]);
    return { report: JSON.parse(stdout) as Report, answers };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
