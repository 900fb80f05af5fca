import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/root.mjs';

/** Files that are parts of others, or have one spec together. */
const SPECS: Readonly<Record<string, string>> = {
  'graphql-cost': 'graphql',
  yoga: 'graphql',
  'apollo-server': 'graphql',
  nextjs: 'web',
  'react-router': 'web',
  sveltekit: 'web',
};

const files = readdirSync(join(root, 'examples', 'recipes')).filter((file) => /(?<!\.d)\.[jt]s$/.test(file));

describe.each(files)('the recipe %s', (file) => {
  const name = file.replace(/(?:\.test)?\.[jt]s$/, '');

  it('is run and attacked by a spec', () => {
    const spec = SPECS[name] ?? name;
    const paths = [`${spec}.spec.ts`, `${spec}.long.spec.ts`].map((each) => join(root, 'test/examples/recipes', each));

    expect(paths.filter((path) => existsSync(path))).toHaveLength(1);
  });

  it('is in the table of recipes.md, and says at its head what to know', () => {
    const page = readFileSync(join(root, 'docs/guide/recipes.md'), 'utf8');
    const text = readFileSync(join(root, 'examples/recipes', file), 'utf8');

    expect(page).toContain(`(../../examples/recipes/${file})`);
    expect(text).toMatch(/^\/\/ .+\n\/\/\n\/\/ - /);
  });
});
