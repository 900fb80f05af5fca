import { rateLimit } from 'express-rate-limit';
import { RedisStore, type RedisReply } from 'rate-limit-redis';
import { CLIENT_HEADER, type HttpServer, type HttpSetting } from '../http-contestant.js';
import { serveExpress } from './app.js';

export function listen({ store, limit, window, connect, identity }: HttpSetting): Promise<HttpServer> {
  return serveExpress(
    rateLimit({
      windowMs: window,
      limit,
      ...(identity === 'header' && { keyGenerator: (request) => request.get(CLIENT_HEADER)! }),
      ...(store === 'redis' ? { store: redisStoreOn(connect) } : {}),
    }),
  );
}

function redisStoreOn(connect: HttpSetting['connect']): RedisStore {
  const client = connect();
  return new RedisStore({
    sendCommand: (command: string, ...args: string[]) => client.call(command, ...args) as Promise<RedisReply>,
  });
}
