import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { algorithms } from '../../packages/core/src/algorithms/named/algorithms.js';
import { LIMITER_ROWS } from '../../packages/core/src/limiter/limiter-options.js';
import { TIER_ROWS } from '../../packages/core/src/limiter/tiers/tier-rows.js';
import { mutants } from '../mutants/mutants.mjs';
import { noTargets } from '../simulation/no-targets.mjs';
import { page } from './pages.js';
import { proofPage } from './simulation-results.js';

const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

/** What fleets are made of, without its comments. */
function kindsText(): string {
  const folder = 'test/simulation/kinds';
  const texts = readdirSync(join(root, folder)).map((file) => textOf(join(folder, file)));
  return texts.join('\n').replaceAll(/^ *(\/\/|\/?\*).*$/gm, '');
}

describe('docs/proof.md', () => {
  it('has what the simulation has found (otherwise run `npm run reference`)', () => {
    expect(page('docs/proof.md').text).toBe(proofPage());
  });

  it('gives reasons for mutants that exist', () => {
    const names = new Set(mutants.map(({ name }) => name));

    expect([...noTargets.keys()].filter((name) => !names.has(name))).toEqual([]);
  });

  it('lists specs of the long tests that no mutant names', () => {
    const [, section] = /## Judged by the long tests alone([^]*?)\n## /.exec(page('docs/proof.md').text)!;
    const listed = Array.from(section!.matchAll(/\]\(\.\.\/([^)]+)\)/g), ([, path]) => path!);
    const named = mutants.flatMap(({ specs }) => specs);

    expect(listed.filter((path) => !path.endsWith('.long.spec.ts'))).toEqual([]);
    expect(listed.filter((path) => named.some((each) => path.startsWith(each)))).toEqual([]);
  });

  it('names each algorithm, option and function of a limiter that no simulated fleet has', () => {
    const [, section] = /\*\*Not simulated\*\*([^]*?)\n### /.exec(page('docs/proof.md').text)!;
    const kinds = kindsText();
    const options = [TIER_ROWS, LIMITER_ROWS, ...algorithms().map((each) => each.options)].flatMap(Object.keys);
    // A rate without a name is a sliding window.
    const others = algorithms().flatMap(({ name }) => (name === 'sliding-window' ? [] : name));
    const names = [...options, ...others].filter(
      (name) => !new RegExp(`'${name}'|[{,(\\s]${name}(:|,| \\}|\\()`).test(kinds),
    );
    const limiter = /export interface Limiter<[^]*?\n}/.exec(textOf('packages/core/src/limiter/limiter.ts'))![0];
    const functions = Array.from(limiter.matchAll(/^ {2}(\w+)\(/gm), ([, name]) => name!);
    const uncalled = functions.filter((name) => !kinds.includes(`.${name}(`));

    expect(names.length + uncalled.length).toBeGreaterThan(10);
    expect([...names, ...uncalled].filter((name) => !section!.includes(`\`${name}\``))).toEqual([]);
  });
});
