import { definePolicy, type ConfigError, type KeyFunction, type PolicyOptions, type Tier } from '@sluice/core';
import { OptionReader, type OptionRow, show, type CombinationRule } from '@sluice/http/adapter';
import { algorithmNamed } from '@sluice/metrics/operations';
import type { DocumentContext } from './document-context.js';
import { keyNames, keyOf } from './key-names.js';
import { limitByPlan, limitOf, type UnitsByPlan } from './limit-value.js';
import { numbersOf } from './numbers.js';
import { placed } from './placed.js';
import { withQuotas } from './policy-features.js';
import type { Path, SourceText } from './source-text.js';
import { readValues } from './tier-values.js';

/** Options of a tier that only code has. */
const OF_CODE: readonly CombinationRule[] = ['record', 'label'].map((option) => ({
  option,
  rule: 'is a function of the request: a file has none, so leave it out',
}));
const OTHERWISE = 'otherwise';
const UNITS = 'an integer of at least 0, or null';
const LIMIT_ROW: OptionRow = {
  code: 'LIMIT_INVALID',
  is: (units) => units === null || (Number.isSafeInteger(units) && (units as number) >= 0),
  words: `${UNITS}, or such a limit for each plan`,
};

/** A tier in a file. */
export interface TierEntry {
  readonly source: SourceText;
  readonly path: Path;
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
}

/**
 * The tier of code that an entry of a file stands for. Its options are those of code, which checks them.
 *
 * @throws ConfigError that begins with the place of what only a file can have wrong
 */
export function readTier<S>(entry: TierEntry, context: DocumentContext<S>): Tier<S> {
  const { source, path, name, given } = entry;
  const reader = new OptionReader(`tier "${name}"`, given, Object.keys(given));
  return placed(source, path, () => {
    reader.check(OF_CODE);
    checkTexts(reader, given);
    const key = readKey(reader, context);
    const own = { ...withQuotas(reader, given, context.features ?? []), key, ...readValues(reader, context) };
    if (!('limit' in given)) return own as Tier<S>;
    const { limit } = given;
    return { ...own, limit: isMap(limit) ? readPlans(entry, context, own) : readLimit(reader, given) } as Tier<S>;
  });
}

/** YAML 1.2 reads `1_000` as text, and so does every version what is in quotes. @throws ConfigError */
function checkTexts(reader: OptionReader, given: Readonly<Record<string, unknown>>): void {
  for (const [option, value] of Object.entries(given)) {
    if (option === 'name' || option === 'key' || typeof value !== 'string' || !/^\d[\d_]*$/.test(value)) continue;
    const number = value.replaceAll('_', '');
    throw reader.fail('OPTION_INVALID', option, `must be a number, not text: write ${number}`);
  }
}

function readKey<S>(reader: OptionReader, { keys, takesAnyName }: DocumentContext<S>): KeyFunction<S> {
  const words = `one of ${keyNames(keys).join(', ')}`;
  const is = (name: unknown) => {
    if (typeof name !== 'string') return false;
    if (keyOf(name, keys) !== undefined || (takesAnyName && name !== '')) return true;
    return `must be ${words}: give openPolicies the function as keys: { ${JSON.stringify(name)}: … }`;
  };
  const name = reader.one('key', { code: 'KEY_INVALID', is, words, required: true }) as string;
  return keyOf(name, keys) ?? (() => name);
}

function readLimit<S>(reader: OptionReader, given: TierEntry['given']): Tier<S>['limit' & keyof Tier<S>] {
  const units = reader.one('limit', LIMIT_ROW) as number | null;
  return limitOf(units, isSizedBucket(given)) as Tier<S>['limit' & keyof Tier<S>];
}

/** The limit of a map such as `{ free: 100, pro: 1000, otherwise: 100 }`. Each number is checked at its place. */
function readPlans<S>(
  { source, path, name, given }: TierEntry,
  { plans, takesAnyName }: DocumentContext<S>,
  own: TierEntry['given'],
) {
  const at = [...path, 'limit'];
  const limits = given['limit'] as Readonly<Record<string, unknown>>;
  const fail = (plan: string, rule: string) => {
    const where = plan in limits ? [...at, plan] : at;
    return source.fail(where, `tier "${name}": limit.${plan} ${rule}`, { code: 'LIMIT_INVALID' });
  };
  if (!Object.hasOwn(limits, OTHERWISE)) throw fail(OTHERWISE, 'is missing: it is the limit of every other plan');
  for (const [plan, units] of Object.entries(limits)) {
    if (units === null || units === 0) continue;
    if (typeof units !== 'number') throw fail(plan, `must be ${UNITS}, got ${show(units)}`);
    const mistake = mistakeIn(own, name, units);
    if (mistake !== undefined)
      throw source.fail([...at, plan], mistake.message, { code: mistake.code, cause: mistake });
  }
  if (plans === undefined && !takesAnyName) {
    throw source.fail(at, `tier "${name}": limit has plans: give openPolicies the function plans, which names them`);
  }
  return limitByPlan<S>(limits as UnitsByPlan, plans ?? (() => undefined));
}

/** What is wrong with a number as the limit of a tier. Code says what is wrong with its other options. */
function mistakeIn(own: Readonly<Record<string, unknown>>, name: string, limit: number): ConfigError | undefined {
  const numbers = numbersOf(own);
  if (numbers === undefined) return undefined;
  try {
    definePolicy({ ...numbers, limit } as PolicyOptions, `tier "${name}"`);
    return undefined;
  } catch (error) {
    const mistake = error as ConfigError;
    return mistake.option === 'limit' ? mistake : undefined;
  }
}

/** A bucket of one size at all limits. */
function isSizedBucket(given: TierEntry['given']): boolean {
  const isBucket = algorithmNamed(given['algorithm'] as string | undefined)?.moving !== undefined;
  return isBucket && ['burst', 'queue', 'overdraft'].some((size) => size in given);
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
