import { mutants } from '../mutants/mutants.mjs';
import { noTargets } from '../simulation/no-targets.mjs';
import { page } from './pages.js';
import { proofPage } from './simulation-results.js';

describe('docs/proof.md', () => {
  it('has what the simulation has found (otherwise run `npm run reference`)', () => {
    expect(page('docs/proof.md').text).toBe(proofPage());
  });

  it('gives reasons for mutants that exist', () => {
    const names = new Set(mutants.map(({ name }) => name));

    expect([...noTargets.keys()].filter((name) => !names.has(name))).toEqual([]);
  });
});
