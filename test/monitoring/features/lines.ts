import { lineMeasures } from '../../../packages/overload/src/line/line-measures.js';
import { perSecond, quantile, selection } from '../panel.js';
import type { MeasuredFeature } from './measured-feature.js';

/** Of tiers with a line. */
export const lines: MeasuredFeature = {
  title: 'Lines',
  from: '[line](tiers.md#line)',
  measures: lineMeasures,
  panels: (name) => [
    {
      title: 'Wait told by lines',
      description:
        'How long denied requests are told to wait: the length of each line. It stays below longest of the tier.',
      unit: 's',
      queries: ['0.5', '0.99'].map((part) => [
        quantile(part, `${name('sluice.line.wait')}_bucket${selection()}`, 'sluice_tier'),
        `{{sluice_tier}} p${Number(part) * 100}`,
      ]),
    },
    {
      title: 'Told again by lines',
      description:
        'Requests with a place that were denied again: they came early or late, or, in time, did not get what they were promised.',
      unit: 'reqps',
      queries: [
        [
          perSecond(`${name('sluice.line.repeats')}${selection()}`, 'sluice_tier, sluice_came'),
          '{{sluice_tier}} {{sluice_came}}',
        ],
        [perSecond(`${name('sluice.line.restarts')}${selection()}`, 'sluice_tier'), '{{sluice_tier}} began again'],
      ],
    },
  ],
  alerts: (name) => [
    {
      name: 'SluiceLineBeganAgain',
      severity: 'ticket',
      value: `sum by (job, sluice_tier) (increase(${name('sluice.line.restarts')}[10m]))`,
      above: 0,
      summary: 'The line of the tier {{ $labels.sluice_tier }} of {{ $labels.job }} was full, and began again.',
      action: 'Raise the limit, lengthen longest of the line, or let fewer workers share the key.',
    },
  ],
};
