import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';
import { environment } from '../support/environment.js';
import { sluiceMigrate } from './sluice-migrate.js';

interface Manifest {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(root, 'packages/migrate/package.json'), 'utf8')) as Manifest;
const readme = readFileSync(join(root, 'packages/migrate/README.md'), 'utf8');

describe('@sluice/migrate as a command', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-migrate-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is the only one of its package, so that npx runs it, and depends on no other package of Sluice', () => {
    expect(Object.keys(manifest.bin)).toEqual(['sluice-migrate']);
    expect(Object.keys(manifest.dependencies).filter((name) => name.startsWith('@sluice/'))).toEqual([]);
  });

  it('says what it does and how it is called', async () => {
    const { code, stdout, stderr } = await sluiceMigrate(['--help']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Usage: sluice-migrate [options] <paths...>');
    expect(stdout).toContain('$ npx @sluice/migrate src');
  });

  it('names its version', async () => {
    expect(await sluiceMigrate(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  it.each([
    [[], "error: missing required argument 'paths'"],
    [['app.js', '--wirte'], "error: unknown option '--wirte'\n(Did you mean --write?)"],
  ])('says what is wrong with %j, and exits with 2', async (args, message) => {
    const { code, stdout, stderr } = await sluiceMigrate(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${message}\n(npx @sluice/migrate --help lists all options)`);
  });

  it('prints what its README shows', async () => {
    const [before, shown] = [...readme.matchAll(/^```(?:js|diff)\n([^]*?)^```$/gm)].map(([, text]) => text!);
    await writeFile(join(folder, 'app.js'), before!);

    const { code, stdout } = await sluiceMigrate(['app.js'], folder);

    expect(code).toBe(0);
    expect(stdout).toContain(shown);
  });

  it('prints no notes with --quiet', async () => {
    await writeFile(join(folder, 'other.js'), 'export {};\n');

    expect(await sluiceMigrate(['other.js', '--quiet'], folder)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('ends quietly when its reader has read enough', async () => {
    const command = `"${process.execPath}" packages/migrate/bin/sluice-migrate.js --help | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await execute('bash', ['--norc', '-c', command], { cwd: root, env: environment() });

    expect(stdout).toMatch(/^Usage: .+\n(0|141)\n$/);
    expect(stderr).toBe('');
  });
});
