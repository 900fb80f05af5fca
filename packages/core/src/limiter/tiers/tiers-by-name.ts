import type { TierChoice } from '../../model/identity.js';
import { checkNames } from './arguments.js';
import type { TierDefinition } from './tier-definition.js';

/** The tiers that the options of a call name. @default all. @throws UsageError for a name that no tier has */
export function tiersByName<S>(
  call: string,
  tiers: readonly TierDefinition<S>[],
  names: TierChoice['tiers'],
): readonly TierDefinition<S>[] {
  if (names === undefined) return tiers;
  const known = tiers.map(({ name }) => name);
  checkNames(call, names, known);
  return tiers.filter(({ name }) => names.includes(name));
}
