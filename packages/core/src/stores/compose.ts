import { memoryStore } from './memory/memory-store.js';
import type { Store } from './store.js';

/** The store of a limiter that was given none: this process alone. */
export function defaultStore(): Store {
  return memoryStore();
}
