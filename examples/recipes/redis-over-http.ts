// Redis over HTTP, for an edge runtime without sockets: `clientOf` takes any function that sends a command.
//
// - Written for webdis. For Upstash send `JSON.stringify(command)`, with `Authorization: Bearer <token>`, and read
//   `result` and `error` of the answer. An error has the status 400 there: read it before `response.ok`.
// - The store decides in Redis as ever, so all regions and processes share one count. The deadline has to include HTTP.
// - An aborted command may have been counted. It is never sent again.
// - Let nothing but your servers reach webdis: it runs each command of each caller.

import { createWebGate } from '@sluice/http';
import { clientOf, redisStore } from '@sluice/redis';

/** A dot would begin a file type in the last argument, and a slash begins the next argument. */
const encoded = (argument: string) => encodeURIComponent(argument).replaceAll('.', '%2E');

/** @param deadline how long a request waits for Redis, in milliseconds */
export function createGate(url: string, deadline = 500) {
  const client = clientOf({
    async send(command) {
      const [name = ''] = command;
      const body = command.map(encoded).join('/');
      const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(4 * deadline) });
      if (!response.ok) throw new Error(`webdis answered ${response.status}`);
      const { [name]: reply } = (await response.json()) as Record<string, unknown>;
      // [false, 'NOSCRIPT …'] is an error of Redis. The store needs its text.
      if (Array.isArray(reply) && reply[0] === false) throw new Error(String(reply[1]));
      return reply;
    },
  });
  const store = redisStore(client, { deadline });
  return { store, gate: createWebGate({ store, name: 'edge', limit: 5, window: '1m' }) };
}
