import { limitersOf, type Measures, type Recorder, subscribe } from '@sluice/core/internal';
import { LOW_CAUSES, lowBalanceEvent } from './low-balance.js';
import { tellingOf } from './low-marks.js';

const TIER = 'sluice.tier';
const CAUSE = 'sluice.cause';
const TAKEN = 'sluice.taken';

/** Balances that have come down to a mark. */
export const lowMeasures = {
  name: 'low-balance',
  instruments: [
    {
      name: 'sluice.balance.low',
      kind: 'counter',
      unit: '{notice}',
      description: 'Balances that have come down to a mark of lowBalance',
      attributes: [TIER, CAUSE, TAKEN],
    },
  ],
  attributes: {
    [CAUSE]: { description: 'what has made the balance low: requests, an end, or a debit', values: LOW_CAUSES },
    [TAKEN]: { description: 'whether the program has `onLowBalance`', values: ['yes', 'no'] },
  },
  start(recorder) {
    const stop = subscribe(lowBalanceEvent, ({ tier, cause, isTaken }) => {
      const taken = isTaken ? 'yes' : 'no';
      recorder.add('sluice.balance.low', 1, { [TIER]: recorder.tierName(tier), [CAUSE]: cause, [TAKEN]: taken });
    });
    return { read: () => showBalances(recorder), stop };
  },
  facts: (numbers) => {
    const low = numbers('sluice.balance.low').reduce((sum, { value }) => sum + value, 0);
    return low === 0 ? [] : [{ name: 'Low balances', text: `${low} since the start` }];
  },
} as const satisfies Measures;

/** Shows balances before their first notice: a series that begins with it is one short in `increase()`. */
function showBalances(recorder: Recorder): void {
  for (const [, store] of recorder.stores)
    for (const { tiers } of limitersOf(store))
      for (const { name, policy } of tiers) {
        if (!policy.algorithm.neverRefills || tellingOf(policy) === undefined) continue;
        const taken = 'onLowBalance' in policy && policy.onLowBalance !== undefined ? 'yes' : 'no';
        for (const cause of LOW_CAUSES) {
          recorder.add('sluice.balance.low', 0, { [TIER]: recorder.tierName(name), [CAUSE]: cause, [TAKEN]: taken });
        }
      }
}
