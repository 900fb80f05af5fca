import type { KeyKind } from '@sluice/metrics/operations';
import type { FoundKey } from './tally.js';

/** Names of keys that are printed. */
const SHOWN = 5;

/** Keys that should not be as they are. */
export class Fault {
  count = 0;
  readonly examples: string[] = [];
  /** The first of them. */
  first: FaultyKey | undefined;

  add(found: FoundKey, kind?: KeyKind): void {
    this.count += 1;
    this.first ??= { name: found.name, kind };
    if (this.examples.length < SHOWN) this.examples.push(found.key);
  }
}

export interface FaultyKey {
  /** Its bytes. */
  readonly name: Buffer;
  /** Undefined for a key that Sluice has not written. */
  readonly kind: KeyKind | undefined;
}
