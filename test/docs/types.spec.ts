import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { blocksOf } from './blocks.js';
import { sources, withFolder } from './folder.js';
import { pages } from './pages.js';

describe('The TypeScript of the pages', () => {
  const blocks = pages().flatMap(blocksOf);

  it('is there', () => {
    expect(blocks.length).toBeGreaterThan(10);
  });

  it('compiles, each block on its own', () => {
    const told = withFolder((folder) => {
      for (const { place, code } of blocks) writeFileSync(join(folder, `${place.replaceAll(/[/:]/g, '_')}.ts`), code);
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
      return compile(folder);
    });

    expect(told).toBe('');
  });
});

const configuration = {
  extends: join(root, 'tsconfig.base.json'),
  compilerOptions: {
    noEmit: true,
    types: ['node', 'jest'],
    typeRoots: [join(root, 'node_modules', '@types')],
    paths: {
      '@sluice/core': [sources['@sluice/core']],
      '@sluice/core/testing': [sources['@sluice/core/testing']],
      ioredis: [join(root, 'test', 'node_modules', 'ioredis', 'built', 'index.d.ts')],
    },
  },
  include: ['*.ts'],
};

/** What the compiler has to say, which is nothing where all is well. */
function compile(folder: string): string {
  try {
    return execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['--project', folder], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
