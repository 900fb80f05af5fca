import { limitersOf, type Measures, type Recorder, subscribe } from '@sluice/core/internal';
import { lineEvent } from './line-event.js';
import { isLined } from './lined-policy.js';

const TIER = 'sluice.tier';
const CAME = 'sluice.came';
const TIMES = ['early', 'in-time', 'late'] as const;

/** What lines have told to denied requests. */
export const lineMeasures = {
  name: 'line',
  instruments: [
    {
      name: 'sluice.line.wait',
      kind: 'histogram',
      unit: 's',
      description: 'How long denied requests are told to wait by a line',
      attributes: [TIER],
      buckets: [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600],
    },
    {
      name: 'sluice.line.repeats',
      kind: 'counter',
      unit: '{request}',
      description: 'Requests with a place that were denied and told again',
      attributes: [TIER, CAME],
    },
    {
      name: 'sluice.line.restarts',
      kind: 'counter',
      unit: '{restart}',
      description: 'How often a line was longer than its bound, and began again from the front',
      attributes: [TIER],
    },
  ],
  attributes: {
    [CAME]: {
      description: 'when a request with a place came; `in-time`: its place was not kept',
      values: TIMES,
    },
  },
  start(recorder) {
    const stop = subscribe(lineEvent, ({ tier, told, came, beganAgain }) => {
      const attributes = { [TIER]: recorder.tierName(tier) };
      recorder.add('sluice.line.wait', told / 1e3, attributes);
      if (came !== undefined) recorder.add('sluice.line.repeats', 1, { ...attributes, [CAME]: came });
      if (beganAgain) recorder.add('sluice.line.restarts', 1, attributes);
    });
    return { read: () => showLines(recorder), stop };
  },
  facts: (numbers) =>
    numbers('sluice.line.restarts').map(({ attributes: { [TIER]: tier }, value }) => {
      const again = numbers('sluice.line.repeats')
        .filter(({ attributes }) => attributes[TIER] === tier)
        .reduce((sum, each) => sum + each.value, 0);
      return { name: `Line of ${tier}`, text: `${again} told again, ${value} times begun again` };
    }),
} as const satisfies Measures;

/** Shows lines before their first event: a series that begins with it is one event short in `increase()`. */
function showLines(recorder: Recorder): void {
  for (const [, store] of recorder.stores)
    for (const { tiers } of limitersOf(store))
      for (const { name, policy, shadow } of tiers) {
        if (shadow || !isLined(policy)) continue;
        const attributes = { [TIER]: recorder.tierName(name) };
        recorder.add('sluice.line.restarts', 0, attributes);
        if (policy.line.keep === 0) continue;
        for (const came of TIMES) recorder.add('sluice.line.repeats', 0, { ...attributes, [CAME]: came });
      }
}
