import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProgram } from '../../packages/server/src/program/program-options.js';
import { BOUND_ROWS, LISTEN_ROWS, SERVE_ROWS, TLS_ROWS } from '../../packages/server/src/serve-options.js';
import { PART_ROWS, RULE_ROWS } from '../../packages/server/src/rules/read-rules.js';
import { CHECK_ROWS, REFUND_ROWS, REQUEST_ROWS, SETTLE_ROWS } from '../../packages/server/src/http/routes.js';
import { root } from '../../scripts/root.mjs';

const page = readFileSync(join(root, 'docs', 'reference', 'server.md'), 'utf8');

describe('docs/reference/server.md', () => {
  it('has every option of the command, of serve, of a rule and of each route', () => {
    const flags = createProgram('0.0.0').options.map(({ flags: each }) => each);
    const names = [
      ...flags.filter((each) => !each.includes('--version')),
      ...[SERVE_ROWS, LISTEN_ROWS, BOUND_ROWS, TLS_ROWS, PART_ROWS, RULE_ROWS].flatMap((rows) => Object.keys(rows)),
      ...[CHECK_ROWS, REQUEST_ROWS, REFUND_ROWS, SETTLE_ROWS].flatMap((rows) => Object.keys(rows)),
    ];

    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
