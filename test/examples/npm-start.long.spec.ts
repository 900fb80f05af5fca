import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { spawnGroup } from '../support/child.js';
import { withRedis } from '../support/redis-store.js';

const folder = join(root, 'examples');
const packages = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'package.json')));

function scriptsOf(name: string): Readonly<Record<string, string>> {
  const { scripts = {} } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as {
    scripts?: Record<string, string>;
  };
  return scripts;
}

/** What a client sends to each example: a path, and what belongs to its request. */
const REQUESTS: Readonly<Record<string, readonly [path: string, request?: RequestInit]>> = {
  'agents-one-key': ['/tasks', { method: 'POST', headers: { authorization: 'Bearer demo-token-0' } }],
  decorators: ['/notes'],
  'express-api': ['/'],
  'fastify-api': ['/'],
  'hono-api': ['/search'],
  'llm-proxy': [
    '/v1/chat/completions',
    {
      method: 'POST',
      headers: { authorization: 'Bearer ada', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'fake', stream: true, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }),
    },
  ],
  'metered-api': ['/words/5', { headers: { 'x-api-key': 'free-key' } }],
  'nest-api': ['/'],
  'one-limit': ['/'],
  policies: ['/'],
};

/** Stores and texts that other programs import, recipes of one file each, and what needs a Postgres: they have specs of their own. */
const WITHOUT_START = ['overload-api', 'postgres-store', 'recipes', 'shared', 'sqlite-store'];

/** Runs `npm start` in the folder of an example, as its reader does, with the Node of this process. */
async function start(name: string, redisUrl: string) {
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;
  const child = spawnGroup('npm', ['start'], {
    cwd: join(folder, name),
    env: { ...process.env, PATH: path, PORT: '0', REDIS_URL: redisUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const closed = once(child, 'close').then(() => true);
  for (;;) {
    const [, port] = /(?:localhost:|port )(\d+)/.exec(output) ?? [];
    if (port !== undefined) return { url: `http://localhost:${port}`, child, closed };
    const more = once(child.stdout!, 'data').then(() => false);
    if (await Promise.race([more, closed])) throw new Error(`npm start of ${name} has ended:\n${output}`);
  }
}

describe('An example', () => {
  const redis = withRedis();

  it('has a start script, unless other programs import it', () => {
    const startable = packages.filter((name) => 'start' in scriptsOf(name));

    expect(startable).toEqual(Object.keys(REQUESTS));
    expect(packages.filter((name) => !startable.includes(name))).toEqual(WITHOUT_START);
  });

  it.each(Object.entries(REQUESTS))(
    '%s answers a client after its own npm start',
    async (name, [path, request]) => {
      const { host, port } = redis.client.options;
      const { url, child, closed } = await start(name, `redis://${host}:${port}`);

      try {
        const response = await fetch(url + path, request);

        expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
      } finally {
        process.kill(-child.pid!, 'SIGTERM');
        await closed;
      }
    },
    60_000,
  );
});
