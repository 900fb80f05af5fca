import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';
import { withRedis } from '../support/redis-store.js';
import { installInto } from './installed.js';

const folderOfBundlers = join(root, 'test', 'packaging', 'bundlers');
const TIMEOUT_MS = 60_000;

/** The same program with `require`. */
function asCommonJs(program: string): string {
  return program
    .replaceAll(/^import (.+) from ('.+');$/gm, 'const $1 = require($2);')
    .replaceAll(/^import ('.+');$/gm, 'require($1);');
}

describe('A bundle', () => {
  const redis = withRedis();
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-bundlers-'));
    installInto(folder, ['hono', 'overload', 'quotas', 'redis'], ['hono', 'ioredis']);
    const program = readFileSync(join(folderOfBundlers, 'programs', 'limits.mjs'), 'utf8');
    writeFileSync(join(folder, 'limits.mjs'), program);
    writeFileSync(join(folder, 'limits.cjs'), asCommonJs(program));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const bundlers = ['esbuild', 'tsup', 'rollup', 'rolldown', 'webpack', 'vite'];
  const formats = ['esm', 'cjs'] as const;
  const rows = bundlers.flatMap((bundler) => formats.map((format) => [bundler, format, 'limits.mjs'] as const));

  it.each([...rows, ['ncc', 'esm', 'limits.mjs'] as const, ['ncc', 'cjs', 'limits.cjs'] as const])(
    'of %s as %s limits in memory and on Redis where nothing is installed',
    async (bundler, format, program) => {
      await redis.client.flushall();
      const to = join(mkdtempSync(join(tmpdir(), 'sluice-bundle-')), 'dist');
      mkdirSync(to);
      const tool = [join(folderOfBundlers, 'bundle.mjs'), bundler, join(folder, program), to, format];
      // The folder of a bundler has no tsconfig.json, which some of them read.
      await execute(process.execPath, tool, { cwd: to });
      // webpack writes the place of each module into a bundle, where its createRequire would still find ioredis.
      rmSync(folder, { recursive: true });
      const file = readdirSync(to).find((name) => /^app\.[cm]js$/.test(name))!;
      // A script of a package manager may have set NODE_PATH, where ioredis would be found.
      const env = { ...process.env, NODE_PATH: '', REDIS_URL: redis.server.url };
      const { stdout } = await execute(process.execPath, ['--no-warnings', join(to, file)], { cwd: to, env });
      rmSync(to, { recursive: true });

      expect(file).toBe(format === 'esm' ? 'app.mjs' : 'app.cjs');
      expect(JSON.parse(stdout)).toEqual({
        memory: [true, true, false],
        redis: [true, true, false],
        credits: 9,
        statuses: [200, 200, 429],
        mistake: 'limiter: windw is not an option here: did you mean window?',
        withoutClient: expect.stringContaining('redisStore(new Redis(url))'),
      });
    },
    TIMEOUT_MS,
  );
});
