/** @type {readonly import('./mutants.mjs').Mutant[]} */
export const cli = [
  {
    name: 'a key writes to the terminal of an operator',
    file: 'packages/cli/src/terminal/terminal.ts',
    text: "part === 'string' ? printable(part)",
    replacement: "part === 'string' ? part",
    specs: ['packages/cli/src/terminal/terminal.spec.ts'],
  },
  {
    name: 'JSON turns the direction of a line',
    file: 'packages/cli/src/terminal/printable.ts',
    text: 'JSON.stringify(value).replaceAll(UNPRINTABLE, escapeUnits)',
    replacement: 'JSON.stringify(value)',
    specs: ['packages/cli/src/terminal/terminal.spec.ts'],
  },
  {
    name: 'the name of a key ends the quotes of a command',
    file: 'packages/cli/src/terminal/shell.ts',
    text: `text.replaceAll("'", String.raw\`'\\''\`)`,
    replacement: 'text',
    specs: ['packages/cli/src/terminal/shell.spec.ts'],
  },
  {
    name: 'a program that is translated writes to the terminal',
    file: 'packages/migrate/src/terminal.ts',
    text: "part === 'string' ? printable(part)",
    replacement: "part === 'string' ? part",
    specs: ['packages/migrate/src/terminal.spec.ts'],
  },
  {
    name: 'a state that no tier explains counts as an answer',
    file: 'packages/cli/src/clients/tier-states.ts',
    text: 'states.others.length === 0 && ',
    replacement: '',
    specs: ['test/cli/plans.spec.ts'],
  },
];
