import type { Outcome, Policy, ToldDenial } from '@sluice/core/internal';

const NAMES: Readonly<Record<NonNullable<Policy['calendar']>['period'], string>> = {
  day: 'today',
  week: 'this week',
  month: 'this month',
  year: 'this year',
};

/**
 * What a client is told that has used up a period of a calendar, where a number of seconds would have seven digits.
 * Undefined for a denial of anything else.
 */
export function usedUp(
  { calendar }: Pick<Policy, 'calendar'>,
  { never, remaining, retryAfter }: Pick<Outcome, 'never' | 'remaining' | 'retryAfter'>,
): ToldDenial | undefined {
  if (calendar === undefined || never || retryAfter === Infinity) return undefined;
  const state = remaining === 0 ? 'is used up' : 'has too few units left for this request';
  const { period, endText } = calendar;
  const detail = `The quota of ${NAMES[period]} ${state}. It starts again on ${endText(Date.now() + retryAfter)}.`;
  return { detail: () => detail };
}
