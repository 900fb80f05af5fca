import { processWide } from './process-wide.js';

/** What is known of an object, by names. One for each store, keyspace, client and limiter: it ends with its object. */
const companions = processWide('companions', () => new WeakMap<object, Map<string, unknown>>());

/** Something that all copies of this package know of objects which are not theirs, such as the stores of a program. */
export interface Companion<Owner extends object, Value> {
  get(owner: Owner): Value | undefined;
  has(owner: Owner): boolean;
  set(owner: Owner, value: Value): void;
  delete(owner: Owner): void;
}

/** @param name of what is known. No other part of this package has it */
export function companion<Owner extends object, Value>(name: string): Companion<Owner, Value> {
  return {
    get: (owner) => companions.get(owner)?.get(name) as Value | undefined,
    has: (owner) => companions.get(owner)?.has(name) ?? false,
    set(owner, value) {
      const known = companions.get(owner) ?? new Map<string, unknown>();
      companions.set(owner, known.set(name, value));
    },
    delete: (owner) => void companions.get(owner)?.delete(name),
  };
}
