import type { Measures, Recorder } from '@sluice/core/internal';
import { CALL_RESULTS, type CallResult, PROTOCOLS, type Protocol } from './call-result.js';

const recorders = new Set<Recorder>();

/** Counts a call that the service has answered, in all metrics of this process. */
export function countCall(protocol: Protocol, result: CallResult): void {
  for (const recorder of recorders) add(recorder, { protocol, result, calls: 1 });
}

/** How calls of the service have ended. Limits have metrics of their own. */
export const serverMeasures = {
  name: 'server',
  instruments: [
    {
      name: 'sluice.server.calls',
      kind: 'counter',
      unit: '{call}',
      description: 'Calls that the rate-limit service has answered',
      attributes: ['sluice.protocol', 'sluice.result'],
    },
  ],
  attributes: {
    'sluice.protocol': { description: 'the protocol of a call of the service', values: PROTOCOLS },
    'sluice.result': {
      description:
        'how a call of the service has ended: `refused` because it was wrong, `gone` because its program no longer waited',
      values: CALL_RESULTS,
    },
  },
  start(recorder) {
    // A series that begins with its first event is one event short in `increase()`.
    for (const protocol of PROTOCOLS) for (const result of CALL_RESULTS) add(recorder, { protocol, result, calls: 0 });
    recorders.add(recorder);
    return { stop: () => void recorders.delete(recorder) };
  },
} as const satisfies Measures;

interface Calls {
  readonly protocol: Protocol;
  readonly result: CallResult;
  readonly calls: number;
}

function add(recorder: Recorder, { protocol, result, calls }: Calls): void {
  recorder.add('sluice.server.calls', calls, { 'sluice.protocol': protocol, 'sluice.result': result });
}
