// operations/ serves what operators read: metrics, health and the dashboard, on a port of its own. Requests of HTTP enter.
// It
// imports access.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listening } from '../access/listening.js';
import type { Registry } from 'prom-client';
import type { FleetDashboard } from './fleet-dashboard.js';

export interface OperationsContext {
  readonly registry: Registry;
  readonly dashboard: FleetDashboard | undefined;
  /** Whether the service takes requests, and what is wrong with its policies. */
  readonly health: () => { readonly isServing: boolean; readonly policies: object };
}

const TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 128;

/** The port for operators. Do not show it to clients. */
export class OperationsPort {
  readonly #context: OperationsContext;
  readonly #server: Server;

  constructor(context: OperationsContext) {
    this.#context = context;
    const options = { headersTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS };
    this.#server = createServer(options, (request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** @returns the port that was taken */
  listen(port: number, host: string): Promise<number> {
    return listening(this.#server, port, host);
  }

  async close(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await ended;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { registry, dashboard, health } = this.#context;
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    if (dashboard?.admits !== undefined && /^\/dashboard(\/|$)/.test(path)) {
      if (!dashboard.admits(request)) {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="sluice", charset="UTF-8"' }).end();
        return;
      }
      // As a router does that has mounted it: the dashboard makes its links of `originalUrl`.
      const original = request.url!;
      Object.assign(request, { originalUrl: original, url: original.slice('/dashboard'.length) || '/' });
      dashboard.dashboard.handle(request, response);
      return;
    }
    if (path === '/metrics') {
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    } else if (path === '/healthz') response.writeHead(200, { 'content-type': 'text/plain' }).end('ok\n');
    else if (path === '/readyz') {
      const { isServing, policies } = health();
      response
        .writeHead(isServing ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        .end(JSON.stringify({ status: isServing ? 'SERVING' : 'NOT_SERVING', policies }));
    } else {
      const known = ['/metrics', '/healthz', '/readyz', ...(dashboard?.admits === undefined ? [] : ['/dashboard/'])];
      response.writeHead(404, { 'content-type': 'text/plain' }).end(`known are ${known.join(', ')}\n`);
    }
  }
}
