// @ts-nocheck The built packages that it runs have no types here.
// The service as a program of an operator, on a Redis of any kind: `node service.mjs FILE REDIS SECRET`, with the options of
// redisStore as JSON.
import { redisStore } from '../../../packages/redis/dist/esm/index.js';
import { serve } from '../../../packages/server/dist/esm/index.js';

const [file, redis, secret] = process.argv.slice(2);
const store = redisStore(JSON.parse(redis), { deadline: '10s' });
await store.ready();
const server = await serve({ file, secret, store, listen: { http: 0, grpc: 0, operations: 0 } });
const { http, grpc, operations } = server.ports;
console.log(`takes requests at http 127.0.0.1:${http}, grpc 127.0.0.1:${grpc}, operations 127.0.0.1:${operations}`);
process.once('SIGTERM', () => void stop());

async function stop() {
  await server.close();
  await store.close();
  process.exit(0);
}
