import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Redis } from 'ioredis';
import { closeServer, listen } from '../../support/site.js';

/** Redis over HTTP, in the format of webdis 0.1.9: arguments by slashes, and no array in an array. */
export async function startHttpFront(redisUrl: string) {
  const redis = new Redis(redisUrl);
  let commands = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    commands += 1;
    const [name = '', ...rest] = (await text(request)).split('/').map(decodeURIComponent);
    const reply = await redis.call(name, ...rest).catch((error: Error) => [false, error.message]);
    const flat = Array.isArray(reply) ? reply.map((each: unknown) => (Array.isArray(each) ? null : each)) : reply;
    response.end(JSON.stringify({ [name]: flat }));
  };
  const server = createServer((request, response) => void answer(request, response));
  const { port } = (await listen(server)) as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => commands,
    async close() {
      await closeServer(server);
      redis.disconnect();
    },
  };
}
