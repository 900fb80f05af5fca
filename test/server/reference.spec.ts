import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProgram } from '../../packages/server/src/program/program-options.js';
import { SERVE_ROWS } from '../../packages/server/src/serve-options.js';
import { RULE_ROWS } from '../../packages/server/src/rules/read-rules.js';
import { root } from '../../scripts/root.mjs';

const page = readFileSync(join(root, 'docs', 'reference', 'server.md'), 'utf8');

describe('docs/reference/server.md', () => {
  it('has every option of the command, of serve and of a rule', () => {
    const flags = createProgram('0.0.0').options.map(({ flags: each }) => each);
    const names = [
      ...flags.filter((each) => !each.includes('--version')),
      ...Object.keys(SERVE_ROWS),
      ...Object.keys(RULE_ROWS),
    ];

    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
