import { companion } from '../model/companion.js';
import type { MaybePromise } from '../async/maybe-promise.js';

type Act = () => MaybePromise<void>;

const acts = companion<object, Act[]>('store-closing');

/** Has something act when a store closes, such as what waits for it. Stores of a program do not say when they do. */
export function onClosing(store: object, act: Act): void {
  acts.set(store, [...(acts.get(store) ?? []), act]);
}

/** A store closes. Resolves when all that waits for it was answered. */
export async function closing(store: object): Promise<void> {
  const known = acts.get(store) ?? [];
  acts.delete(store);
  await Promise.all(known.map((act) => act()));
}
