import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLimiter } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { redisServer } from '../../scripts/redis-server.mjs';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';
import { environment } from '../support/environment.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { closeServer, listen } from '../support/site.js';
import { sluiceAlone as sluice, withConfig, type SluiceRun } from './sluice.js';

/** Clears the screen, sets the title, turns the line around, and forges a line. */
const EVIL = '\u001b[2J\u001b]0;pwned\u0007\u009b31m\u202e\u2066\n✓ fine';
/** As a client of HTTP, or a command line, can send it. */
const EVIL_WORD = '\u001b[2J\u009b31m\u202e';

/** What no output has but its line feeds. */
const UNPRINTABLE = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u;

function unprintable({ stdout, stderr }: SluiceRun): string | undefined {
  return UNPRINTABLE.exec(stdout + stderr)?.[0];
}

describe('the commands', () => {
  it('print by the terminal alone, which escapes', () => {
    const folder = join(root, 'packages/cli/src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
    );
    const writers = files.filter((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return /\bconsole\.|\b(stdout|stderr)\.write|process\[|emitWarning/.test(text);
    });

    expect(writers).toEqual([join('terminal', 'terminal.ts')]);
  });
});

describe('with a hostile Redis, the commands', () => {
  let server: RedisServer;
  let admin: Redis;

  beforeAll(async () => {
    server = await startRedis({ args: ['--maxmemory', '100mb', '--maxmemory-policy', 'noeviction'] });
    admin = new Redis(server.port);
    await admin.set(`rl:x'; touch pwned; echo '${EVIL}`, '1');
    await admin.set(Buffer.from([0x72, 0x6c, 0x3a, 0x00, 0xff, 0x27, 0x22, 0x5c]), '1');
    await admin.hset('rl:{h_tHdlBEhrTvc25VMm8vk-}:a\u202eb:swabc', 'a', '1');
    await admin.hset(`rl:{h_tHdlBEhrTvc25VMm8vk-}:x'; touch pwned; echo 'b:swabc`, 'a', '1');
    await admin.acl('SETUSER', `evil\u202e`, 'on', '>password', '~rl:*', '+info', '+scan', '+ping', '+client|setname');
    const store = redisStore({ url: server.url }, { deadline: '5s' });
    const limiter = createLimiter({
      store,
      tiers: [{ name: 'user', key: (user: string) => user, limit: 5, window: '1h', record: () => EVIL }],
    });
    await limiter.consume(EVIL_WORD);
    await store.close();
  });

  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });

  const config = () => `import { createLimiter } from ${JSON.stringify(join(root, 'packages/core/dist/esm/index.js'))};
export const store = redisStore({ url: '${server.url}' }, { deadline: '5s' });
export const limiter = createLimiter({ store, tiers: [{ name: 'user', key: (user) => user, limit: 5, window: '1h' }] });`;

  it.each([
    ['keys', ['keys'], 1],
    ['keys --json', ['keys', '--json'], 1],
    ['doctor', ['doctor'], 1],
    ['doctor --json', ['doctor', '--json'], 1],
    ['doctor --user', ['doctor', '--user', `absent${EVIL_WORD}`], 1],
    ['explain', ['explain', 'key', EVIL_WORD], 0],
    ['explain --json', ['explain', 'key', EVIL_WORD, '--json'], 0],
    ['look', ['look', 'key', `${EVIL_WORD}!`], 0],
    ['look of an unknown tier', ['look', 'key', EVIL_WORD, '--tier', EVIL_WORD], 2],
    ['forget', ['forget', 'key', EVIL_WORD, '--yes', '--tier', 'user'], 0],
    ['a configuration that is not there', ['keys', '--config', EVIL_WORD], 2],
    ['an unknown command', [EVIL_WORD], 2],
    ['an unknown option', ['keys', `--${EVIL_WORD}`], 2],
  ])('print no character that commands a terminal: %s', async (_what, args, code) => {
    const run = await withConfig(config(), (file) =>
      sluice(args.includes('--config') || code === 2 ? args : [...args, '--config', file], {
        env: { SLUICE_REDIS_URL: server.url },
      }),
    );

    expect({ code: run.code, found: unprintable(run) }).toEqual({ code, found: undefined });
  });

  it('do so as a user without rights, whose name commands a terminal', async () => {
    const url = `redis://${encodeURIComponent('evil\u202e')}:password@127.0.0.1:${server.port}`;
    const runs = await Promise.all([
      sluice(['doctor'], { env: { SLUICE_REDIS_URL: url } }),
      sluice(['doctor', '--json'], { env: { SLUICE_REDIS_URL: url } }),
    ]);

    expect(runs.map(unprintable)).toEqual([undefined, undefined]);
    // A pipe of the shell would begin another command.
    expect(runs[0].stdout).toContain(String.raw`redis-cli ACL SETUSER $'evil\xe2\x80\xae' '+acl|whoami'`);
  });

  it('name remedies that a shell runs as they are meant', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-shell-'));
    const programs = dirname(realpathSync(redisServer()));
    const client = ['redis-cli', 'valkey-cli'].map((name) => join(programs, name)).find(existsSync)!;
    const before = await admin.keys('*');
    for (let left = before.length; left > 0; left -= 1) {
      const run = await sluice(['doctor', '--json'], { env: { SLUICE_REDIS_URL: server.url } });
      const { findings } = JSON.parse(run.stdout) as { findings: { text: string; remedy?: string }[] };
      const remedy = findings.find(({ text }) => text.endsWith('without expiry'))?.remedy;
      if (remedy === undefined) break;
      const command = remedy.replace('sluice keys, then redis-cli', `${client} -p ${server.port}`);
      await execute('sh', ['-c', command], { cwd: folder, env: environment() });
    }
    const made = readdirSync(folder);
    rmSync(folder, { recursive: true });
    const endless: string[] = [];
    for (const key of await admin.keys('*')) if ((await admin.pttl(key)) === -1) endless.push(key);

    // What no limiter has written is left as it is.
    const own = (keys: readonly string[]) => keys.filter((key) => key.includes(':swabc')).length;
    expect({ before: own(before), endless: own(endless), made }).toEqual({
      before: 2,
      endless: 0,
      made: [],
    });
  });
});

