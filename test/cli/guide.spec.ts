import { Redis } from 'ioredis';
import { page } from '../docs/pages.js';
import { acl, userOf } from '../security/redis/acl.js';
import { startRedis } from '../support/redis.js';
import { sluice, withConfig } from './sluice.js';

const { text } = page('docs/guide/operate.md');

/** A command of the guide, and what the guide says that it prints. */
function exampleOf(command: string): { readonly args: string[]; readonly output: string } {
  const [, line, output] = new RegExp(`^\\$ sluice (${command}.*)\\n([^]+?)^\`\`\`$`, 'm').exec(text) ?? [];
  return { args: line!.split(' '), output: output! };
}

/** A configuration with a deadline that a busy machine keeps. */
const patient = (url: string) => `export const store = redisStore({ url: '${url}' }, { deadline: '5s' });`;

/** An output without its figures, and without what depends on the widths of them. */
function shapeOf(output: string): string {
  return output
    .replaceAll(/\d+(\.\d+)*/g, '0')
    .replaceAll(/ (ahead of|behind) /g, ' ahead of ')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/^ /gm, '');
}

describe('docs/guide/operate.md', () => {
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
    const args = ['bench', '--for', '600ms'];
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
});
