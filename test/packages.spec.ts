import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkTarball, packPackages } from '../scripts/pack.mjs';
import { root } from '../scripts/root.mjs';

describe('the packed packages', () => {
  let folder: string;
  let consumer: string;
  let tarballs: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-packages-'));
    consumer = join(folder, 'consumer');
    await mkdir(join(folder, 'tarballs'));
    await cp(join(root, 'test', 'packages'), consumer, { recursive: true });
    tarballs = await packPackages(join(folder, 'tarballs'));
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs]);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('pass publint and attw', async () => {
    const codes = await Promise.all(tarballs.map(checkTarball));

    expect(codes).toEqual(tarballs.map(() => 0));
  });

  it('bring no Redis client along', async () => {
    const installed = await readdir(join(consumer, 'node_modules'));

    expect(installed).not.toContain('ioredis');
  });

  it.each([
    ['an ES module', 'esm.mjs'],
    ['CommonJS', 'cjs.cjs'],
  ])('work from %s in JavaScript', async (_name, file) => {
    const output = await run(process.execPath, [file]);

    expect(JSON.parse(output)).toEqual(expected);
  });

  it('work from both in TypeScript', async () => {
    await run(join(root, 'node_modules', '.bin', 'tsc'), ['--project', '.']);
    const outputs = await Promise.all(
      ['out/esm-typed.mjs', 'out/cjs-typed.cjs'].map((file) => run(process.execPath, [file])),
    );

    expect(outputs.map((output) => JSON.parse(output))).toEqual([expected, expected]);
  });

  const expected = { allowed: [true, true, false], testing: ['function', 'function'] };

  async function run(command: string, args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(command, args, { cwd: consumer }).catch((error: unknown) => {
      // The compiler says what is wrong on standard output, which the message leaves out.
      throw new Error(`${command}: ${(error as { stdout: string }).stdout}`, { cause: error });
    });
    return stdout;
  }
});
