import { lowMeasures } from '../../../packages/quotas/src/credits/low-measures.js';
import { perSecond, selection } from '../panel.js';
import type { MeasuredFeature } from './measured-feature.js';

/** Of balances with `lowBalance`. */
export const balances: MeasuredFeature = {
  title: 'Low balances',
  from: '[lowBalance](quotas.md#low-balances)',
  measures: lowMeasures,
  panels: (name) => [
    {
      title: 'Low balances',
      description: 'Balances that have come down to a mark, by requests, by units that have ended, or by a debit.',
      unit: 'reqps',
      queries: [
        [
          perSecond(`${name('sluice.balance.low')}${selection()}`, 'sluice_tier, sluice_cause'),
          '{{sluice_tier}} {{sluice_cause}}',
        ],
      ],
    },
  ],
  alerts: (name) => [
    {
      name: 'SluiceLowBalanceNotTaken',
      severity: 'ticket',
      value: `sum by (job, sluice_tier) (increase(${name('sluice.balance.low')}{sluice_taken="no"}[1h]))`,
      above: 0,
      summary: 'Balances of the tier {{ $labels.sluice_tier }} of {{ $labels.job }} are low, and nobody is told.',
      action: 'Give the balance onLowBalance, which tells the customer or tops the balance up.',
    },
    {
      name: 'SluiceGrantsEnd',
      severity: 'ticket',
      value: `sum by (job, sluice_tier) (increase(${name('sluice.balance.low')}{sluice_cause="ended"}[1h]))`,
      above: 0,
      summary:
        'Units of the tier {{ $labels.sluice_tier }} of {{ $labels.job }} have ended before they were spent, and left balances low.',
      action: 'Look at the postings of these customers, and tell them before units end.',
    },
  ],
};
