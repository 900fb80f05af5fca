import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';
import { withRedis } from '../support/redis-store.js';
import { installInto } from './installed.js';

const manifest = JSON.parse(readFileSync(join(root, 'packages', 'core', 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, unknown>>;
};
const entries = Object.keys(manifest.exports)
  .filter((path) => path !== './package.json')
  .map((path) => `@sluice/core${path.slice(1)}`);

/** Loads each entry by `import` and by `require`, in this order or the reverse, and compares what they export. */
const SAME = (isImportFirst: boolean) => `
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const answers = {};
for (const entry of ${JSON.stringify([...entries, '@sluice/express', '@sluice/nestjs'])}) {
  const [first, second] = ${isImportFirst ? '[await import(entry), require(entry)]' : '[require(entry), await import(entry)]'};
  answers[entry] = Object.keys(await import(entry)).every((name) => first[name] === second[name]);
}
console.log(JSON.stringify(answers));
`;

/** Uses a limiter of one format with a store and a gate of the other, from the files themselves: two copies. */
const MIXED = `
import { createRequire } from 'node:module';
import express from 'express';
import { Redis } from 'ioredis';

const require = createRequire(import.meta.url);
const packages = new URL('./node_modules/@sluice/', import.meta.url);
const FILES = { index: ['core', 'index'], redis: ['redis', 'index'], fair: ['overload', 'fair'], quotas: ['quotas', 'index'] };
const fileOf = (format, entry) => new URL(FILES[entry][0] + '/dist/' + format + '/' + FILES[entry][1] + '.js', packages);
const load = {
  esm: async (name) => import(fileOf('esm', name)),
  cjs: async (name) => require(fileOf('cjs', name).pathname),
};
const other = { esm: 'cjs', cjs: 'esm' };
const client = new Redis(process.env.REDIS_URL, { enableOfflineQueue: false, lazyConnect: true });
await client.connect();

const answers = {};
for (const format of ['esm', 'cjs']) {
  const own = await load[format]('index');
  const far = await load[other[format]]('index');
  const { redisStore } = await load[other[format]]('redis');
  answers[format] = { areTwo: own.createLimiter !== far.createLimiter };
  for (const [name, store] of Object.entries({ memory: far.memoryStore(), redis: redisStore(client) })) {
    await store.ready?.();
    const options = { key: ({ user }) => user, store };
    const limiter = own.createLimiter({ ...options, name: 'rate-' + format, limit: 3, window: '1h' });
    const allowed = [];
    for (let count = 0; count < 4; count += 1) allowed.push((await limiter.consume({ user: 'ada' })).allowed);
    const refunded = await far.refund(await limiter.consume({ user: 'bob' }));
    const left = (await limiter.peek({ user: 'bob' })).binding.remaining;

    const busy = own.createLimiter({ ...options, name: 'busy-' + format, algorithm: 'concurrency', limit: 1 });
    const held = await busy.consume({ user: 'ada' });
    const full = (await busy.consume({ user: 'ada' })).allowed;
    await far.release(held);
    const free = await busy.consume({ user: 'ada' });
    await own.release(free);

    // Values of one copy as options of a limiter of the other.
    const { balance, creditsOf, notices, usage, usageOf } = await load[other[format]]('quotas');
    const { fairBy } = await load[other[format]]('fair');
    const heard = [];
    const paid = own.createLimiter({
      store,
      onNotice: ({ mark }) => heard.push(mark),
      tiers: [
        { name: 'month-' + format, algorithm: 'fixed-window', limit: 1, window: '1d', notices: notices(1), usage: usage() },
        { name: 'credits-' + format, algorithm: balance({ covers: ['month-' + format] }) },
      ].map((tier) => ({ ...tier, key: options.key })),
    });
    const credited = await creditsOf(paid).credit({ user: 'ada' }, 5, { id: 'invoice 1' });
    const payers = [await paid.consume({ user: 'ada' }), await paid.consume({ user: 'ada' })].map((each) => each.paidBy);
    const [{ units }] = await usageOf(paid).read({ user: 'ada' });
    const shared = own.createLimiter({ ...options, name: 'shared-' + format, algorithm: 'concurrency', limit: 1, fair: fairBy(({ user }) => user) });
    const parts = [await shared.consume({ user: 'ada' }), await shared.consume({ user: 'ada' })].map((each) => each.allowed);
    const values = [...parts, credited.balance, ...payers.map((each) => each === 'credits-' + format), heard, units];
    answers[format][name] = { allowed, refunded, left, held: [held.allowed, full, free.allowed], values };
    await store.close();
  }
}
client.disconnect();

// A gate of the adapter, which has the other copy, with a limiter that demotes and one that holds units.
const { createLimiter, memoryStore } = await load.cjs('index');
const { rateLimit } = await import('@sluice/express');
const tiers = [
  { name: 'share', limit: 1, window: '1h', mode: 'demote' },
  { name: 'running', algorithm: 'concurrency', limit: 1 },
].map((tier) => ({ ...tier, key: () => 'all' }));
const app = express();
app.use(rateLimit({ limiter: createLimiter({ store: memoryStore(), tiers }) }));
app.get('/', (request, response) => response.json(request.rateLimit.demotedBy ?? []));
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const bodies = [];
for (let count = 0; count < 3; count += 1) {
  const response = await fetch('http://127.0.0.1:' + server.address().port);
  bodies.push([response.status, await response.json()]);
}
server.close();
console.log(JSON.stringify({ ...answers, bodies }));
`;

describe('The two formats of the packages', () => {
  const redis = withRedis();
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-formats-'));
    const frameworks = ['express', 'ioredis', '@nestjs/common', '@nestjs/core', 'reflect-metadata', 'rxjs'];
    installInto(folder, ['express', 'metrics', 'nestjs', 'overload', 'policies', 'redis', 'testing'], frameworks);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = async (program: string) => {
    const file = join(folder, 'program.mjs');
    writeFileSync(file, program);
    const env = { ...process.env, REDIS_URL: redis.server.url };
    const { stdout } = await execute(process.execPath, ['--no-warnings', file], { cwd: folder, env });
    return JSON.parse(stdout) as unknown;
  };

  it.each([
    ['import', true],
    ['require', false],
  ])('are one copy in Node for a program that mixes them, with %s first', async (_first, isImportFirst) => {
    const names = [...entries, '@sluice/express', '@sluice/nestjs'];

    expect(await run(SAME(isImportFirst))).toEqual(Object.fromEntries(names.map((name) => [name, true])));
  });

  it('work together where a process has loaded both, as some bundles do', async () => {
    const exact = {
      allowed: [true, true, true, false],
      refunded: 1,
      left: 3,
      held: [true, false, true],
      values: [true, false, 5, false, true, [1], 1],
    };
    const answers = { areTwo: true, memory: exact, redis: exact };

    expect(await run(MIXED)).toEqual({
      esm: answers,
      cjs: answers,
      bodies: [
        [200, []],
        [200, ['share']],
        [200, ['share']],
      ],
    });
  });
});
