import { definePolicy, memoryStore } from '@sluice/core';
import type { Answer } from '@sluice/core/own-store';
import type { Runner, Setting } from '../contestant.js';

type Algorithm = 'fixed-window' | 'sliding-window' | 'token-bucket';

/** The memory store, called as those of the peers: a key and its numbers in, an answer out. */
export function memoryRunner({ limit, window, maxKeys }: Setting, algorithm: Algorithm): Runner {
  const store = memoryStore({ maxKeys });
  const policy = definePolicy({ algorithm, limit, window });
  return {
    check: (key) => store.consume([{ tier: 'one', key, policy, cost: 1, shadow: false, record: undefined }]),
    admitted: ({ outcomes }: Answer) => outcomes[0]!.allowed,
  };
}
