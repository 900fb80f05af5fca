import { type Claim, openKey, usageKey } from '@sluice/core/internal';

/** What a script gets that counts usage: `usage.lua` and `usage.labels.lua` read it. */
export interface UsageArguments {
  /** Behind all other keys. */
  readonly keys: readonly string[];
  /** Behind all other arguments. */
  readonly args: readonly (string | number)[];
}

/** Of claims that are counted, in their order. @param isCluster no script of a Cluster reaches the sets of open usage */
export function usageArguments(claims: readonly Pick<Claim, 'key' | 'label'>[], isCluster: boolean): UsageArguments {
  const keys = claims.map(({ key }) => usageKey(key));
  const isNamed = claims.some(({ label }) => label !== undefined);
  const labels = isNamed ? claims.map(({ label = '' }) => label) : [];
  return { keys: [...keys, ...(isCluster ? [] : openKeysOf(keys))], args: [...labels, labels.length] };
}

/** The sets that the usage of these keys may be added to. */
export function openKeysOf(usageKeys: readonly string[]): readonly string[] {
  return [...new Set(usageKeys.map(openKey))];
}
