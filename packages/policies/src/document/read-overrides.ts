import { createLimiter, type KeyFunction, type Tier } from '@sluice/core';
import { OptionReader } from '@sluice/http/adapter';
import { IdentityDigest } from '@sluice/metrics/operations';
import { overridesOf, type OverrideOptions } from '../overrides/index.js';
import { placed } from './placed.js';
import type { Path, SourceText } from './source-text.js';

const DIGEST_ROW = { is: /^[\w-]{22}$/, words: 'the 22 characters of an identity in a key' } as const;
const OPTIONS = ['tier', 'identity', 'digest', 'partition', 'limit', 'until', 'reason', 'by'];

/**
 * The list `overrides` of a file. Each is checked by a limiter that has its tier.
 *
 * @throws ConfigError with the place of the option
 */
export function readOverrides(
  source: SourceText,
  given: unknown,
  limiters: readonly (readonly Tier<never>[])[],
): readonly OverrideOptions[] {
  if (given === undefined) return [];
  const path: Path = ['overrides'];
  if (!Array.isArray(given)) throw source.fail(path, 'policies: overrides must be a list');
  const overrides = given.map((each: unknown, index) => readOverride(source, [...path, index], each));
  const names = limiters.flat().map(({ name }) => name!);
  for (const [index, { tier }] of overrides.entries()) {
    placed(source, [...path, index], () =>
      new OptionReader('override', { tier }, ['tier']).one('tier', { oneOf: names, required: true }),
    );
  }
  for (const tiers of limiters) checkOfLimiter(source, tiers, overrides);
  return overrides;
}

function readOverride(source: SourceText, path: Path, given: unknown): OverrideOptions {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw source.fail(path, 'override: it must be a map such as { tier, identity, limit, until, reason }');
  }
  return placed(source, path, () => {
    const reader = new OptionReader('override', given, OPTIONS);
    const { digest, ...options } = given as OverrideOptions & { readonly digest?: unknown };
    if (digest === undefined) return options;
    reader.one('digest', DIGEST_ROW);
    reader.check([{ option: 'digest', beside: 'identity', rule: 'stands in place of identity: leave one out' }]);
    return { ...options, identity: new IdentityDigest(digest as string) };
  });
}

function checkOfLimiter(
  source: SourceText,
  tiers: readonly Tier<never>[],
  overrides: readonly OverrideOptions[],
): void {
  const names = new Set(tiers.map(({ name }) => name));
  const own = overrides.flatMap((override, index) => (names.has(override.tier) ? [{ override, index }] : []));
  if (own.length === 0) return;
  const isPartitioned = own.some(({ override }) => override.partition !== undefined);
  const partition: KeyFunction<never> = () => 'partition';
  const limiter = createLimiter<never>({ tiers, ...(isPartitioned && { partition }) });
  try {
    const taken = new Map<string, number>();
    for (const { override, index } of own) {
      const path: Path = ['overrides', index];
      const checked = placed(source, path, () => overridesOf(limiter).check(override));
      const owner = [override.tier, checked.digest, checked.partition].join(' ');
      const first = taken.get(owner);
      if (first !== undefined) {
        const where = source.place(['overrides', first]);
        throw source.fail(
          path,
          `override: this identity has one in tier "${override.tier}" at ${where}: remove one of them`,
        );
      }
      taken.set(owner, index);
    }
  } finally {
    void limiter.close();
  }
}
