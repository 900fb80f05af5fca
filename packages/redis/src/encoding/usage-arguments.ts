import { openKey, usageKey } from '@sluice/core/internal';

/** What a script gets that counts usage: `usage.lua` and `usage.labels.lua` read it. */
export interface UsageArguments {
  /** Behind all other keys. */
  readonly keys: readonly string[];
  /** Behind all other arguments. */
  readonly args: readonly (string | number)[];
}

/** A key that is counted, and the text of `label` of its owner. */
export interface CountedKey {
  readonly key: string;
  readonly label: string | undefined;
}

/** Of keys that are counted, in their order. @param isCluster no script of a Cluster reaches the sets of open usage */
export function usageArguments(counted: readonly CountedKey[], isCluster: boolean): UsageArguments {
  const keys = counted.map(({ key }) => usageKey(key));
  const isNamed = counted.some(({ label }) => label !== undefined);
  const labels = isNamed ? counted.map(({ label = '' }) => label) : [];
  return { keys: [...keys, ...(isCluster ? [] : openKeysOf(keys))], args: [...labels, labels.length] };
}

/** The sets that the usage of these keys may be added to. */
export function openKeysOf(usageKeys: readonly string[]): readonly string[] {
  return [...new Set(usageKeys.map(openKey))];
}
