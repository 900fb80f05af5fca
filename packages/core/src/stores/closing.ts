import { companion } from '../model/companion.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { OWN_LAYERS, type Store } from './store.js';

type Act = () => MaybePromise<void>;

const acts = companion<object, Act[]>('store-closing');
const closed = companion<object, true>('closed-stores');

/**
 * Has something act when a store closes, such as what waits for it, and what listens to its client, which may live on. Stores of a
 * program do not say when they close.
 */
export function onClosing(store: object, act: Act | undefined): void {
  if (act !== undefined) acts.set(store, [...(acts.get(store) ?? []), act]);
}

/** A store closes. Resolves when all that waits for it was answered. */
export async function closing(store: object): Promise<void> {
  closed.set(store, true);
  const known = acts.get(store) ?? [];
  acts.delete(store);
  await Promise.all(known.map((act) => act()));
}

/** @returns true for a store that a limiter can be made with, or the rule that the value breaks */
export function isOpenStore(value: unknown): boolean | string {
  const { consume, layers } = Object(value) as Partial<Store>;
  // A limiter has `consume` too, but no store has `settle`.
  if (typeof consume !== 'function' || 'settle' in (value as Store)) return false;
  if (typeof layers !== 'function') return `must have ${OWN_LAYERS}`;
  return !closed.has(value as Store) || 'is closed: make the limiter before the store closes, or make a new store';
}
