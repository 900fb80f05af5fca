import type { ConfigError } from '@sluice/core';
import { FLAG, type OptionReader } from '@sluice/http/adapter';
import type { fair } from '@sluice/overload/fair';
import type { lines } from '@sluice/overload/line';
import type { quotas } from '@sluice/quotas';
import type { PolicyExtension } from './policy-extension.js';

/** What some texts of a file stand for. A program imports and passes what its file uses, so that it loads nothing else. */
export type PolicyFeature = ImportedFeature | PolicyExtension;

type ImportedFeature = typeof quotas | typeof fair | typeof lines;

const PLACES: Readonly<Record<ImportedFeature['name'], string>> = {
  quotas: '@sluice/quotas',
  fair: '@sluice/overload/fair',
  lines: '@sluice/overload/line',
};

/** True for what these packages export, also another copy of them, and for an extension. */
export function isPolicyFeature(value: unknown): value is PolicyFeature {
  if (typeof value !== 'object' || value === null) return false;
  const { name } = value as { readonly name?: unknown };
  return isExtension(value) || (typeof name === 'string' && Object.hasOwn(PLACES, name));
}

/** The extensions among features. */
export function extensionsIn(features: readonly PolicyFeature[]): readonly PolicyExtension[] {
  return features.filter(isExtension);
}

function isExtension(value: object): value is PolicyExtension {
  const { extension, read } = value as Partial<PolicyExtension>;
  return typeof extension === 'string' && typeof read === 'function';
}

/** The feature that an option of a file needs. @throws ConfigError that says what to pass */
export function featureFor<Name extends ImportedFeature['name']>(
  features: readonly PolicyFeature[],
  name: Name,
  fail: (rule: string) => ConfigError,
): Extract<ImportedFeature, { name: Name }> {
  const found = features.find((each) => 'name' in each && each.name === name);
  if (found !== undefined) return found as Extract<ImportedFeature, { name: Name }>;
  throw fail(`needs a feature: import { ${name} } from '${PLACES[name]}', and give openPolicies features: [${name}]`);
}

/** The options of a tier with the values that the texts of quotas stand for. @throws ConfigError */
export function withQuotas(
  reader: OptionReader,
  given: Readonly<Record<string, unknown>>,
  features: readonly PolicyFeature[],
): Readonly<Record<string, unknown>> {
  const { algorithm, covers, split, lowBalance, notices, usage: _usage, ...others } = given;
  const quotasFor = (option: string) =>
    featureFor(features, 'quotas', (rule) => reader.fail('OPTION_INVALID', option, rule));
  const balances = { covers, split, lowBalance } as Readonly<Record<string, unknown>>;
  const alone = Object.keys(balances).find((name) => balances[name] !== undefined);
  if (alone !== undefined && algorithm !== 'balance') {
    throw reader.fail('OPTION_UNKNOWN', alone, 'is an option of balance: set algorithm');
  }
  reader.one('notices', { is: 'array', words: 'a list of parts of the limit, such as [0.75, 0.9]' });
  const counts = reader.one('usage', FLAG);
  const isBalance = algorithm === 'balance';
  return {
    ...others,
    ...(isBalance && {
      algorithm: quotasFor('algorithm').balance(balances),
    }),
    ...(!isBalance && algorithm !== undefined && { algorithm }),
    ...(notices !== undefined && { notices: quotasFor('notices').notices(...(notices as readonly number[])) }),
    ...(counts && { usage: quotasFor('usage').usage() }),
  };
}
