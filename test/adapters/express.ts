import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rateLimit, type RateLimitOptions } from '@sluice/express';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Express } from './express/frameworks.js';
import { served, type Adapter, type Definition, type Limit, type Route } from './adapter.js';

/** Limits are middleware of the app and of its routes. */
export function expressAdapter(name: string, express: Express): Adapter {
  return {
    name,
    countsUnknownPaths: true,
    async start({ store, behindProxy = true, everywhere, routes }) {
      const app = express();
      const errors: unknown[] = [];
      app.set('trust proxy', behindProxy ? 'loopback' : false);
      if (everywhere) app.use(limitOf(everywhere, store));
      for (const route of routes) {
        const method = (route.method ?? 'GET').toLowerCase() as 'get' | 'post' | 'options';
        app[method](route.path, ...handlersOf(route, store));
      }
      app.use(((error, _request, _response, next) => {
        errors.push(error);
        next(error);
      }) satisfies ErrorRequestHandler);

      const server = createServer(app).listen(0, '127.0.0.1');
      await once(server, 'listening');
      return {
        port: (server.address() as AddressInfo).port,
        errors,
        async close() {
          server.close();
          server.closeAllConnections();
          await once(server, 'close');
        },
      };
    },
  };
}

function handlersOf(
  { limits = [], claims, authenticated = [], handle = served }: Route,
  store: Definition['store'],
): RequestHandler[] {
  // Where express-jwt leaves them.
  const verify: RequestHandler = (request, _response, next) => {
    Object.assign(request, { auth: claims?.(request) });
    next();
  };
  const answer: RequestHandler = (request, response, next) => {
    const reply = async () => handle({ request, decision: request.rateLimit });
    reply().then(({ status, text }) => response.status(status).send(text), next);
  };
  const limiting = (each: readonly Limit[]) => each.map((limit) => limitOf(limit, store));
  return [...limiting(limits), ...(claims ? [verify] : []), ...limiting(authenticated), answer];
}

function limitOf(limit: Limit, store: Definition['store']): RequestHandler {
  return rateLimit((limit.limiter ? limit : { store, ...limit }) as RateLimitOptions);
}
