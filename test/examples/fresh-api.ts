import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { root } from '../../scripts/root.mjs';
import { startRedis, type RedisServer } from '../support/redis.js';
import { Api } from './api.js';
import type { Place } from './examples.js';

export interface FreshApis {
  /** An example of its own, in which nothing is counted yet. Those in Redis share what they count. */
  open(example: string, place: Place): Promise<Api>;
  /** Gives each test of a `describe` one that is fresh. */
  each(example: string, place: Place): () => Api;
}

/** Begins examples for tests. Call it where tests are described. */
export function freshApis(): FreshApis {
  let server: RedisServer;
  let client: Redis;
  let apps: ChildProcess;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.port);
    // Node's own options are meant for this process.
    apps = fork(join(root, 'test', 'examples', 'apps.mjs'), { execArgv: [] });
  });

  beforeEach(() => client.flushall());

  afterAll(async () => {
    apps.disconnect();
    await once(apps, 'exit');
    client.disconnect();
    await server.stop();
  });

  const open = async (example: string, place: Place) => {
    const answered = once(apps, 'message') as Promise<[{ port: number } | { error: string }]>;
    apps.send({ example, ...(place === 'Redis' && { redisUrl: server.url }) });
    const [answer] = await answered;
    if ('error' in answer) throw new Error(`${example}: ${answer.error}`);
    return new Api({ url: `http://127.0.0.1:${answer.port}` });
  };
  return {
    open,
    each(example, place) {
      let api: Api;

      beforeEach(async () => {
        api = await open(example, place);
      });

      return () => api;
    },
  };
}
