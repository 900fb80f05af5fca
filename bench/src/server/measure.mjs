// @ts-nocheck The built packages that it measures have no types here.
// npm run tool -- server-load [--redis URL]: what a call of the service costs beside the middleware's own check and a bare
// call of gRPC, in slices of one run after the other: at 1, 16 and 64 in flight. `--memory` counts a million identities.
import { fork } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createGate } from '../../../packages/http/dist/esm/index.js';
import { openPolicies } from '../../../packages/policies/dist/esm/index.js';
import { redisStore } from '../../../packages/redis/dist/esm/index.js';

const require = createRequire(new URL('../../../test/package.json', import.meta.url));
const { Client, credentials } = require('@grpc/grpc-js');

const { values } = parseArgs({
  options: {
    redis: { type: 'string', default: 'redis://127.0.0.1:6379' },
    slices: { type: 'string', default: '12' },
    memory: { type: 'boolean', default: false },
  },
});
const SECRET = 'a secret of the benchmark';
const LIMITS = `
version: 1
limiters: { api: { tiers: [{ name: ip-minute, key: ip, limit: 100000, window: 1m }] } }
extensions: { server: { descriptors: [{ tier: ip-minute, from: [remote_address] }] } }
`;
const file = join(mkdtempSync(join(tmpdir(), 'sluice-load-')), 'limits.yaml');
writeFileSync(file, LIMITS);

const servers = fork(fileURLToPath(new URL('servers.mjs', import.meta.url)), [file, values.redis, SECRET], {
  execArgv: ['--expose-gc'],
});
const said = () => new Promise((resolve) => servers.once('message', resolve));
const ports = await said();
const store = redisStore({ url: values.redis }, { deadline: '5s' });
const policies = await openPolicies(file, { secret: SECRET });
const gate = createGate({ limiter: policies.limiter('api', { store, secret: SECRET }) });
await store.ready();

const same = (bytes) => bytes;
const service = new Client(`127.0.0.1:${ports.grpc}`, credentials.createInsecure());
const bare = new Client(`127.0.0.1:${ports.bare}`, credentials.createInsecure());
const SHOULD = '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit';
let number = 0;
const addressOf = (index) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
const field = (id, bytes) => Buffer.concat([Buffer.from([id * 8 + 2, bytes.length]), bytes]);
const requestOf = (address) =>
  Buffer.concat([
    field(1, Buffer.from('api')),
    field(2, field(1, Buffer.concat([field(1, Buffer.from('remote_address')), field(2, Buffer.from(address))]))),
  ]);
const call = (client, path, bytes) =>
  new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, same, same, bytes, (error, reply) => (error ? reject(error) : resolve(reply)));
  });
const response = () => {
  const headers = new Map();
  return {
    statusCode: 200,
    headersSent: false,
    writableEnded: false,
    getHeader: (name) => headers.get(name),
    setHeader: (name, value) => headers.set(name, value),
    end() {},
    once() {},
  };
};
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const asked = (address) =>
  new Promise((resolve, reject) => {
    const options = { port: ports.middleware, host: '127.0.0.1', agent, headers: { 'x-ip': address } };
    get(options, (reply) => reply.resume().on('end', resolve)).on('error', reject);
  });
const WAYS = {
  http: asked,
  middleware: (address) => gate.admit({ ip: address, headers: {}, method: 'GET' }, response()),
  bare: (address) => call(bare, '/bare/Echo', requestOf(address)),
  service: (address) => call(service, SHOULD, requestOf(address)),
};

async function slice(way, inFlight, calls) {
  const times = [];
  let left = calls;
  const began = performance.now();
  const work = async () => {
    while (left > 0) {
      left -= 1;
      number = (number + 1) % 10_000;
      const start = performance.now();
      await way(addressOf(number));
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  times.sort((one, other) => one - other);
  return { p50: times[times.length >> 1], rate: calls / ((performance.now() - began) / 1e3) };
}
const middle = (list) => list.toSorted((one, other) => one - other)[list.length >> 1];

if (values.memory) {
  for (let done = 0; done < 1_000_000;) {
    await Promise.all(Array.from({ length: 64 }, (_, at) => WAYS.service(addressOf(done + at))));
    done += 64;
    if (done % 200_000 < 64) {
      servers.send('heap');
      const { heap } = await said();
      console.log(`${done} identities: ${(heap / 1e6).toFixed(1)} MB of heap`);
    }
  }
} else {
  // Compiled code, before the first slice.
  for (const way of Object.values(WAYS)) await slice(way, 16, 6_000);
  for (const inFlight of [1, 16, 64]) {
    const calls = inFlight === 1 ? 300 : 1_500;
    const rows = Object.fromEntries(Object.keys(WAYS).map((name) => [name, []]));
    for (let round = -2; round < Number(values.slices); round += 1) {
      for (const [name, way] of Object.entries(WAYS)) {
        const measured = await slice(way, inFlight, calls);
        if (round >= 0) rows[name].push(measured);
      }
    }
    const p50 = (name) => middle(rows[name].map((row) => row.p50));
    const rate = (name) => middle(rows[name].map((row) => row.rate));
    const bound = p50('middleware') + 1.2 * p50('bare');
    const us = (name) => `${name} ${(p50(name) * 1e3).toFixed(0)} µs ${rate(name).toFixed(0)}/s`;
    console.log(
      `${inFlight} in flight: ${us('middleware')}, ${us('http')}, ${us('bare')}, ${us('service')}; p50 / (middleware + 1.2 x bare) = ${(p50('service') / bound).toFixed(2)}, checks / those of the middleware behind HTTP = ${(rate('service') / rate('http')).toFixed(2)}, / in the process = ${(rate('service') / rate('middleware')).toFixed(2)}`,
    );
  }
}
service.close();
bare.close();
agent.destroy();
servers.disconnect();
policies.close();
await store.close();
