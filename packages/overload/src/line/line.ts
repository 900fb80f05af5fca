import {
  type Duration,
  FEATURE,
  identityText,
  invalidResult,
  type MaybePromise,
  measure,
  type OptionRows,
  type PolicyValue,
  readOptions,
  type TierFeature,
  type TierValue,
  warn,
} from '@sluice/core/internal';
import { checkLine } from './check-line.js';
import { lineKey } from './line-key.js';
import { lineMeasures } from './line-measures.js';
import { linedPolicy } from './line-policy.js';
import { placeLayer } from './place-notes.js';
import type { PlaceNote } from './standing.js';

export interface LineOptions<S> {
  /**
   * The longest wait that is told, from 1 s to 49 days. A line that is longer begins again from the front. A long line serves
   * obedient clients best; clients that obey no more than a minute need `'1m'`.
   */
  longest: Duration;
  /**
   * Keeps the place of a request for so long after its moment, from 1 ms to 1 min: others leave what the owners of places may be
   * owed. A request gets a place by `consume(subject, { place: true })` and brings it back; `run` does so by itself. The bucket or
   * window must hold at least twice what comes back in that time, and one unit more. Without `by` the limiter needs a `secret`.
   *
   * @default with `by` 2 s, else no place is kept
   */
  keep?: Duration | undefined;
  /**
   * Tells the callers of one key apart, as `key` identifies a client: the store then has their places, so that nobody needs to
   * bring one.
   *
   * @default callers are not told apart
   * @example by: ({ worker }) => worker
   */
  by?: ((subject: S) => MaybePromise<unknown>) | undefined;
}

/** In microseconds. */
const SECOND = 1e6;
const LONGEST = { range: '1 s to 49 days', min: SECOND, max: 49 * 86_400 * SECOND, example: "'5m'" };
const KEEP = { range: '1 ms to 1 min', min: 1e3, max: 60 * SECOND, example: "'2s'" };
/** Of callers that are told apart: what a client may be late. */
const KEEP_BY = 2 * SECOND;

export const LINE_ROWS = {
  longest: { microseconds: LONGEST, required: true },
  keep: { microseconds: KEEP },
  by: { is: 'function', words: 'a function that returns the caller of a request' },
} as const satisfies OptionRows;

/** What `line()` returns. */
export type LineOption<S> = TierValue<'line', S>;

const feature: TierFeature<'line'> = {
  form: FEATURE,
  name: 'line',
  check: checkLine,
};

/** The same of lines whose requests bring their places. */
const withPlaces: TierFeature<'line'> = { ...feature, insteadOfBrought: 'write by', layer: placeLayer };

/**
 * Tells each denied request of a tier a moment of its own, so that workers that share a key are served one after the other: the
 * option `line` of a tier.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 * @example line: line({ longest: '5m', by: ({ worker }) => worker })
 */
export function line<S = never>(options: LineOptions<S>): LineOption<S> {
  const read = readOptions('line', options, LINE_ROWS);
  const { by } = options;
  const keep = read.keep ?? (by === undefined ? undefined : KEEP_BY);
  measure(lineMeasures);
  if (keep === undefined) warnOfImpatience();
  return Object.freeze({
    feature: keep === undefined || by !== undefined ? feature : withPlaces,
    by,
    policyOf: (policy) => linedPolicy(policy, { longest: read.longest, keep, by: by !== undefined }),
    asking: by && { name: 'line.by', call: by, noteOf: callerNote },
  } satisfies LineOption<S> & PolicyValue);
}

/** @throws UsageError FUNCTION_FAILED for a result that is no identity */
const callerNote: NonNullable<PolicyValue['asking']>['noteOf'] = (result, { key }, { owner, digestOf }) => {
  const text = identityText(result);
  if (text === undefined)
    throw invalidResult(owner, 'line.by', 'a non-empty text, a whole number or an identity', result);
  return { asks: true, place: 0, callerKey: `${lineKey(key)}:${digestOf(text)}` } satisfies PlaceNote;
};

function warnOfImpatience(): void {
  warn(
    'SLUICE_LINE_FOR_WORKERS_THAT_OBEY',
    'line: without by or keep, clients that come before their moment take the units of those that wait: write by, which tells the callers of a key apart, or keep, where all of them are yours and obey',
  );
}
