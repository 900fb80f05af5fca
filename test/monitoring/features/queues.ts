import { queueMeasures } from '../../../packages/overload/src/queues/queue-measures.js';
import { perSecond, selection } from '../panel.js';
import type { MeasuredFeature } from './measured-feature.js';

/** Of queues before pools. */
export const queues: MeasuredFeature = {
  title: 'Queues',
  from: '[queue](queues.md)',
  measures: queueMeasures,
  panels: (name) => [
    {
      title: 'Refused by queues',
      description: 'Acquisitions that queues before pools refuse, or would refuse in shadow. 0 in good times.',
      unit: 'ops',
      queries: [
        [
          perSecond(`${name('sluice.queue.refusals')}${selection()}`, 'sluice_queue, sluice_priority, sluice_shadow'),
          '{{sluice_queue}} {{sluice_priority}}, shadow {{sluice_shadow}}',
        ],
      ],
    },
    {
      title: 'Overload of queues',
      description: 'The level of each queue: 100 refuses all sheddable acquisitions, 200 all normal ones too.',
      unit: 'short',
      queries: [[`max by (sluice_queue) (${name('sluice.queue.level')}${selection()})`, '{{sluice_queue}}']],
    },
    {
      title: 'Wait in queues before pools',
      description: 'The standing wait of each queue: what all acquisitions of a moment wait at least.',
      unit: 's',
      queries: [[`max by (sluice_queue) (${name('sluice.queue.delay')}${selection()})`, '{{sluice_queue}}']],
    },
    {
      title: 'Acquisitions that wait',
      description: 'Acquisitions in the queues of all processes.',
      unit: 'short',
      queries: [[`sum by (sluice_queue) (${name('sluice.queue.waiting')}${selection()})`, '{{sluice_queue}}']],
    },
  ],
  alerts: (name) => [
    {
      name: 'SluiceQueueStands',
      severity: 'ticket',
      value: `max by (job, sluice_queue) (${name('sluice.queue.level')})`,
      above: 0,
      for: '5m',
      summary:
        'The queue {{ $labels.sluice_queue }} of {{ $labels.job }} is overloaded, and its sheddable work is refused.',
      action:
        'Find slow queries, or enlarge what the queue waits for; the panel Wait in queues before pools shows since when.',
    },
  ],
};
