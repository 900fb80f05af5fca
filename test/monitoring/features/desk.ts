import { deskMeasures } from '../../../packages/dashboard/src/desk-measures.js';
import { perSecond, selection } from '../panel.js';
import type { MeasuredFeature } from './measured-feature.js';

/** Of dashboards that can change something. */
export const desk: MeasuredFeature = {
  title: 'Support desk',
  from: '[the dashboard](dashboard.md) that is not `readOnly`',
  measures: deskMeasures,
  panels: (name) => [
    {
      title: 'Changes by people',
      description: 'Requests to the dashboard for a change, by what was asked for, the role and how they ended.',
      unit: 'reqps',
      queries: [
        [
          perSecond(`${name('sluice.desk.requests')}${selection()}`, 'sluice_act, sluice_role, sluice_act_result'),
          '{{sluice_act}} {{sluice_role}} {{sluice_act_result}}',
        ],
      ],
    },
  ],
  alerts: (name) => [
    {
      name: 'SluiceDeskRefused',
      severity: 'ticket',
      value: `sum by (job, sluice_role) (increase(${name('sluice.desk.requests')}{sluice_act_result="refused"}[10m]))`,
      above: 10,
      summary: 'The dashboard of {{ $labels.job }} refuses changes to the role {{ $labels.sluice_role }}.',
      action: 'Find out by sluice:desk who asks, and revoke the token if nobody of yours does.',
    },
    {
      name: 'SluiceDeskBurst',
      severity: 'ticket',
      value: `sum by (job, sluice_role) (increase(${name('sluice.desk.requests')}{sluice_act_result="done"}[10m]))`,
      above: 100,
      summary: 'The role {{ $labels.sluice_role }} changes many clients of {{ $labels.job }}.',
      action: 'Look at sluice history --since 1h, and revoke the token if nobody of yours does that.',
    },
  ],
};
