import { subscribe } from '@sluice/core';
import type { Measures } from '@sluice/metrics/operations';
import { ROLES } from './api/role.js';
import { DESK_OPERATIONS, DESK_RESULTS, deskEvent } from './desk-event.js';

const OPERATION = 'sluice.act';
const ROLE = 'sluice.role';
const RESULT = 'sluice.act.result';

/** Requests for changes by people and by tokens. */
export const deskMeasures = {
  name: 'desk',
  instruments: [
    {
      name: 'sluice.desk.requests',
      kind: 'counter',
      unit: '{request}',
      description: 'Requests to the dashboard that would change something',
      attributes: [OPERATION, ROLE, RESULT],
    },
  ],
  attributes: {
    [OPERATION]: { description: 'what was asked for', values: DESK_OPERATIONS },
    [ROLE]: { description: 'the role of the caller', values: ROLES },
    [RESULT]: {
      description:
        '`refused`: the role does not allow it, or its id names another act; `mistaken`: it was wrong otherwise',
      values: DESK_RESULTS,
    },
  },
  start(recorder) {
    // A series that begins with its first event is one short in `increase()`.
    for (const operation of DESK_OPERATIONS)
      for (const role of ROLES)
        for (const result of ['done', 'refused'])
          recorder.add('sluice.desk.requests', 0, { [OPERATION]: operation, [ROLE]: role, [RESULT]: result });
    const stop = subscribe(deskEvent, ({ operation, role, result }) => {
      recorder.add('sluice.desk.requests', 1, { [OPERATION]: operation, [ROLE]: role, [RESULT]: result });
    });
    return { stop };
  },
  facts: (numbers) => {
    const refused = numbers('sluice.desk.requests').filter(({ attributes }) => attributes[RESULT] === 'refused');
    const count = refused.reduce((sum, { value }) => sum + value, 0);
    return count === 0 ? [] : [{ name: 'Refused changes', text: `${count} since the start` }];
  },
} as const satisfies Measures;
