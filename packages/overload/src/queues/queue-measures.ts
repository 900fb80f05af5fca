import { type Measures, subscribe } from '@sluice/core/internal';
import { levelText } from '../shed/shed-measures.js';
import { queueEvent, queueRefusalEvent } from './queue-events.js';

const QUEUE = 'sluice.queue';

/** What queues before pools have measured last, and what they have refused. */
export const queueMeasures = {
  name: 'queues',
  instruments: [
    {
      name: 'sluice.queue.level',
      kind: 'gauge',
      unit: '{point}',
      description:
        'How overloaded a queue is: at 100 all sheddable acquisitions are refused, at 200 all normal ones too',
      across: 'max',
      attributes: [QUEUE],
    },
    {
      name: 'sluice.queue.delay',
      kind: 'gauge',
      unit: 's',
      description: 'The standing wait of a queue',
      across: 'max',
      attributes: [QUEUE],
    },
    {
      name: 'sluice.queue.waiting',
      kind: 'gauge',
      unit: '{acquisition}',
      description: 'Acquisitions that wait in a queue of this process',
      attributes: [QUEUE],
    },
    {
      name: 'sluice.queue.refusals',
      kind: 'counter',
      unit: '{acquisition}',
      description: 'Acquisitions that a queue has refused, or would have',
      attributes: [QUEUE, 'sluice.priority', 'sluice.shadow'],
    },
  ],
  attributes: { [QUEUE]: { description: 'the name of a queue before a pool; absent for the event loop' } },
  start(recorder) {
    const ends = [
      subscribe(queueEvent, ({ queue, level, standing, waiting }) => {
        const attributes = { [QUEUE]: queue };
        recorder.set('sluice.queue.level', level, attributes);
        recorder.set('sluice.queue.delay', standing / 1e3, attributes);
        recorder.set('sluice.queue.waiting', waiting, attributes);
      }),
      subscribe(queueRefusalEvent, ({ queue, priority, shadow }) =>
        recorder.add('sluice.queue.refusals', 1, {
          [QUEUE]: queue,
          'sluice.priority': priority,
          'sluice.shadow': String(shadow),
        }),
      ),
    ];
    return { stop: () => void ends.map((end) => end()) };
  },
  facts(numbers) {
    const numberOf = (instrument: string, queue: string | undefined) =>
      numbers(`sluice.queue.${instrument}`)
        .filter(({ attributes }) => attributes[QUEUE] === queue && attributes['sluice.shadow'] !== 'true')
        .reduce((sum, { value }) => sum + value, 0);
    return numbers('sluice.queue.level').map(({ attributes: { [QUEUE]: queue }, value: level }) => ({
      name: `Queue ${queue}`,
      text: `${levelText(level)}, ${numberOf('waiting', queue)} wait, ${numberOf('refusals', queue)} refused`,
      detail: `wait ${Math.round(numberOf('delay', queue) * 1e3)} ms`,
    }));
  },
} as const satisfies Measures;
