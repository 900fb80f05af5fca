import {
  coveredBy,
  FEATURE,
  type OptionRows,
  readOptions,
  type TierFeature,
  withoutMeaning,
} from '@sluice/core/internal';
import { balanceAlgorithm, balancePolicy, type Balance } from './balance.js';
import { checkCoveredTiers, withCoveredCosts } from './covered-tiers.js';

export interface BalanceOptions {
  /**
   * Names of tiers in whose place the balance pays: where only these deny, and it holds the cost. The request is then
   * admitted, and none of them is charged. Without units the balance itself denies no request.
   *
   * @default it pays for each request, and denies without units
   * @example covers: ['month']
   */
  covers?: readonly string[] | undefined;
}

export const BALANCE_ROWS = {
  covers: { is: isListOfNames, words: "an array of names of tiers, each once, such as ['month']" },
} as const satisfies OptionRows;

/** A process has no copy of a balance: without the store it cannot decide, or it covers no tier. */
const IN_TIER = {
  tierOptions: { onStoreFailure: { oneOf: ['allow', 'deny'] } },
  rules: withoutMeaning(['charge', 'lease', 'record', 'aboveFull'], 'balance, whose units never refill'),
};

const feature: TierFeature<'balance'> = {
  form: FEATURE,
  name: 'balance',
  complete: withCoveredCosts,
  check: checkCoveredTiers,
  isUncached: (tiers) => tiers.some(({ policy }) => coveredBy(policy) !== undefined),
};

/**
 * The algorithm of a tier that spends units which `creditsOf(limiter)` adds, and which no time refills. It begins at 0.
 *
 * @throws ConfigError OPTION_INVALID
 * @example { name: 'credits', key, algorithm: balance({ covers: ['month'] }) }
 */
export function balance(options: BalanceOptions = {}): Balance {
  readOptions('balance', options, BALANCE_ROWS);
  const covers = options.covers && Object.freeze([...options.covers]);
  const policy = balancePolicy(covers);
  const { name, code, neverRefills } = balanceAlgorithm;
  const algorithm = { name, code, neverRefills, options: {}, ...IN_TIER, define: () => policy };
  return Object.freeze({ feature, covers, algorithm });
}

function isListOfNames(covers: unknown): boolean {
  return (
    Array.isArray(covers) &&
    covers.length > 0 &&
    covers.every((name) => typeof name === 'string' && name !== '') &&
    new Set(covers).size === covers.length
  );
}
