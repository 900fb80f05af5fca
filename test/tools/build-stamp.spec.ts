import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isBuilt, setBuilt } from '../../scripts/build-stamp.mjs';

describe('isBuilt', () => {
  let workspace: string;

  const write = async (file: string, text: string) => {
    await mkdir(dirname(join(workspace, file)), { recursive: true });
    await writeFile(join(workspace, file), text);
  };

  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'sluice-stamp-'));
    await write('packages/core/src/index.ts', 'source');
    await write('packages/core/dist/esm/index.js', 'output');
  });

  afterEach(() => rm(workspace, { recursive: true }));

  it('is false before a build, and true after it', () => {
    const before = isBuilt(workspace);
    setBuilt(workspace);

    expect([before, isBuilt(workspace)]).toEqual([false, true]);
  });

  it.each([
    'packages/core/src/index.ts',
    'packages/core/dist/esm/index.js',
    'scripts/bundle.mjs',
    'tsconfig.build.json',
  ])('is false after a change of %s', async (file) => {
    setBuilt(workspace);
    await write(file, 'another');

    expect(isBuilt(workspace)).toBe(false);
  });

  it('is false after an output was removed', async () => {
    setBuilt(workspace);
    await rm(join(workspace, 'packages/core/dist/esm/index.js'));

    expect(isBuilt(workspace)).toBe(false);
  });

  it('is true after a change of what no build reads', async () => {
    setBuilt(workspace);
    await write('packages/core/src/index.spec.ts', 'spec');
    await write('packages/core/node_modules/a/index.js', 'dependency');
    await write('test/index.ts', 'test');

    expect(isBuilt(workspace)).toBe(true);
  });
});
