import { keyKinds, KeyTable, type KeyName } from '@sluice/metrics/operations';
import { lineKeys } from '@sluice/overload/internal';
import { policyKeys } from '@sluice/policies/operations';

/** The name of a state of a tier. */
export type StateName = KeyName & { readonly [Part in 'tier' | 'shape' | 'digest']: string };

/** Every kind of key that Sluice writes, under these prefixes. */
export function keyTable(prefixes: readonly string[]): KeyTable {
  return new KeyTable([...keyKinds, ...lineKeys, ...policyKeys], prefixes);
}

export function isState(name: KeyName): name is StateName {
  return name.kind.code !== undefined;
}
