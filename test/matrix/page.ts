import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { markdownTable } from '../docs/markdown-table.js';
import { wrapped } from '../docs/wrapped.js';
import type { Peer } from './peers.js';
import type { Result, Results } from './results.js';
import type { Axis, Row } from './row.js';

export const PAGE = join(root, 'docs', 'reference', 'support.md');

export interface Support {
  /** The range of Node. */
  readonly node: string;
  readonly peers: readonly Peer[];
  readonly rows: readonly Pick<Row, 'axis' | 'name'>[];
  readonly results: Results;
}

/** What the rows of an axis have in common. */
const AXES: Readonly<Record<Axis, { readonly title: string; readonly runs: string }>> = {
  node: {
    title: 'Node',
    runs: 'All specs that `npm test` runs, on the lowest version that the packages admit and on the newest of each line.',
  },
  servers: {
    title: 'Redis and Valkey',
    runs: `Each spec that starts a server and has no framework as its subject. Each server is a package of Debian.`,
  },
  clients: {
    title: 'Clients of Redis',
    runs: `For ioredis the specs of the servers above. For clients that an application passes in: the store suite through each of
them, [other-clients.long.spec.ts](../../test/redis/other-clients.long.spec.ts).`,
  },
  frameworks: {
    title: 'Frameworks and metrics',
    runs: `The specs that use the package of the framework. The last row has the lowest version of each range together.`,
  },
};

/** docs/reference/support.md. */
export function supportPage({ node, peers, rows, results }: Support): string {
  const parts = [
    `# Supported versions

What Sluice runs on, and what was tested. \`npm run tool -- matrix\` runs the specs on each version, and writes this page.
[Versions](versions.md) says what a new version of Sluice may change.

## Ranges`,
    markdownTable(
      ['needs', 'range', 'packages'],
      [
        ['Node', code(node), 'all'],
        ['Redis', '7.0 or later', 'redis'],
        ['Valkey', '7.2 or later', 'redis'],
        ...peers.map(({ members, range, usedBy }) => [members.map(code).join(', '), code(range), usedBy.join(', ')]),
      ],
    ),
    ...Object.entries(AXES).flatMap(([axis, { title, runs }]) => [
      `## ${title}\n\n${wrapped(runs)}`,
      markdownTable(
        ['row', 'version', 'passed', 'date'],
        rows.filter((row) => row.axis === axis).map(({ name }) => cells(name, results[name])),
      ),
    ]),
    `## Gaps\n\n${gaps(rows, results).join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function cells(name: string, result: Result | undefined): readonly string[] {
  if (!result) return [name, '', 'not run', ''];
  const { version = '', outcome, date } = result;
  if (!outcome) return [name, version, 'not run', date];
  const { passed, failed } = outcome;
  return [name, version, failed > 0 ? `${passed}, ${failed} failed` : String(passed), date];
}

/** What did not run, what failed, and what passed only the second time. */
function gaps(rows: readonly Pick<Row, 'name'>[], results: Results): readonly string[] {
  const found = rows.flatMap(({ name }) => {
    const { outcome, gap, date } = results[name] ?? { gap: 'not run yet' };
    return [
      ...(gap === undefined ? [] : [`- ${name}: ${gap}.`]),
      ...(outcome && outcome.skipped > 0 ? [`- ${name}: ${outcome.skipped} tests were left out.`] : []),
      ...(outcome?.failures ?? []).map((failure) => `- ${name}: failed on ${date}: ${code(failure)}.`),
      ...(outcome?.unsteady ?? []).map((failure) => `- ${name}: failed once, and passed alone: ${code(failure)}.`),
    ];
  });
  return [...STANDING_GAPS.map((gap) => `- ${gap}`), ...found].map((line) => wrapped(line, '  '));
}

/** What no row can show. */
const STANDING_GAPS = [
  'Redis 7.2, 7.4, 8.2 and 8.8, and Valkey 7.2 and 9.2, are not in Debian, so no row runs them. Redis 8.8 of May 2026 and Valkey 9.2 of November 2026 are the newest.',
  'All rows run on Linux. On macOS and Windows nothing was run.',
  'Each row changes one thing. Node and framework rows run on the Redis of the machine; server and client rows on its Node.',
];

function code(text: string): string {
  return `\`${text}\``;
}
