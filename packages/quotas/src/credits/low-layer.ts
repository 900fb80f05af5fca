import type { Labels, Layer, ReachedMark } from '@sluice/core/internal';
import { publishLow, type LowMark } from './low-balance.js';

/** Publishes the marks at which balances are low. */
export const lowLayer: Layer = {
  // A notice is given once, also of a request that is undone, or whose reply is late.
  before(passage) {
    const { labels, onReached: others } = passage.facts ?? {};
    const onReached = (reached: readonly ReachedMark[]) => {
      publish(reached, labels);
      others?.(reached);
    };
    passage.facts = { ...passage.facts, onReached };
    return undefined;
  },
  onAnswer({ facts }, answer) {
    if (answer.reached !== undefined) publish(answer.reached, facts?.labels);
    return answer;
  },
};

/** True for a mark of a balance. */
export function isLow(mark: ReachedMark): mark is ReachedMark & LowMark {
  return 'balance' in mark;
}

function publish(reached: readonly ReachedMark[], labels: Labels | undefined): void {
  for (const mark of reached) if (isLow(mark)) publishLow(mark, labels?.get(mark.tier));
}
