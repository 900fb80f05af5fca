import { rateLimit } from 'express-rate-limit';
import type { RedisReply, RedisStore } from 'rate-limit-redis';
import { CLIENT_HEADER, type HttpServer, type HttpSetting } from '../http-contestant.js';
import { serveExpress } from './app.js';

export async function listen({ store, limit, window, connect, identity }: HttpSetting): Promise<HttpServer> {
  return serveExpress(
    rateLimit({
      windowMs: window,
      limit,
      ...(identity === 'header' && { keyGenerator: (request) => request.get(CLIENT_HEADER)! }),
      ...(store === 'redis' && { store: await redisStoreOn(connect) }),
    }),
  );
}

async function redisStoreOn(connect: HttpSetting['connect']): Promise<RedisStore> {
  const { RedisStore: Store } = await import('rate-limit-redis');
  const client = connect();
  return new Store({
    sendCommand: (command: string, ...args: string[]) => client.call(command, ...args) as Promise<RedisReply>,
  });
}
