import type { KeyKind } from '../model/key-kind.js';
import type { AlgorithmCode, AlgorithmName } from '../model/algorithm-facts.js';

/** The states of an algorithm: the shape of their tier begins with its code. */
export function stateKeys(name: AlgorithmName, code: AlgorithmCode, facts: Pick<KeyKind, 'type' | 'loss' | 'stays'>) {
  return { name, code, pattern: `<owner>:<tier>:${code}<hash>`, ...facts } satisfies KeyKind;
}

/** The states of the algorithms in this room. Notices and fair shares are stored in them. */
export const algorithmKeys: readonly KeyKind[] = [
  stateKeys('fixed-window', 'fw', { type: 'string', loss: 'counts' }),
  stateKeys('sliding-window', 'sw', { type: 'string', loss: 'counts' }),
  stateKeys('sliding-window-log', 'sl', { type: 'list', loss: 'counts' }),
  stateKeys('token-bucket', 'tb', { type: 'string', loss: 'counts' }),
  stateKeys('leaky-bucket', 'lb', { type: 'string', loss: 'counts' }),
  stateKeys('multi-window', 'mw', { type: 'string', loss: 'counts' }),
  stateKeys('concurrency', 'cc', { type: 'zset', loss: 'counts' }),
  stateKeys('backoff', 'bo', { type: 'string', loss: 'counts' }),
  stateKeys('pause', 'pz', { type: 'string', loss: 'counts' }),
];
