import {
  ConfigError,
  coveredBy,
  FEATURE,
  FUNCTION,
  measure,
  type OptionRows,
  readOptions,
  show,
  type TierFeature,
  withoutMeaning,
} from '@sluice/core/internal';
import { balanceAlgorithm, balancePolicy, type Balance } from './balance.js';
import type { OnLowBalance } from './low-balance.js';
import { lowLayer } from './low-layer.js';
import { lowMeasures } from './low-measures.js';
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
  /**
   * True: a cost that the covered tier holds in part is paid by both, the tier's units first. Refunds go back to the balance
   * first. It needs one tier in `covers`, with the cost of that tier.
   *
   * @default false: one of both pays for a whole request
   */
  split?: boolean | undefined;
  /**
   * Units, in falling order: a balance that comes down to one of them, or below it, reports it to `onLowBalance`, and on
   * `sluice:low-balance`, in one process alone. It does so again only after a credit above it.
   *
   * @default it reports nothing
   * @example lowBalance: [1_000, 100]
   */
  lowBalance?: readonly number[] | undefined;
  /** Is called for each of these notices. An error in it fails no request. */
  onLowBalance?: OnLowBalance | undefined;
}

const MAX_MARKS = 8;

export const BALANCE_ROWS = {
  covers: { is: isListOfNames, words: "an array of names of tiers, each once, such as ['month']" },
  split: { oneOf: [true, false] },
  lowBalance: { is: isFalling, words: '1 to 8 integers above 0 in falling order, such as [1_000, 100]' },
  onLowBalance: FUNCTION,
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
  layer: (tiers) => (tiers.some(({ policy }) => 'lowBalance' in policy) ? lowLayer : undefined),
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
  const lowBalance = options.lowBalance && Object.freeze([...options.lowBalance]);
  const { split, onLowBalance } = options;
  if (split === true && covers?.length !== 1) {
    const got = covers === undefined ? 'none' : show(covers);
    const rule =
      "true needs one tier in covers, which pays the other part, such as balance({ covers: ['month'], split: true })";
    throw new ConfigError('OPTION_INVALID', 'split', undefined, `balance: split: ${rule}, got ${got}`);
  }
  if (lowBalance !== undefined) measure(lowMeasures);
  const policy = balancePolicy({ covers, split, lowBalance, onLowBalance });
  const { name, code, neverRefills } = balanceAlgorithm;
  const algorithm = { name, code, neverRefills, options: {}, ...IN_TIER, define: () => policy };
  return Object.freeze({ feature, covers, split: split === true, algorithm });
}

function isFalling(marks: unknown): boolean {
  const isMark = (mark: unknown, place: number, all: readonly unknown[]) =>
    Number.isSafeInteger(mark) &&
    (mark as number) > 0 &&
    (place === 0 || (mark as number) < (all[place - 1] as number));
  return Array.isArray(marks) && marks.length > 0 && marks.length <= MAX_MARKS && marks.every(isMark);
}

function isListOfNames(covers: unknown): boolean {
  return (
    Array.isArray(covers) &&
    covers.length > 0 &&
    covers.every((name) => typeof name === 'string' && name !== '') &&
    new Set(covers).size === covers.length
  );
}
