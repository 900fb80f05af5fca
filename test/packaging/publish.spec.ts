import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';

/** Stands for npm and its registry, which is the folder `stored`. FAILS is a package that cannot be published, or `view`. */
const NPM = `#!/bin/sh
name=$(basename "$2")
if [ "$1" = view ]; then
  [ "$FAILS" != view ] || { echo ECONNRESET >&2; exit 1; }
  cat "stored/$(echo "$2" | sed 's/@sluice./sluice-/; s/@/-/').tgz" 2> /dev/null || { echo 'npm error code E404' >&2; exit 1; }
else
  [ "$name" != "$FAILS" ] || exit 1
  cp "integrity/$name" "stored/$name"
  echo "$name" >> published
fi
`;

const packages = { cli: ['core', 'policies'], core: [], express: ['core'], policies: ['core'] };
const fileOf = (name: string) => `sluice-${name}-1.0.0.tgz`;

describe('scripts/publish.mjs', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-publish-'));
    await writeFile(join(folder, 'npm'), NPM);
    await chmod(join(folder, 'npm'), 0o755);
    for (const name of ['integrity', 'package', 'packed', 'stored']) await mkdir(join(folder, name));
    for (const [name, needed] of Object.entries(packages)) {
      const own = Object.fromEntries(needed.map((each) => [`@sluice/${each}`, '^1.0.0']));
      const manifest = { name: `@sluice/${name}`, version: '1.0.0', dependencies: { ...own, diff: '9.0.0' } };
      await writeFile(join(folder, 'package', 'package.json'), JSON.stringify(manifest));
      await execute('tar', ['-czf', join('packed', fileOf(name)), 'package'], { cwd: folder });
      const digest = createHash('sha512').update(await readFile(join(folder, 'packed', fileOf(name))));
      await writeFile(join(folder, 'integrity', fileOf(name)), `sha512-${digest.digest('base64')}`);
    }
  });

  afterEach(() => rm(folder, { recursive: true }));

  const publish = (fails = '') =>
    execute(process.execPath, [join(root, 'scripts', 'publish.mjs'), 'packed'], {
      cwd: folder,
      env: { ...process.env, FAILS: fails, PATH: `${folder}${delimiter}${process.env['PATH']}` },
    });
  const published = async () => (await readFile(join(folder, 'published'), 'utf8')).trim().split('\n');

  it('publishes a package after those that it depends on', async () => {
    await publish();

    expect(await published()).toEqual(['core', 'express', 'policies', 'cli'].map(fileOf));
  });

  it('continues where a run has stopped half way', async () => {
    await expect(publish(fileOf('policies'))).rejects.toThrow('npm publish');

    const { stdout } = await publish();

    expect(stdout).toMatch(/core@1\.0\.0 is there\n.*express@1\.0\.0 is there\n.*policies@1\.0\.0 is published\n/);
    expect(await published()).toEqual(['core', 'express', 'policies', 'cli'].map(fileOf));
  });

  it('stops when the registry does not answer what it has', async () => {
    await expect(publish('view')).rejects.toThrow('ECONNRESET');
  });
});
