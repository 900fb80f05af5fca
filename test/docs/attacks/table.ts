import { exampleAttacks } from '../../examples/attacks.js';
import { markdownTable } from '../markdown-table.js';
import { page } from '../pages.js';
import { withResults } from '../simulation-results.js';
import { attacksByFile } from './attacks.js';

const HEADING = '## Guides and examples, attacked';
const HEAD = ['programs of', 'attacks', 'spec'];

/** `docs/proof.md` with what the simulation has found, and the table of all attacks on guides and examples. */
export function proofPage(): string {
  const { text } = page('docs/proof.md');
  const [before = '', section = ''] = text.split(`${HEADING}\n`);
  const [, table] = /^(\|[^]*\|)$/m.exec(section) ?? [];
  return `${withResults(before)}${HEADING}\n${section.replace(table ?? '', () => attackTable())}`;
}

/** A row for each guide and example: what a client tries is in the spec that it links. */
function attackTable(): string {
  const guides = Object.entries(attacksByFile).flatMap(([file, attacks]) =>
    attacks.map(({ program }) => ({ of: `guide/${program.split('#')[0]}`, spec: `test/docs/attacks/rows/${file}.ts` })),
  );
  const examples = exampleAttacks.map(({ example, holds }) => ({
    of: `../examples/${example}`,
    spec: typeof holds === 'string' ? holds : 'test/examples/attacks.ts',
  }));
  const attacked = [...guides.toSorted((one, other) => (one.of < other.of ? -1 : 1)), ...examples];
  const rows = [...new Set(attacked.map(({ of }) => of))].map((target) => {
    const specs = attacked.filter(({ of }) => of === target).map(({ spec }) => spec);
    const links = [...new Set(specs)].map((spec) => `[${nameOf(spec)}](../${spec})`);
    return [`[${nameOf(target)}](${target})`, String(specs.length), links.join(', ')];
  });
  return markdownTable(HEAD, rows);
}

function nameOf(path: string): string {
  return path
    .split('/')
    .at(-1)!
    .replace(/(?:\.spec)?\.\w+$/, '');
}
