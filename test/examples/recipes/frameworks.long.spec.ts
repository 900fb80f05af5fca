import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pnpm } from '../../../scripts/pnpm.mjs';
import { root } from '../../../scripts/root.mjs';
import { execute } from '../../support/child.js';
import { onFreePort } from '../../support/free-port.js';
import { startOnPort } from '../../support/port-process.js';
import { untilAnswered } from '../../support/until.js';
import { frameworks, type Framework } from './frameworks.js';

/** npm installs over the network, and a framework builds. */
const TIMEOUT_MS = 600_000;

/** React Router 8 and SvelteKit 3 need Node 22. */
const NODE = `node-${process.platform}-${process.arch}`;

describe('a recipe in an application that its framework has built', () => {
  let folder: string;
  let tarball: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-frameworks-'));
    const packed = join(folder, 'packed');
    await mkdir(packed);
    await pnpm(['--dir', join(root, 'packages', 'core'), 'pack', '--pack-destination', packed], { stdio: 'ignore' });
    const [file] = await readdir(packed);
    tarball = join(packed, file!);
  }, TIMEOUT_MS);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Resolves with the folder of the application. */
  async function built({ name, recipe, file, packages, files, build }: Framework, env: NodeJS.ProcessEnv) {
    const cwd = join(folder, name.replace(' ', '-'));
    const sources = { 'package.json': '{ "private": true, "type": "module" }', ...files };
    for (const [path, text] of Object.entries(sources)) {
      await mkdir(dirname(join(cwd, path)), { recursive: true });
      await writeFile(join(cwd, path), `${text}\n`);
    }
    await mkdir(dirname(join(cwd, file)), { recursive: true });
    await cp(join(root, 'examples', 'recipes', recipe), join(cwd, file));
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--save-exact'];
    await execute('npm', [...install, tarball, `${NODE}@24.9.0`, ...packages], { cwd, env });
    const [program = '', ...args] = build;
    await execute(nodeIn(cwd), [join(cwd, 'node_modules', program), ...args], { cwd, env });
    return cwd;
  }

  it.each(frameworks.map((each) => [each.name, each] as const))(
    '%s admits five requests, and denies the sixth with its wait',
    async (_name, framework) => {
      const directory = await built(framework, { ...process.env, NODE_ENV: 'production' });
      const { port, end } = await onFreePort((free) =>
        startOnPort(free, {
          file: nodeIn(directory),
          args: framework.start(directory),
          directory,
          environment: { NODE_ENV: 'production', PORT: String(free), HOST: '127.0.0.1' },
        }),
      );
      const send = () =>
        fetch(`http://127.0.0.1:${port}${framework.path}`, { headers: { 'x-real-ip': '203.0.113.1' } });

      const answers = [await untilAnswered(send)];
      while (answers.length < 6) answers.push(await send());
      await end();

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
      expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual([
        '4',
        '3',
        '2',
        '1',
        '0',
        '0',
      ]);
      expect(answers[5]!.headers.get('retry-after')).toMatch(/^(?:[1-5]\d|60)$/);
    },
    TIMEOUT_MS,
  );
});

function nodeIn(folder: string): string {
  return join(folder, 'node_modules', NODE, 'bin', 'node');
}
