import { memoryStore, type Store } from '../../packages/core/src/index.js';
import { sharedLayers, type AbleStore } from '../../packages/core/src/own-store/index.js';

/** A memory store that answers when the test calls `answer`. */
export interface LateStore {
  readonly store: Store;
  readonly answer: () => void;
}

export function lateStore(): LateStore {
  const memory = memoryStore();
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const store: AbleStore = {
    layers: sharedLayers,
    consume: (group) => answered.then(() => memory.consume(group)),
    peek: (group) => answered.then(() => memory.peek(group)),
    refund: (receipts) => memory.refund(receipts),
    reset: (keys) => memory.reset(keys),
    recorded: (key) => memory.recorded(key),
    close: () => memory.close(),
  };
  return { store, answer };
}
