import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { root } from '../../scripts/root.mjs';
import { execute, spawn } from '../support/child.js';
import { environment } from '../support/environment.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until } from '../support/until.js';
import { documentOf, sluice, sluiceAlone } from './sluice.js';

const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as { version: string };

describe('sluice', () => {
  it('lists its commands, and says what each does', async () => {
    const { code, stdout } = await sluice(['--help']);

    expect(code).toBe(0);
    for (const name of ['doctor', 'bench', 'monitoring', 'completion']) {
      expect(stdout).toMatch(new RegExp(`^  ${name} .+[a-z]$`, 'm'));
    }
  });

  it('names its version', async () => {
    expect(await sluiceAlone(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    [['docter'], "error: unknown command 'docter'\n(Did you mean doctor?)"],
    [
      ['migrate', 'src/app.ts', '--write'],
      "error: unknown command 'migrate'\n(npx @sluice/migrate translates programs of other limiters)\n",
    ],
    [['doctor', '--confg'], "error: unknown option '--confg'\n(Did you mean --config?)"],
    [['doctor', '--timeout', '5'], 'Write a duration such as 500ms, 5s or 2m.'],
    [['doctor', '--config', 'none.js'], 'error: --config none.js: there is no such file'],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish.'],
  ])('says what is wrong with %j, and exits with 2', async (args, message) => {
    const { code, stdout, stderr } = await sluice(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('ends quietly when its reader has read enough', async () => {
    const command = `"${process.execPath}" packages/cli/dist/esm/main.js completion fish | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await execute('bash', ['--norc', '-c', command], {
      cwd: root,
      env: environment(),
    });

    expect(stdout).toMatch(/^complete .+\n(0|141)\n$/);
    expect(stderr).toBe('');
  });
});

describe('sluice completion', () => {
  it('completes commands and options in bash', async () => {
    const { stdout: script } = await sluice(['completion', 'bash']);
    const complete = async (...words: string[]) => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const call = `COMP_WORDS=(sluice ${list}); COMP_CWORD=${words.length}; _sluice; echo "\${COMPREPLY[@]}"`;
      const { stdout } = await execute('bash', ['--norc', '-c', `${script}\n${call}`], {
        env: environment(),
      });
      return stdout.trim();
    };

    expect(await complete('doc')).toBe('doctor');
    expect(await complete('doctor', '--co')).toBe('--config');
    expect(await complete('doctor', '--j')).toBe('--json');
    expect(await complete('policies', 'ro')).toBe('rollback');
    expect(await complete('policies', 'rollback', '--rea')).toBe('--reason');
  });

  it.each(['zsh', 'fish'])('names every command and option in %s', async (shell) => {
    const { stdout } = await sluice(['completion', shell]);

    for (const text of ['doctor', 'examine the Redis of the limiters', 'config', 'json'])
      expect(stdout).toContain(text);
  });
});

describe('sluice monitoring', () => {
  it('writes the dashboard and the alerts of this version', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-monitoring-'));
    const out = join(folder, 'new', 'folder');
    const run = await sluice(['monitoring', '--out', out, '--json']);
    const names = await readdir(out);
    const texts = await Promise.all(names.map((name) => readFile(join(out, name), 'utf8')));
    await rm(folder, { recursive: true });
    const shipped = await readdir(join(root, 'monitoring'));

    expect(names.toSorted()).toEqual(shipped.toSorted());
    expect(texts).toEqual(await Promise.all(names.map((name) => readFile(join(root, 'monitoring', name), 'utf8'))));
    expect(documentOf(run)).toEqual({ v: 1, files: expect.arrayContaining([join(out, names[0]!)]) });
  });
});

describe('sluice bench', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  it('refuses to keep a Redis of another machine busy, unless it may', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    // A machine without a network has no address that could be that of another one.
    const { address } = addresses.find(({ internal, family }) => !internal && family === 'IPv4') ?? {};
    const host = address ?? '127.0.0.1';
    const other = await startRedis({ args: ['--bind', '127.0.0.1', host, '--protected-mode', 'no'] });
    const env = { SLUICE_REDIS_URL: `redis://${host}:${other.port}` };
    const { code, stderr } = await sluice(['bench', '--for', '300ms'], { env });
    const allowed = await sluice(['bench', '--for', '300ms', '--yes'], { env });
    await other.stop();

    const refusal = 'error: bench keeps a Redis of another machine busy: add --yes if that is fine\n';
    expect({ code, stderr }).toEqual(address ? { code: 2, stderr: refusal } : { code: 0, stderr: '' });
    expect(allowed.code).toBe(0);
  });

  it('ends with 130 upon SIGINT', async () => {
    const child = spawn(process.execPath, ['packages/cli/dist/esm/main.js', 'bench', '--for', '1m'], {
      cwd: root,
      env: environment({ SLUICE_REDIS_URL: server.url }),
    });
    const admin = new Redis(server.port);
    await until(async () => /cmdstat_evalsha:calls=\d{2}/.test(await admin.info('commandstats')));
    admin.disconnect();
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];

    expect(code).toBe(130);
  });

  it('measures 1, 16 and 64 checks in flight', async () => {
    const run = await sluice(['bench', '--for', '300ms', '--json'], { env: { SLUICE_REDIS_URL: server.url } });
    const { measurements } = documentOf(run) as { measurements: Record<string, number>[] };

    expect(measurements.map(({ inFlight }) => inFlight)).toEqual([1, 16, 64]);
    for (const { checksPerSecond, p50, p99, checksPerCall } of measurements) {
      expect([checksPerSecond! > 0, p50! > 0, p99! >= p50!, checksPerCall! >= 1]).toEqual([true, true, true, true]);
    }
  });
});
