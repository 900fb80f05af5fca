import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { programPaths } from './program-paths.js';

describe('The paths of a run', () => {
  let folder: string;
  const named = async (...paths: readonly string[]) =>
    (await programPaths(paths.map((path) => join(folder, path)))).map((path) => path.slice(folder.length + 1));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-paths-'));
    for (const path of [
      'src/app.ts',
      'src/app.d.ts',
      'src/limits/own.js',
      'src/limits/notes.md',
      'src/node_modules/peer/index.js',
      'src/dist/app.js',
      'test/app.spec.ts',
    ]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), '');
    }
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    [['src'], ['src/app.ts', 'src/limits/own.js']],
    [
      ['src/app.ts', 'src'],
      ['src/app.ts', 'src/limits/own.js'],
    ],
    [['src/**/*.js'], ['src/limits/own.js']],
    [['*/app*.ts'], ['src/app.d.ts', 'src/app.ts', 'test/app.spec.ts']],
    [['**/*.{js,md}'], ['src/limits/notes.md', 'src/limits/own.js']],
    [['src/ap?.ts'], ['src/app.ts']],
  ])('of %j are %j', async (given, paths) => {
    expect(await named(...given)).toEqual(paths);
  });

  it('keep a file that does not exist, which is said where it is read', async () => {
    expect(await named('src/none.ts')).toEqual(['src/none.ts']);
  });

  it.each([
    ['src/*.py', 'matches no file'],
    ['none/**/*.ts', 'matches no file'],
  ])('of %s are a mistake', async (pattern, message) => {
    await expect(programPaths([join(folder, pattern)])).rejects.toThrow(message);
  });

  it('of a folder without programs are a mistake', async () => {
    await mkdir(join(folder, 'empty'), { recursive: true });

    await expect(programPaths([join(folder, 'empty')])).rejects.toThrow(
      'is a folder without JavaScript and TypeScript',
    );
  });
});
