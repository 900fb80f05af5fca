import type { KeyKind } from '../../model/key-kind.js';
import { algorithms } from './algorithms.js';

/** The states of an algorithm: the shape of their tier begins with its code. */
export function stateKeys(name: string, code: string, facts: Pick<KeyKind, 'type' | 'loss' | 'stays'>) {
  return { name, code, pattern: `<owner>:<tier>:${code}<hash>`, ...facts } satisfies KeyKind;
}

/** The states of the algorithms in this room. Notices and fair shares are stored in them. */
export const algorithmKeys: readonly KeyKind[] = algorithms().map(({ name, code, keyType }) =>
  stateKeys(name, code, { type: keyType, loss: 'counts' }),
);
