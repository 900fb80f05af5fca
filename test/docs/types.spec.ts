import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { blocksOf, type Block } from './blocks.js';
import { withFolder } from './folder.js';
import { pages } from './pages.js';
import { sources } from './sources.js';

describe('The TypeScript of the pages', () => {
  const blocks = pages().flatMap(blocksOf);

  it('is there', () => {
    expect(blocks.length).toBeGreaterThan(10);
  });

  it.each([
    ['as it stands', blocks.filter((block) => !isNest(block)), {}],
    ['with the decorators of Nest', blocks.filter(isNest), { experimentalDecorators: true }],
  ])('compiles, each block on its own, %s', (_how, some, compilerOptions) => {
    const told = withFolder((folder) => {
      for (const { place, code } of some) writeFileSync(join(folder, `${place.replaceAll(/[/:]/g, '_')}.ts`), code);
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configurationWith(compilerOptions)));
      return compile(folder);
    });

    expect(told).toBe('');
  });
});

/** Nest is written in the decorators that TypeScript had first. */
function isNest({ code }: Block): boolean {
  return code.includes("'@nestjs/");
}

function configurationWith(compilerOptions: object): object {
  return {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: true,
      types: ['node', 'jest'],
      typeRoots: [join(root, 'node_modules', '@types')],
      paths: Object.fromEntries(Object.entries(sources).map(([name, { types }]) => [name, [types]])),
      ...compilerOptions,
    },
    include: ['*.ts'],
  };
}

/** What the compiler has to say, which is nothing where all is well. */
function compile(folder: string): string {
  try {
    return execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['--project', folder], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
