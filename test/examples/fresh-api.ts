import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { root } from '../../scripts/root.mjs';
import { fork } from '../support/child.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { Api } from './api.js';
import type { Place } from './examples.js';

export interface FreshApis {
  /** Starts an example without any counts. Examples with Redis share their counts. */
  open(example: string, place: Place): Promise<Api>;
  /** Starts an example for each test of a `describe`. */
  each(example: string, place: Place): () => Api;
}

/** Starts examples in one process. Call it inside `describe` or at the top of a spec. */
export function freshApis(): FreshApis {
  let server: RedisServer;
  let client: Redis;
  let child: ChildProcess;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.port);
    // Without the options of this process, which are for jest.
    child = fork(join(root, 'test', 'examples', 'serve-examples.mjs'), { execArgv: [] });
  });

  beforeEach(() => client.flushall());

  afterAll(async () => {
    child.disconnect();
    await once(child, 'exit');
    client.disconnect();
    await server.stop();
  });

  const open = async (example: string, place: Place) => {
    const answered = once(child, 'message') as Promise<[{ port: number } | { error: string }]>;
    child.send({ example, ...(place === 'Redis' && { redisUrl: server.url }) });
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
