import { FEATURE, OptionReader, type TierFeature } from '@sluice/core/internal';
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

const RULE = "must be an array of names of tiers, each once, such as ['month']";

const feature: TierFeature<'balance'> = {
  form: FEATURE,
  name: 'balance',
  complete: withCoveredCosts,
  check: checkCoveredTiers,
  layer: (tiers) => ({ isUncached: tiers.some(({ policy }) => policy.covers !== undefined) }),
};

/**
 * The algorithm of a tier that spends units which `creditsOf(limiter)` adds, and which no time refills. It begins at 0.
 *
 * @throws ConfigError OPTION_INVALID
 * @example { name: 'credits', key, algorithm: balance({ covers: ['month'] }) }
 */
export function balance(options: BalanceOptions = {}): Balance {
  const covers = readCovers(new OptionReader('balance', Object(options) as object, ['covers']));
  const policy = balancePolicy(covers);
  const { name, code } = balanceAlgorithm;
  return Object.freeze({ feature, covers, algorithm: { name, code, options: [], define: () => policy } });
}

/** @throws ConfigError OPTION_INVALID */
function readCovers(options: OptionReader): readonly string[] | undefined {
  const covers = options.value('covers');
  if (covers === undefined) return undefined;
  const isValid =
    Array.isArray(covers) &&
    covers.length > 0 &&
    covers.every((name) => typeof name === 'string' && name !== '') &&
    new Set(covers).size === covers.length;
  if (!isValid) throw options.fail('OPTION_INVALID', 'covers', RULE);
  return Object.freeze([...(covers as readonly string[])]);
}
