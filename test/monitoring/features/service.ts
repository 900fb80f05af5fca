import { serverMeasures } from '../../../packages/server/src/operations/server-measures.js';
import { perSecond, selection } from '../panel.js';
import type { MeasuredFeature } from './measured-feature.js';

/** Of the rate-limit service. */
export const service: MeasuredFeature = {
  title: 'Service',
  from: '[service](server.md)',
  measures: serverMeasures,
  panels: (name) => [
    {
      title: 'Calls of the service',
      description: 'How calls of other programs have ended. Envoy lets requests pass whose calls are not answered.',
      unit: 'reqps',
      queries: [
        [
          perSecond(`${name('sluice.server.calls')}${selection()}`, 'sluice_protocol, sluice_result'),
          '{{sluice_protocol}} {{sluice_result}}',
        ],
      ],
    },
  ],
  alerts: (name, { degraded }) => [
    {
      name: 'SluiceServerFails',
      severity: 'page',
      value: [
        `sum by (job) (rate(${name('sluice.server.calls')}{sluice_result=~"unavailable|failed"}[2m]))`,
        `sum by (job) (rate(${name('sluice.server.calls')}[2m]))`,
      ].join('\n/ '),
      above: degraded,
      for: '2m',
      summary:
        '{{ $labels.job }} cannot answer calls, so that Envoy lets requests pass without a limit, or refuses them.',
      action: 'Repair Redis if calls are unavailable, and read the log of the service if they have failed.',
    },
    {
      name: 'SluiceServerRefuses',
      severity: 'ticket',
      value: `sum by (job, sluice_protocol) (rate(${name('sluice.server.calls')}{sluice_result=~"refused|unauthenticated"}[5m]))`,
      above: 0,
      for: '10m',
      summary: '{{ $labels.job }} gets calls of {{ $labels.sluice_protocol }} that are wrong, which no limit counts.',
      action:
        'Send such a call by hand: its answer says what to write. Often a descriptor has no rule, or a token is missing.',
    },
  ],
};
