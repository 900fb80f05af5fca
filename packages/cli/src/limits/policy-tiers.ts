import { readFile } from 'node:fs/promises';
import type { Tier } from '@sluice/core';
import type { PolicyDocument } from '@sluice/policies/operations';
import { usage } from '../failure.js';
import type { AnyTier } from './any-tier.js';

/** The tiers by address of a file of policies. @throws Failure without one; ConfigError */
export async function policyTiers<S>(option: string, file: string): Promise<readonly AnyTier<S>[]> {
  const { readDocument } = await import('@sluice/policies/operations');
  const text = await readFile(file, 'utf8');
  const tiers = tiersByAddress<S>(readDocument(file, text, { keys: {}, plans: undefined, takesAnyName: true }));
  if (tiers.length > 0) return tiers;
  throw usage(`${option} ${file}: no tier has key: ip, and the others depend on the code of the application`);
}

/** Those whose requests are known by their addresses. */
export function tiersByAddress<S>({ limiters, entries }: PolicyDocument<never>): readonly AnyTier<S>[] {
  const tiers = [...limiters.values()].flat() as unknown as readonly Tier<S>[];
  return tiers
    .filter(({ name, mode }) => entries.get(name!)!.given['key'] === 'ip' && mode !== 'off')
    .map((tier) => {
      const { key: _key, ...others } = tier;
      return others as unknown as AnyTier<S>;
    });
}
