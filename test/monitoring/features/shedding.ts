import { shedMeasures } from '../../../packages/overload/src/shed/shed-measures.js';
import { perSecond, selection } from '../panel.js';
import type { MeasuredFeature } from './measured-feature.js';

/** Of a shedder. */
export const shedding: MeasuredFeature = {
  title: 'Shedders',
  from: '[shedder](shedder.md)',
  measures: shedMeasures,
  panels: (name) => [
    {
      title: 'Refused under overload',
      description: 'Requests that shedders refuse, or would refuse in shadow. 0 in good times.',
      unit: 'reqps',
      queries: [
        [
          perSecond(`${name('sluice.shed.requests')}${selection()}`, 'sluice_priority, sluice_shadow, sluice_queue'),
          '{{sluice_queue}} {{sluice_priority}}, shadow {{sluice_shadow}}',
        ],
      ],
    },
    {
      title: 'Overload',
      description:
        'The level of the most overloaded process: 100 refuses all sheddable requests, 200 all normal ones too.',
      unit: 'short',
      queries: [[`max(${name('sluice.shed.level')}${selection()})`, 'level']],
    },
    {
      title: 'Delay of the event loop',
      description: 'The standing delay of the slowest event loop.',
      unit: 's',
      queries: [[`max(${name('sluice.shed.delay')}${selection()})`, 'standing delay']],
    },
    {
      title: 'Held before the application',
      description: 'Requests that shedders hold while new connections queue, and those whose clients had left by then.',
      unit: 'reqps',
      queries: [
        [perSecond(`${name('sluice.door.requests')}${selection()}`, 'sluice_left'), 'client left: {{sluice_left}}'],
      ],
    },
    {
      title: 'Longest hold',
      description:
        'The longest time for which a process has held a request while new connections queued, at most 100 ms and a turn.',
      unit: 's',
      queries: [[`max(${name('sluice.door.hold')}${selection()})`, 'longest']],
    },
  ],
  alerts: (name) => [
    {
      name: 'SluiceShedding',
      severity: 'ticket',
      value: `sum by (job) (rate(${name('sluice.shed.requests')}{sluice_shadow="false", sluice_queue=""}[5m]))`,
      above: 1,
      for: '5m',
      summary: '{{ $labels.job }} is overloaded, and refuses requests.',
      action: 'Add processes, or find in the panel Refused under overload what came, and limit it.',
    },
    {
      name: 'SluiceClientsLeave',
      severity: 'ticket',
      value: `sum by (job) (rate(${name('sluice.door.requests')}{sluice_left="true"}[5m]))`,
      above: 1,
      for: '5m',
      summary: 'Clients of {{ $labels.job }} leave before their requests are let in.',
      action: 'Add processes, or lengthen the timeout of the clients and of the proxy before it.',
    },
  ],
};
