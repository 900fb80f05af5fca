import { spawn } from '../support/child.js';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../../scripts/root.mjs';
import { withRedis } from '../support/redis-store.js';
import { post } from '../server/with-server.js';

describe('examples/one-limit', () => {
  const redis = withRedis();

  it('admits the limit once, whether a client asks the API or the service', async () => {
    const env = { ...process.env, PORT: '0', REDIS_URL: redis.server.url, DEADLINE: '10s' };
    const program = join(root, 'examples', 'one-limit', 'main.js');
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    const ports: number[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const [, port] = /(?:localhost|127\.0\.0\.1):(\d+)/.exec(line) ?? [];
      if (port !== undefined) ports.push(Number(port));
      if (ports.length === 2) break;
    }
    const [api, service] = ports as [number, number];
    const check = { limiter: 'api', request: { ip: '127.0.0.1' } };
    const ask = async (number: number) =>
      number % 2 === 0
        ? (await fetch(`http://127.0.0.1:${api}/`)).status
        : (await post(service, '/check', check)).status;

    const statuses = await Promise.all(Array.from({ length: 60 }, (_, number) => ask(number)));
    child.kill('SIGTERM');

    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(await ended).toEqual([0, null]);
  });
});
