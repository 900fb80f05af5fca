import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';

const core = 'packages/core/src';

/** The members of an interface, and which of them may be left out. */
function membersOf(
  file: string,
  name: string,
): { readonly all: readonly string[]; readonly optional: readonly string[] } {
  const text = readFileSync(join(root, core, file), 'utf8');
  const [, body = ''] = new RegExp(`^export interface ${name}\\b[^]*?\\{\\n([^]*?)^\\}`, 'm').exec(text) ?? [];
  const found = [...body.matchAll(/^ {2}(?:readonly )?(\w+)(\??)[:(<]/gm)];
  return {
    all: found.map(([, member]) => member!),
    optional: found.flatMap(([, member, mark]) => (mark === '?' ? [member!] : [])),
  };
}

// What one feature needs of an algorithm is a facet of it, and of a policy a value that the feature carries.
describe('The contracts that all rooms share', () => {
  it.each([
    ['Algorithm', 'algorithms/algorithm.ts', 17, ['staysUntil', 'tell', 'group']],
    ['AlgorithmFacts', 'model/algorithm-facts.ts', 11, []],
    ['Policy', 'model/policy.ts', 12, ['windows', 'unit', 'calendar']],
    ['Claim', 'model/claim.ts', 8, ['name', 'terms']],
    ['Store', 'stores/store.ts', 6, []],
    ['RemoteStore', 'stores/store.ts', 3, []],
    ['NamedAlgorithm', 'algorithms/algorithm.ts', 8, ['aliases', 'moving', 'tierOptions', 'rules']],
  ])('have no more members than this: %s', (name, file, most, optional) => {
    const members = membersOf(file, name);

    expect(members.all.length > most ? members.all : []).toEqual([]);
    expect(members.all.length).toBeGreaterThan(most - 3);
    expect(members.optional).toEqual(optional);
  });
});
