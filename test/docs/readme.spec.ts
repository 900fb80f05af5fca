import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { blocksOf } from './blocks.js';
import { writeProgram } from './folder.js';
import { page } from './pages.js';
import { outputsOf } from './programs.js';

describe('The example of the README', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-readme-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('is short, and does what it says', async () => {
    const [{ code } = { code: '' }, ...others] = blocksOf(page('README.md'));
    const path = writeProgram(folder, 'readme.ts', code);

    const [output] = await outputsOf([path]);

    expect(others).toEqual([]);
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(15);
    expect(output).toBe('welcome, 9 left\n');
  });
});
