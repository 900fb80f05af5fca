import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { packPackages } from '../../../scripts/pack.mjs';
import { root } from '../../../scripts/root.mjs';
import { withDependencies } from '../../../scripts/workspace.mjs';
import { execute } from '../../support/child.js';
import { onFreePort } from '../../support/free-port.js';
import { startOnPort } from '../../support/port-process.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { untilAnswered } from '../../support/until.js';
import { frameworks, type Framework } from './frameworks.js';

/** npm installs over the network, and a framework builds. */
const TIMEOUT_MS = 600_000;

/** React Router 8 and SvelteKit 3 need Node 22. */
const NODE = `node-${process.platform}-${process.arch}`;

/** Each claims another client. */
const FORGED = ['x-real-ip', 'x-forwarded-for', 'forwarded', 'cf-connecting-ip', 'x-client-ip', 'true-client-ip'].map(
  (name, index) => ({ [name]: `203.0.113.${index}` }),
);

describe.each(frameworks.map((each) => [each.name, each] as const))('a recipe in an application of %s', (_name, of) => {
  let redis: RedisServer;
  let folder: string;

  beforeAll(async () => {
    redis = await startRedis();
    folder = await mkdtemp(join(tmpdir(), 'sluice-frameworks-'));
    await build(of, folder);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await redis.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Sends requests to the application, one after the other. */
  async function answersTo(requests: readonly Record<string, string>[], settings: Record<string, string> = {}) {
    const { port, end } = await onFreePort((free) => {
      const environment = { PORT: String(free), HOST: '127.0.0.1', REDIS_URL: redis.url, REDIS_DEADLINE: '10s' };
      return startOnPort(free, {
        file: nodeIn(folder),
        args: of.start(folder),
        directory: folder,
        environment: { NODE_ENV: 'production', ...environment, ...settings },
      });
    });
    const answers: Response[] = [];
    for (const headers of requests) {
      answers.push(await untilAnswered(() => fetch(`http://127.0.0.1:${port}${of.path}`, { headers })));
    }
    await end();
    return answers;
  }

  it('admits five requests of a client that forges its address, and denies the sixth with its wait', async () => {
    const answers = await answersTo(FORGED);

    const remaining = answers.map(({ headers }) => headers.get('x-ratelimit-remaining'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(remaining).toEqual(['4', '3', '2', '1', '0', '0']);
    expect(answers[5]!.headers.get('retry-after')).toMatch(/^(?:[1-5]\d|60)$/);
    expect(answers[5]!.headers.get('content-type')).toContain('application/problem+json');
  });

  it('keeps a budget for each client that the header of a proxy names', async () => {
    const ada = Array.from({ length: 6 }, (_, index) => ({
      'x-real-ip': '198.51.100.1',
      'x-forwarded-for': `203.0.113.${index}`,
    }));

    const answers = await answersTo([...ada, { 'x-real-ip': '198.51.100.2' }], { ADDRESS_HEADER: 'x-real-ip' });

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 200]);
  });

  it('sends nothing of Sluice to browsers', async () => {
    const files = (await readdir(join(folder, of.browser), { recursive: true })).filter((file) => file.endsWith('.js'));

    expect(files).not.toEqual([]);
    for (const file of files) expect(await readFile(join(folder, of.browser, file), 'utf8')).not.toMatch(/sluice/i);
  });
});

/** Installs an application with the recipe and the packed library, and builds it. */
async function build({ recipe, file, packages, files, build: [program = '', ...args] }: Framework, folder: string) {
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const packed = join(folder, 'packed');
  await mkdir(packed);
  const all = await packPackages(packed);
  const tarballs = withDependencies(['http', 'redis']).flatMap((name) =>
    all.filter((path) => basename(path).startsWith(`sluice-${name}-`)),
  );
  const sources = { 'package.json': '{ "private": true, "type": "module" }', ...files };
  for (const [path, text] of Object.entries(sources)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `${text}\n`);
  }
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await cp(join(root, 'examples', 'recipes', recipe), join(folder, file));
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--save-exact'];
  await execute('npm', [...install, ...tarballs, `${NODE}@24.9.0`, ...packages], { cwd: folder, env });
  await execute(nodeIn(folder), [join(folder, 'node_modules', program), ...args], { cwd: folder, env });
}

function nodeIn(folder: string): string {
  return join(folder, 'node_modules', NODE, 'bin', 'node');
}
