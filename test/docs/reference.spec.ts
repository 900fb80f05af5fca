import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { algorithms } from '../../packages/core/src/algorithms/index.js';
import { TIER_OPTIONS } from '../../packages/core/src/limiter/tier.js';
import { root } from '../../scripts/root.mjs';
import { page } from './pages.js';

describe('The reference', () => {
  it.each(codes())('says what %s is', (code) => {
    expect(page('docs/reference/errors.md').text).toContain(`\`${code}\``);
  });

  it.each(Object.values(algorithms).map(({ name, options }) => [name, options] as const))(
    'has every option of %s',
    (name, options) => {
      const section = sectionOf(page('docs/reference/tiers.md').text, name);

      expect(options.filter((option) => !section.includes(`\`${option}\``))).toEqual([]);
    },
  );

  it('has every option of a tier', () => {
    const { text } = page('docs/reference/tiers.md');

    expect(TIER_OPTIONS.filter((option) => !text.includes(`### ${option}\n`))).toEqual([]);
  });

  it.each([
    ['docs/reference/limiter.md', 'limiter/limiter-options.ts', 'SharedLimiterOptions'],
    ['docs/reference/limiter.md', 'limiter/limiter.ts', 'Limiter'],
    ['docs/reference/limiter.md', 'stores/memory/memory-store.ts', 'MemoryStoreOptions'],
    ['docs/reference/limiter.md', 'stores/redis/redis-options.ts', 'RedisOptions'],
    ['docs/reference/decision.md', 'model/decision.ts', 'Decision'],
    ['docs/reference/decision.md', 'model/outcome.ts', 'Outcome'],
    ['docs/guide/own-store.md', 'stores/store.ts', 'Store'],
    ['docs/guide/own-store.md', 'stores/store.ts', 'Answer'],
    ['docs/guide/own-store.md', 'model/claim.ts', 'Claim'],
  ])('%s has every member of %s, %s', (path, source, name) => {
    const { text } = page(path);

    const members = membersOf(source, name);

    expect(members.length).toBeGreaterThan(0);
    expect(members.filter((member) => !new RegExp(`\`(?:[a-z]+\\.)?${member}\\b`).test(text))).toEqual([]);
  });
});

function codes(): readonly string[] {
  const [, union = ''] = /export type ErrorCode =([^;]+);/.exec(read('model/errors.ts')) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code!);
}

/** The names that stand in an interface, at its first level. */
function membersOf(source: string, name: string): readonly string[] {
  const [, body = ''] =
    new RegExp(`export interface ${name}(?:<\\w+>)?(?: extends [^{]+)? {\\n([^]*?)\\n}`).exec(read(source)) ?? [];
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, member]) => member!);
}

function read(source: string): string {
  return readFileSync(join(root, 'packages', 'core', 'src', source), 'utf8');
}

function sectionOf(text: string, heading: string): string {
  return text.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? '';
}
