import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { holdPermits, rateLimit, type RateLimitOptions } from '@sluice/express';
import express5, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { closeServer, listen } from '../../support/site.js';
import { served, type Definition, type Limit, type Route, type Stack } from '../stack.js';

/** Makes an app: `express()`. */
export type Express = typeof express5;

/** The supported versions, for `describe.each`. */
export const versions: readonly [name: string, express: Express][] = [
  ['Express 5', express5],
  // Its types are those of another package; the calls of the tests are the same.
  ['Express 4', createRequire(import.meta.url)('express-4') as Express],
];

/** Limits are middleware of the app and of its routes. */
export const [expressFive, expressFour] = versions.map(([name, express]) => expressStack(name, express)) as [
  Stack,
  Stack,
];

function expressStack(name: string, express: Express): Stack {
  return {
    name,
    countsUnknownPaths: true,
    async start({ store, behindProxy = true, socketPath, everywhere, routes }) {
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

      const server = createServer(app);
      return { address: await listen(server, socketPath), errors, close: () => closeServer(server) };
    },
  };
}

function handlersOf(
  { limits = [], claims, authenticated = [], handle = served }: Route,
  store: Definition['store'],
): RequestHandler[] {
  // Where express-jwt puts them.
  const verify: RequestHandler = (request, _response, next) => {
    Object.assign(request, { auth: claims?.(request) });
    next();
  };
  const answer: RequestHandler = holdPermits(async (request, response) => {
    const { status, text } = await handle({ request, decision: request.rateLimit });
    response.status(status).send(text);
  });
  const limiting = (each: readonly Limit[]) => each.map((limit) => limitOf(limit, store));
  return [...limiting(limits), ...(claims ? [verify] : []), ...limiting(authenticated), answer];
}

function limitOf(limit: Limit, store: Definition['store']): RequestHandler {
  return rateLimit((limit.limiter ? limit : { store, ...limit }) as RateLimitOptions);
}
