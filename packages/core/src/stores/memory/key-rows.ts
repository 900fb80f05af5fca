import { SHIFT } from './key-records.js';

/** States that a row can have: more tiers would make the records of all other keys too large. */
const MAX_STATES = 2 ** SHIFT;

/** The place of a tier in a row. */
interface Member {
  /** The end of the key of the row: that of its first tier. */
  readonly first: string;
  readonly index: number;
}

/**
 * The tiers that count side by side: one row has their states for an identity, under the store key of the first tier. The
 * store keys of an identity differ in the end behind the digest, `:<tier>:<shape>`.
 */
export class KeyRows {
  readonly #members = new Map<string, Member>();

  /** States of the largest row. */
  states = 1;

  /**
   * Lets tiers count side by side.
   *
   * @param ends of their store keys, in the order of the tiers
   * @param mayJoin false while the table has keys, which stay where they are
   * @returns false where each key has a row of its own
   */
  join(ends: readonly string[], mayJoin: boolean): boolean {
    const first = ends[0]!;
    const isKnown = ends.every((end, index) => {
      const member = this.#members.get(end);
      return member?.first === first && member.index === index;
    });
    if (isKnown) return true;
    const isNew = ends.length > 1 && ends.length <= MAX_STATES && new Set(ends).size === ends.length;
    if (!mayJoin || !isNew || ends.some((end) => this.#members.has(end))) return false;
    for (const [index, end] of ends.entries()) this.#members.set(end, { first, index });
    this.states = Math.max(this.states, ends.length);
    return true;
  }

  /** The place of a key in a row of several tiers. Undefined for a key with a row of its own. */
  memberOf(key: string): { readonly key: string; readonly index: number } | undefined {
    if (this.states === 1) return undefined;
    const end = key.indexOf('}') + 1;
    const member = this.#members.get(key.slice(end));
    return member && { key: key.slice(0, end) + member.first, index: member.index };
  }
}
