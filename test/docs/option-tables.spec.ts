import { CACHED_ROWS } from '../../packages/core/src/limiter/cached.js';
import { formatDuration } from '../../packages/core/src/model/duration.js';
import type { OptionRow, OptionRows } from '../../packages/core/src/options/option-row.js';
import { MEMORY_ROWS } from '../../packages/core/src/stores/memory/memory-store.js';
import { LOGIN_ROWS } from '../../packages/http/src/sign-in/login-tiers.js';
import { OVERRIDE_ROWS } from '../../packages/policies/src/overrides/read-override.js';
import { DEADLINE_ROWS } from '../../packages/redis/src/shared-batcher.js';
import { page } from './pages.js';

const { load: _argument, ...CACHED_OPTIONS } = CACHED_ROWS;

/** Headings of the reference, and the table of code whose options stand below. */
const TABLES: readonly (readonly [heading: string, rows: OptionRows])[] = [
  ['## cached(load, options)', CACHED_OPTIONS],
  ['## loginTiers(options)', LOGIN_ROWS],
  ['### memoryStore(options)', MEMORY_ROWS],
  ['### redisStore(client, options)', DEADLINE_ROWS],
  ['### overridesOf(limiter)', OVERRIDE_ROWS],
];

const cases = TABLES.flatMap(([heading, rows]) =>
  Object.entries(rows).map(([option, row]) => ({ heading, option, row })),
);

describe.each(cases)('The reference of $option below $heading', ({ heading, option, row }) => {
  const { text } = page('docs/reference/limiter.md');
  const section = text.slice(text.indexOf(`${heading}\n`) + heading.length).split(/^##/m)[0]!;
  const line = section.split('\n').find((each) => each.startsWith(`| \`${option}\` `)) ?? '';

  it('says whether it is required, its default and its bounds, as the code has them', () => {
    const said = line.replaceAll(/(?<=\d) (?=\d|ms|s\b)/g, '');

    expect(line.includes('| required')).toBe(row.required === true);
    expect(factsOf(row).filter((fact) => !said.includes(fact))).toEqual([]);
  });
});

/** What a page must say of an option. */
function factsOf({ otherwise, milliseconds }: OptionRow): readonly string[] {
  const range = milliseconds?.range.replaceAll(/(?<=\d) (?=ms|s\b)/g, '');
  const number = milliseconds === undefined ? String(otherwise) : formatDuration(Number(otherwise) * 1e3);
  const given = typeof otherwise === 'number' ? number : `'${String(otherwise)}'`;
  return [...(otherwise === undefined ? [] : [given]), ...(range === undefined ? [] : [range])];
}
