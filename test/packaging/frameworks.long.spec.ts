import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { packPackages } from '../../scripts/pack.mjs';
import { publishedPackages, withDependencies } from '../../scripts/workspace.mjs';
import { execute } from '../support/child.js';
import { withRedis } from '../support/redis-store.js';

/** npm packs and installs over the network. */
const TIMEOUT_MS = 240_000;

type Dependencies = Readonly<Record<string, string>>;

/** What an application installs beside the adapter. */
const FRAMEWORKS: Readonly<Record<string, Dependencies>> = {
  express: { express: '^5.2.0' },
  fastify: { fastify: '^5.0.0' },
  hono: { hono: '^4.8.0' },
  nestjs: {
    '@nestjs/common': '^12.0.0',
    '@nestjs/core': '^12.0.0',
    '@nestjs/platform-express': '^12.0.0',
    'reflect-metadata': '^0.2.0',
    rxjs: '^7.8.0',
  },
};

describe('Packed packages', () => {
  const redis = withRedis();
  let folder: string;
  let tarballs: Dependencies;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-frameworks-'));
    await mkdir(join(folder, 'tarballs'));
    const files = await packPackages(join(folder, 'tarballs'));
    const of = (name: string) => files.find((file) => basename(file).startsWith(`sluice-${name}-`))!;
    tarballs = Object.fromEntries(
      publishedPackages().map((path) => [`@sluice/${basename(path)}`, `file:${of(basename(path))}`]),
    );
  }, TIMEOUT_MS);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Installs what an application names in its package.json. No registry has the packages of Sluice that these need. */
  async function install(manager: string, application: string, names: readonly string[], others: Dependencies) {
    const dependencies = { ...Object.fromEntries(names.map((name) => [name, tarballs[name]])), ...others };
    const rest = Object.entries(tarballs).filter(([name]) => !names.includes(name));
    const overrides = Object.fromEntries(rest);
    const manifest = { private: true, type: 'module', dependencies, ...(manager === 'npm' && { overrides }) };
    await writeFile(join(application, 'package.json'), JSON.stringify(manifest));
    // JSON is YAML.
    await writeFile(join(application, 'pnpm-workspace.yaml'), JSON.stringify({ overrides }));
    const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Dependencies;
    const [command, ...args] =
      manager === 'npm'
        ? ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund']
        : ['npx', '--yes', '--prefer-offline', packageManager!, 'install', '--no-frozen-lockfile'];
    await execute(command, args, { cwd: application }).catch((error: unknown) => {
      throw new Error(`${manager}: ${(error as { stdout: string }).stdout}`, { cause: error });
    });
  }

  /** What a program prints. */
  async function run(application: string, program: string): Promise<unknown> {
    const env = { ...process.env, NODE_PATH: '', REDIS_URL: redis.server.url };
    const { stdout } = await execute(process.execPath, [program], { cwd: application, env });
    return JSON.parse(stdout);
  }

  /** The packages of Sluice that are there, without their scope. */
  async function installed(manager: string, application: string): Promise<readonly string[]> {
    if (manager === 'npm') return (await readdir(join(application, 'node_modules', '@sluice'))).toSorted();
    const names = await readdir(join(application, 'node_modules', '.pnpm'));
    return names.flatMap((name) => /^@sluice\+([a-z]+)@/.exec(name)?.[1] ?? []).toSorted();
  }

  const rows = ['npm', 'pnpm'].flatMap((manager) => Object.keys(FRAMEWORKS).map((name) => [manager, name] as const));

  it.each(rows)(
    'that %s installs limit a program of %s in memory, and with @sluice/redis and ioredis in two processes together',
    async (manager, name) => {
      await redis.client.flushall();
      const application = join(folder, `${manager}-${name}`);
      await cp(join(root, 'test', 'packaging', 'consumers', 'frameworks'), application, { recursive: true });
      const adapter = `@sluice/${name}`;

      await install(manager, application, [adapter], FRAMEWORKS[name]!);
      const alone = await installed(manager, application);
      const inMemory = await run(application, `${name}.memory.mjs`);
      await install(manager, application, [adapter, '@sluice/redis'], { ...FRAMEWORKS[name], ioredis: '^6.0.0' });
      const first = await run(application, `${name}.redis.mjs`);
      const second = await run(application, `${name}.redis.mjs`);

      expect(alone).toEqual(['core', 'http', name].toSorted());
      expect(await installed(manager, application)).toEqual(withDependencies([name, 'redis']).toSorted());
      expect(inMemory).toEqual([200, 200, 429]);
      expect([first, second]).toEqual([
        [200, 200, 429],
        [429, 429, 429],
      ]);
    },
    TIMEOUT_MS,
  );
});
