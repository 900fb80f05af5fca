import { exampleAttacks } from '../../examples/attacks.js';
import { markdownTable } from '../markdown-table.js';
import { page } from '../pages.js';
import { attacksByFile } from './attacks.js';

const HEADING = '## Guides and examples, attacked';
const HEAD = ['program', 'what a client tries', 'spec'];

/** `docs/proof.md` with the table of all attacks on guides and examples. */
export function proofPage(): string {
  const { text } = page('docs/proof.md');
  const [before = '', section = ''] = text.split(`${HEADING}\n`);
  const [, table] = /^(\|[^]*\|)$/m.exec(section) ?? [];
  return `${before}${HEADING}\n${section.replace(table ?? '', () => attackTable())}`;
}

function attackTable(): string {
  const guides = Object.entries(attacksByFile).flatMap(([file, attacks]) =>
    attacks.map(({ program, tries }) => {
      const [target = '', nth] = program.split(' ');
      const [name, section] = target.split('#');
      const label = `${name}, ${section!.replaceAll('-', ' ')}${nth === undefined ? '' : `, program ${nth}`}`;
      return [`[${label}](guide/${target})`, tries, `[${file}](../test/docs/attacks/rows/${file}.ts)`];
    }),
  );
  const examples = exampleAttacks.map(({ example, tries, holds }) => {
    const spec = typeof holds === 'string' ? holds : 'test/examples/attacks.ts';
    const [, file] = /([\w-]+)\.(?:spec\.)?ts$/.exec(spec)!;
    return [`[${example}](../examples/${example})`, tries, `[${file}](../${spec})`];
  });
  return markdownTable(HEAD, [...guides.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)), ...examples]);
}
