import { readFile } from 'node:fs/promises';
import type { Tier } from '@sluice/core';
import { FILE_FEATURES, type PolicyDocument } from '@sluice/policies/operations';
import { usage } from '../failure/failure.js';
import type { AnyTier } from './any-tier.js';
import { chosenLimiters, type AnyLimiter } from './limiters.js';

/** The limiters by address of a file of policies. @throws Failure without one, or for several in one place; ConfigError */
export async function policyLimiters<S>(
  option: string,
  file: string,
  chosen: string | undefined,
): Promise<readonly AnyLimiter<S>[]> {
  const { readDocument } = await import('@sluice/policies/operations');
  const text = await readFile(file, 'utf8');
  const limiters = limitersByAddress<S>(
    readDocument(file, text, { keys: {}, plans: undefined, features: FILE_FEATURES, takesAnyName: true }),
  );
  if (limiters.length > 0) return chosenLimiters(`${option} ${file}`, limiters, chosen);
  throw usage(`${option} ${file}: no tier has key: ip, and the others depend on the code of the application`);
}

/** Those with tiers whose requests are known by their addresses. */
export function limitersByAddress<S>({ limiters, routes, entries }: PolicyDocument<never>): readonly AnyLimiter<S>[] {
  const isByAddress = ({ name, mode }: Tier<S>) => entries.get(name!)!.given['key'] === 'ip' && mode !== 'off';
  return [...limiters]
    .map(([name, tiers]) => ({
      name,
      routes: routes.get(name),
      tiers: (tiers as unknown as readonly Tier<S>[]).filter(isByAddress).map((tier) => {
        const { key: _key, ...others } = tier;
        return others as unknown as AnyTier<S>;
      }),
    }))
    .filter(({ tiers }) => tiers.length > 0);
}
