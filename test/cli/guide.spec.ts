import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byIp, createLimiter } from '@sluice/http';
import { redisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { root } from '../../scripts/root.mjs';
import { page } from '../docs/pages.js';
import { acl, userOf } from '../security/redis/acl.js';
import { startRedis } from '../support/redis.js';
import { combinedLine, logOf } from './access-log.js';
import { combined, textOf } from './replay/log-text.js';
import { population } from './replay/populations.js';
import { sluice, sluiceAlone, withConfig } from './sluice.js';

const text = ['operate', 'try-limits', 'overload', 'concurrency']
  .map((name) => page(`docs/guide/${name}.md`).text)
  .join('\n');

/** A command of the guide, and what the guide says that it prints. */
function exampleOf(command: string): { readonly args: string[]; readonly output: string } {
  const [, line, output] = new RegExp(`^\\$ sluice (${command}.*)\\n([^]+?)^\`\`\`$`, 'm').exec(text) ?? [];
  const args = line!.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ''));
  return { args, output: output! };
}

/** A configuration with a deadline that a busy machine keeps. */
const patient = (url: string) => `export const store = redisStore({ url: '${url}' }, { deadline: '5s' });`;

/** An output without its figures, without what depends on the widths of them, and without the name of the server. */
function shapeOf(output: string): string {
  return output
    .replaceAll(/\b(redis|valkey) (?=\d+\.\d)/g, 'server ')
    .replaceAll(/\d+(\.\d+)*/g, '0')
    .replaceAll(/ (ahead of|behind) /g, ' ahead of ')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/^ /gm, '');
}

/** A configuration with limits, and the requests of some clients. */
async function withTraffic<T>(clients: number, use: (file: string) => Promise<T>): Promise<T> {
  const server = await startRedis();
  const store = redisStore({ url: server.url }, { deadline: '5s' });
  const tiers = [
    { name: 'ip-hour', limit: 5_000, window: '1h' },
    { name: 'ip-minute', limit: 20, window: '1m' },
  ];
  const record = clients === 1 ? 'record: () => "GET /search",' : '';
  const built = JSON.stringify(join(root, 'packages/http/dist/esm/index.js'));
  const config = `${patient(server.url)}
import { byIp, createLimiter } from ${built};
const [hour, minute] = ${JSON.stringify(tiers)};
export const limiter = createLimiter({ store, tiers: [{ ...hour, key: byIp(), ${record} }, { ...minute, key: byIp() }] });`;
  const [hour, minute] = tiers.map((tier) => ({ ...tier, key: byIp<{ ip: string }>() }));
  const limiter = createLimiter<{ ip: string }>({
    store,
    tiers: [{ ...hour!, ...(clients === 1 && { record: () => 'GET /search' }) }, minute!],
  });
  await store.ready();
  for (let request = 0; request < 40; request += 1)
    await limiter.consume({ ip: `203.0.113.${7 + (request % clients)}` });
  await store.close();
  try {
    return await withConfig(config, use);
  } finally {
    await server.stop();
  }
}

/** Without what depends on the time of day. */
const timeless = (output: string) =>
  shapeOf(output)
    .replaceAll(/0h( 0m)?/g, '0h')
    .replaceAll('at 0-0-0 ', 'at ');

describe('the guides', () => {
  it('shows what explain and forget print', async () => {
    const [explained, forgotten] = await withTraffic(1, async (file) => {
      const runOf = (command: string) => sluiceAlone([...exampleOf(command).args, '--config', file]);
      return [await runOf('explain'), await runOf('forget')];
    });

    expect(timeless(explained.stdout)).toBe(timeless(exampleOf('explain').output));
    expect(timeless(forgotten.stdout)).toBe(timeless(exampleOf('forget').output));
  });

  it('shows what keys prints', async () => {
    const { stdout } = await withTraffic(40, (file) => sluice(['keys', '--config', file]));
    const sorted = (output: string) => timeless(output).split('\n').toSorted();

    expect(sorted(stdout)).toEqual(sorted(exampleOf('keys').output));
  });

  it('shows what doctor prints', async () => {
    const server = await startRedis({ args: ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'] });
    const { args, output } = exampleOf('doctor');
    const { stdout } = await withConfig(patient(server.url), (file) => sluice([...args, '--config', file]));
    await server.stop();

    expect(shapeOf(stdout)).toBe(shapeOf(output));
  });

  it('shows what bench prints', async () => {
    const server = await startRedis();
    const { output } = exampleOf('bench');
    const args = ['bench', '--for', '300ms'];
    const { stdout } = await withConfig(patient(server.url), (file) => sluice([...args, '--config', file]));
    await server.stop();

    expect(shapeOf(stdout)).toBe(shapeOf(output));
  });

  it('names a user with which doctor leaves nothing open', async () => {
    const server = await startRedis({ args: ['--maxmemory', '100mb'] });
    const admin = new Redis(server.port);
    const [, rules] = /^ACL SETUSER (operator .+)$/m.exec(text) ?? [];
    await admin.acl('SETUSER', ...(rules!.split(' ') as [string]));
    await admin.acl('SETUSER', ...(userOf(acl.server).slice(1) as [string]));
    const url = `redis://operator:password@127.0.0.1:${server.port}`;
    const { stdout } = await withConfig(patient(url), (file) =>
      sluice(['doctor', '--user', 'ratelimit', '--config', file]),
    );
    admin.disconnect();
    await server.stop();

    expect(stdout.split('\n').at(-2)).toBe('0 problems, 0 warnings');
  });

  it.each([
    ['replay access.log$', textOf(population('shop', 1), combined)],
    ['replay access.log --limits', logOf(combinedLine)],
  ])('shows what %s prints', async (command, log) => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-guide-'));
    await writeFile(join(folder, 'access.log'), log);
    const { args, output } = exampleOf(command);
    const { stdout } = await sluice(args, { cwd: folder });
    await rm(folder, { recursive: true });

    expect(stdout).toBe(output);
  });

  it.each(['simulate --limits', 'simulate --shed', 'simulate --fair'])('shows what %s prints', async (command) => {
    const { args, output } = exampleOf(command);

    expect((await sluice(args)).stdout).toBe(output);
  });
});
