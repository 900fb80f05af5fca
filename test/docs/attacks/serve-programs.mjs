import { once } from 'node:events';
import { createServer } from 'node:http';
import { register } from 'node:module';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { serve as serveFetch } from '@hono/node-server';
import { sources } from '../sources.js';

/** @import { RequestListener, Server } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */
/** @import { Limiter } from '@sluice/core' */

// Serves programs of the pages in one process, which is faster than a process for each.

const files = Object.entries(sources).map(([name, { module }]) => [name, pathToFileURL(module).href]);
register('../package-hooks.mjs', import.meta.url, { data: Object.fromEntries(files) });

// Programs print what they have decided.
console.log = () => undefined;

process.on('message', (/** @type {string} */ path) => {
  const served = open(path).then(
    (port) => ({ port }),
    (error) => ({ error: String(error?.stack ?? error) }),
  );
  void served.then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
process.send?.('started');

/** @param {string} path */
async function open(path) {
  const { served } = await import(pathToFileURL(path).href);
  const server = await serve(served);
  if (!server.listening) await once(server, 'listening');
  return /** @type {AddressInfo} */ (server.address()).port;
}

/**
 * Starts what a program has made: an application of a framework, a listener of Node, or a limiter.
 *
 * @param {any} served
 * @returns {Promise<Server>}
 */
async function serve(served) {
  const place = { port: 0, host: '127.0.0.1' };
  // Nest answers any name.
  if (typeof served === 'function') return createServer(served).listen(place);
  if ('getHttpAdapter' in served) {
    await served.listen(0, '127.0.0.1');
    return served.getHttpServer();
  }
  if ('inject' in served) {
    await served.listen(place);
    return served.server;
  }
  if ('callback' in served) return createServer(served.callback()).listen(place);
  if ('consume' in served) return createServer(consuming(served)).listen(place);
  if ('fetch' in served)
    return /** @type {Server} */ (serveFetch({ fetch: served.fetch, port: 0, hostname: place.host }));
  return served.listen(place);
}

/**
 * Counts the subject in the body of each request.
 *
 * @param {Limiter<unknown>} limiter
 * @returns {RequestListener}
 */
function consuming(limiter) {
  return (request, response) => void decide(request, response);

  /** @type {(...exchange: Parameters<RequestListener>) => Promise<void>} */
  async function decide(request, response) {
    try {
      const { allowed, deniedBy, binding } = await limiter.consume(await json(request));
      const headers = { 'x-ratelimit-remaining': String(binding?.remaining) };
      response.writeHead(allowed ? 200 : 429, headers).end(JSON.stringify(deniedBy));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }
}
