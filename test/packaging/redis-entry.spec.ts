import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';

/** A program of users: packages are found as in an application. */
function run(format: 'import' | 'require', program: string): unknown {
  const type = format === 'import' ? ['--input-type=module'] : [];
  const out = execFileSync(process.execPath, ['--no-warnings', ...type, '--eval', program], {
    cwd: join(root, 'test'),
    encoding: 'utf8',
  });
  return JSON.parse(out);
}

const ADAPTERS = ['express', 'fastify', 'hono', 'nestjs'];

/** The text of every script that V8 has parsed, by its file. */
const SEE_SCRIPTS = `
const session = new Session();
session.connect();
const parsed = [];
session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => parsed.push([scriptId, url]));
session.post('Debugger.enable');
const textsOf = (part) => parsed.filter(([, url]) => url.includes(part)).map(([scriptId, url]) => {
  let text = '';
  session.post('Debugger.getScriptSource', { scriptId }, (_, { scriptSource }) => (text = scriptSource));
  return [url.split('/').pop(), text];
});`;

const LIMIT_IN_MEMORY = `
const limiter = core.createLimiter({ key: () => 'ada', limit: 1, window: '1m' });
const decisions = [limiter.consume({}), limiter.consume({})].map(({ allowed }) => allowed);
const texts = textsOf('/packages/');
const inCore = textsOf('/packages/core/');
console.log(JSON.stringify({
  decisions,
  files: texts.map(([name]) => name).filter((name) => name.startsWith('redis')),
  lua: texts.filter(([, text]) => text.includes('redis.call(')).length,
  bytes: inCore.reduce((sum, [, text]) => sum + text.length, 0),
}));`;

const IN_MEMORY = {
  import: `
import { Session } from 'node:inspector';
${SEE_SCRIPTS}
for (const name of ${JSON.stringify(ADAPTERS)}) await import('@sluice/' + name);
const core = await import('@sluice/core');
${LIMIT_IN_MEMORY}`,
  require: `
const { Session } = require('node:inspector');
${SEE_SCRIPTS}
for (const name of ${JSON.stringify(ADAPTERS.filter((name) => name !== 'nestjs'))}) require('@sluice/' + name);
const core = require('@sluice/core');
${LIMIT_IN_MEMORY}`,
};

describe('A program that limits in memory', () => {
  it.each(['import', 'require'] as const)('loads neither Redis nor Lua by %s, with every adapter', (format) => {
    const { bytes, ...seen } = run(format, IN_MEMORY[format]) as Record<string, unknown>;

    expect(seen).toEqual({ decisions: [true, false], files: [], lua: 0 });
    // More than 580 000 with Redis.
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(404_000);
  });
});

const SHARE = `
const client = redis.clientOf({ send: async () => [] });
const store = redis.redisStore(client);
const limiter = core.createLimiter({ store, name: 'minute', key: () => 'ada', limit: 1, window: '1m' });
const errorOf = (make) => { try { make(); } catch (error) { return error; } };
const error = errorOf(() => redis.redisStore(client, { deadline: 0 }));
console.log(JSON.stringify({
  isConfigError: error instanceof core.ConfigError,
  breakers: core.statsOf(store).breakers.length,
  tiers: core.limitersOf(store).flatMap(({ tiers }) => tiers.map(({ name }) => name)),
  wire: operations.wireOf(store).deadline,
  isOne: [core.createLimiter === adapter.createLimiter, redis.redisStore === adapterRedis.redisStore],
  isKept: limiter !== undefined,
  counts: errorOf(() => adapter.createLimiter({ key: () => 'ada', limit: 1, window: '1d', usage: usage() })) === undefined,
}));`;

const PROGRAMS = {
  import: `
import * as core from '@sluice/core';
import * as operations from '@sluice/metrics/operations';
import { usage } from '@sluice/quotas';
import * as redis from '@sluice/redis';
import * as adapter from '@sluice/express';
import * as adapterRedis from '@sluice/redis';
${SHARE}`,
  require: `
const core = require('@sluice/core');
const operations = require('@sluice/metrics/operations');
const { usage } = require('@sluice/quotas');
const redis = require('@sluice/redis');
const adapter = require('@sluice/express');
const adapterRedis = require('@sluice/redis');
${SHARE}`,
  both: `
import { createRequire } from 'node:module';
import { usage } from '@sluice/quotas';
import * as redis from '@sluice/redis';
const load = createRequire(import.meta.url);
const [core, operations, adapter, adapterRedis] = [
  '@sluice/core', '@sluice/metrics/operations', '@sluice/express', '@sluice/redis',
].map((name) => load(name));
${SHARE}`,
};

describe('The entry for Redis', () => {
  it.each(['import', 'require', 'both'] as const)('shares one core with the other entries by %s', (format) => {
    const program = PROGRAMS[format].replace('import.meta.url', JSON.stringify(join(root, 'test', 'program.mjs')));

    expect(run(format === 'require' ? 'require' : 'import', program)).toEqual({
      isConfigError: true,
      breakers: 1,
      tiers: ['minute'],
      wire: 50,
      isOne: [true, true],
      isKept: true,
      counts: true,
    });
  });
});
