import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { blocksOf, type Block } from './blocks.js';
import { withFolder } from './folder.js';
import { pages } from './pages.js';
import { sources } from './sources.js';

describe('The TypeScript on the pages', () => {
  const blocks = pages().flatMap(blocksOf);

  it('has blocks', () => {
    expect(blocks.length).toBeGreaterThan(10);
  });

  it.each([
    ['without decorators', blocks.filter((block) => !isNest(block)), {}],
    ['with legacy decorators, for Nest', blocks.filter(isNest), { experimentalDecorators: true }],
  ])('compiles, each block as a module, %s', (_how, some, compilerOptions) => {
    const errors = withFolder((folder) => {
      for (const { place, code } of some) writeFileSync(join(folder, `${place.replaceAll(/[/:]/g, '_')}.ts`), code);
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configurationWith(compilerOptions)));
      return compile(folder);
    });

    expect(errors).toBe('');
  });
});

/** Nest uses the legacy decorators of TypeScript. */
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

/** The errors of the compiler; empty without errors. */
function compile(folder: string): string {
  try {
    return execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['--project', folder, '--checkers', '1'], {
      encoding: 'utf8',
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