describe('with a hostile dashboard, top and tail', () => {
  let server: Server;
  let url: string;
  let answer: { readonly state: unknown; readonly tail: unknown };

  beforeAll(async () => {
    server = createServer((request, response) => {
      const isState = request.url!.endsWith('state');
      response.setHeader('content-type', isState ? 'application/json' : 'text/event-stream');
      if (isState) return void response.end(JSON.stringify(answer.state));
      response.end(`event: tail\ndata: ${JSON.stringify(answer.tail)}\n\n`);
    });
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => closeServer(server));

  const entry = { tier: EVIL, digest: EVIL, label: EVIL, count: 1, error: 0, share: 1 };
  const state = { version: 3, isKeyed: true, top: { denied: [entry], sending: [] } };
  const line = { age: 1, reason: EVIL, source: EVIL, tiers: [EVIL], digest: EVIL, label: EVIL };

  it('print no character that commands a terminal', async () => {
    answer = { state, tail: { entries: [line], dropped: 0 } };
    const runs = await Promise.all(
      [['top'], ['top', '--json'], ['tail'], ['tail', '--json']].map((args) => sluice([...args, '--url', url])),
    );

    expect(runs.map(({ stdout }) => stdout.includes('pwned'))).toEqual([true, true, true, true]);
    expect(runs.map(unprintable)).toEqual([undefined, undefined, undefined, undefined]);
    // No text of another made a line of its own.
    expect(runs.map(({ stdout }) => stdout.split('\n').length)).toEqual([3, 2, 2, 2]);
  });

  it.each<[string, unknown, unknown]>([
    ['an age that is no time', state, { entries: [{ ...line, age: 1e300 }], dropped: 0 }],
    ['a wrong entry', { ...state, top: { denied: [{ ...entry, count: EVIL }] } }, { entries: [null] }],
    ['another document', [EVIL], { entries: EVIL }],
  ])('say that this is no dashboard: %s', async (_what, given, tail) => {
    answer = { state: given, tail };
    const runs = await Promise.all([sluice(['top', '--url', url]), sluice(['tail', '--url', url])]);
    const wrong = runs.filter(({ stderr }) => stderr.includes('does not answer as a dashboard of Sluice'));

    expect(wrong.every(({ code }) => code === 3)).toBe(true);
    expect(wrong.length).toBeGreaterThan(0);
    expect(runs.map(({ stderr }) => /\n {4}at /.test(stderr))).toEqual([false, false]);
  });

  it('print no credentials that no header can have', async () => {
    const env = { SLUICE_DASHBOARD_AUTHORIZATION: 'Bearer hunter2\nmore' };
    const run = await sluice(['top', '--url', url], { env });

    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('must be one line') });
    expect(run.stderr).not.toContain('hunter2');
  });
});

describe('with hostile files, replay and simulate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-hostile-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('print no character that commands a terminal', async () => {
    const log = join(folder, `a${EVIL_WORD}.log`);
    const request = (time: number) => JSON.stringify({ time: 1.7e12 + time, ip: '192.0.2.1', user: EVIL });
    writeFileSync(log, [1, 2, 3].map(request).join('\n'));
    const limits = join(folder, 'limits.mjs');
    writeFileSync(limits, `export const tiers = [{ name: ${JSON.stringify('a')}, limit: 1, window: '1m' }];`);
    const failing = join(folder, 'failing.mjs');
    writeFileSync(failing, `throw new Error(${JSON.stringify(EVIL)});`);
    const runs = await Promise.all([
      sluice(['replay', log, '--limits', limits, '--key', 'user']),
      sluice(['replay', log, '--limits', limits, '--key', 'user', '--json']),
      sluice(['replay', log, '--limits', failing]),
      sluice(['replay', `${log}x`, '--limits', '1/1m']),
      sluice(['replay', log, '--limits', `1/1m name=${EVIL_WORD}`]),
      sluice(['simulate', '--limits', '1/1m', '--load', EVIL_WORD]),
    ]);

    expect(runs.map(({ code }) => code)).toEqual([0, 0, 2, 2, 2, 2]);
    expect(runs.map(unprintable)).toEqual(runs.map(() => undefined));
  });
});
