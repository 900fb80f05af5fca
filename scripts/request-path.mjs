import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { install } from './install.mjs';
import { redisServer } from './redis-server.mjs';
import { root } from './root.mjs';

const PORT = 16_399;
/** More than the first hundred, in which a gate looks for mistakes. */
const WARM_REQUESTS = 200;

// npm run tool -- path [memory]: lists the product files that run while one warm request is admitted by one tier of Express, to
// Redis and back or in memory, with the calls of each function.
const isInMemory = process.argv[2] === 'memory';
await install();
// The build is one file a package, so the sources run instead.
process.env['SLUICE_SOURCES'] = root;
await import('../test/tools/typescript.mjs');

const redis = isInMemory
  ? undefined
  : spawn(redisServer() || 'redis-server', ['--port', String(PORT), '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    });
try {
  const files = await filesOfOneRequest();
  for (const { file, functions } of files) {
    console.log(`${file}: ${functions.map(({ name, calls }) => (calls > 1 ? `${name} x ${calls}` : name)).join(', ')}`);
  }
  const all = files.flatMap(({ functions }) => functions);
  const calls = all.reduce((sum, each) => sum + each.calls, 0);
  console.log(`\n${files.length} files, ${all.length} functions, ${calls} calls`);
} finally {
  redis?.kill();
}
process.exit();

/** @returns {Promise<readonly { file: string, functions: readonly { name: string, calls: number }[] }[]>} */
async function filesOfOneRequest() {
  const { default: express } = await import(createRequire(join(root, 'bench', 'package.json')).resolve('express'));
  const { rateLimit } = await import('@sluice/express');
  const store = isInMemory ? undefined : await storeOnRedis();
  const app = express();
  app.use(rateLimit({ ...(store && { store }), name: 'path', limit: 1_000_000, window: '1h' }));
  app.get('/', (/** @type {unknown} */ _, /** @type {{ send(text: string): void }} */ response) => response.send('ok'));
  const server = app.listen(0);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/`;
  const request = async () => {
    const response = await fetch(url);
    await response.text();
    if (response.status !== 200) throw new Error(`the request was answered with ${response.status}`);
  };
  for (let index = 0; index < WARM_REQUESTS; index += 1) await request();

  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await request();
  await session.post('Profiler.takePreciseCoverage');
  await request();
  // The reply of Redis and the timers that it leaves are part of the request.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  server.close();
  await store?.close();
  return result
    .filter(({ url: script }) => script.startsWith('file:') && /\/packages\/[^/]+\/src\//.test(script))
    .map(({ url: script, functions }) => ({
      file: relative(root, fileURLToPath(script)),
      functions: functions
        .filter(({ ranges }) => ranges.some(({ count }) => count > 0))
        .map(({ functionName, ranges }) => ({ name: functionName || '(anonymous)', calls: ranges[0]?.count ?? 0 })),
    }))
    .filter(({ functions }) => functions.length > 0)
    .toSorted((one, other) => one.file.localeCompare(other.file));
}

async function storeOnRedis() {
  const { redisStore } = await import('@sluice/redis');
  const store = redisStore({ url: `redis://127.0.0.1:${PORT}` });
  await store.ready();
  return store;
}
