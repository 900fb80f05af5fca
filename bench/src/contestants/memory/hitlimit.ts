import { memoryStore } from '@joint-ops/hitlimit/stores/memory';
import type { Runner, Setting } from '../contestant.js';

export function open({ limit, window }: Setting): Runner {
  const store = memoryStore();
  return {
    check: (key) => store.hit(key, window, limit),
    admitted: ({ count }: Hits) => count <= limit,
  };
}

interface Hits {
  readonly count: number;
}
