import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/root.mjs';
import { cache } from './cache.js';
import { Gap, type Row } from './row.js';
import { lowestOf } from './version-range.js';

/** The newest versions of the lines that Node maintains, or has maintained in the last year. */
const LINES = ['22', '24', '26'];

/** Node rows run the whole suite: on the lowest version that the packages admit, and on the newest of each line. */
export function nodeRows(): readonly Row[] {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
  return [lowestOf(engines.node), ...LINES].map((version) => ({
    axis: 'node',
    name: `Node ${version}`,
    async prepare() {
      const node = await install(version);
      return {
        version: node.version,
        folder: root,
        environment: { PATH: [node.folder, process.env['PATH']].join(delimiter) },
        dispose: async () => undefined,
      };
    },
  }));
}

/** npm has the program of each platform in a package without scripts. */
async function install(version: string): Promise<{ version: string; folder: string }> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(cache, `node-${version}`);
  mkdirSync(folder, { recursive: true });
  // A folder of its own, because npm would take the workspace above for the project.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: folder }).catch(
    (error: unknown) => {
      throw new Gap(`npm cannot install ${name}@${version}`, { cause: error });
    },
  );
  const installed = join(folder, 'node_modules', name);
  if (!existsSync(join(installed, 'bin'))) throw new Gap(`${name}@${version} holds no program`);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { version: string };
  return { version: manifest.version, folder: join(installed, 'bin') };
}
