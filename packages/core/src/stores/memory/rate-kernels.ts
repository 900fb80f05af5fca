import { algorithmOf } from '../../algorithms/algorithm.js';
import type { Claim } from '../../model/claim.js';
import { NEVER } from '../../model/ruling.js';
import { DecidedAnswer } from './decided-answer.js';
import { NONE } from './key-index.js';
import type { KeyTable } from './key-table.js';

/** A request of more claims goes the general way. */
const MAX_CLAIMS = 32;
/** Numbers of a state at most. */
const WIDTH = 3;

/**
 * Decides most requests: rates, of keys that are in the table and of new ones, also where others leave for them. It decides as
 * `consumeGroup` does, on the numbers of the states instead of an object for each step: docs/benchmarks/tricks.md has the
 * figures, and memory-store.reference.spec.ts compares the two.
 */
export class RateKernels {
  readonly #table: KeyTable;
  // Of the request that is decided, by claim. Plain numbers, because a pointer in an old object costs V8 a barrier.
  readonly #cells = new Float64Array(MAX_CLAIMS * WIDTH);
  readonly #slots = new Int32Array(MAX_CLAIMS);
  readonly #waits = new Float64Array(MAX_CLAIMS);
  readonly #aheads = new Uint8Array(MAX_CLAIMS);
  readonly #areNew = new Uint8Array(MAX_CLAIMS);

  constructor(table: KeyTable) {
    this.#table = table;
  }

  /** Undefined for a request that goes the general way: nothing has changed then. @param now microseconds */
  decide(group: readonly Claim[], now: number): DecidedAnswer | undefined {
    const table = this.#table;
    const cells = this.#cells;
    if (group.length > MAX_CLAIMS || !table.texts.isEmpty || !this.#findPlaces(group, now)) return undefined;
    let isAdmitted = true;
    for (let index = 0; index < group.length; index += 1) {
      const claim = group[index]!;
      const { policy, cost } = claim;
      const kernel = algorithmOf(policy).kernel?.(policy);
      if (kernel === undefined || claim.charge !== 'admitted' || claim.record !== undefined) return undefined;
      const slot = this.#slots[index]!;
      const isNew = this.#areNew[index] === 1;
      const at = index * WIDTH;
      if (isNew) cells.fill(0, at, at + WIDTH);
      else if (!table.load(slot, policy, kernel.width, cells, at)) return undefined;
      const ticks = Math.floor(now / policy.tick);
      this.#aheads[index] = kernel.roll(cells, at, ticks, policy) && !isNew ? 1 : 0;
      const fits = cost === 0 ? 0 : kernel.wait(cells, at, ticks, policy, cost);
      const retryAfter = cost > policy.capacity ? NEVER : fits;
      this.#waits[index] = retryAfter;
      if (retryAfter !== 0 && !claim.shadow) isAdmitted = false;
    }
    const answer = new DecidedAnswer(group, now);
    for (let index = 0; index < group.length; index += 1) {
      const { policy, cost } = group[index]!;
      const kernel = algorithmOf(policy).kernel!(policy)!;
      const at = index * WIDTH;
      const ticks = Math.floor(now / policy.tick);
      const retryAfter = this.#waits[index]!;
      const charged = isAdmitted && retryAfter === 0 ? cost : 0;
      if (charged > 0) kernel.charge(cells, at, ticks, policy, cost);
      if (charged > 0 || this.#aheads[index] === 1) this.#store(index, kernel.width, group);
      answer.decide(index, kernel.describe(cells, at, ticks, policy, { cost, charged, retryAfter }));
    }
    return answer;
  }

  /** Finds the slot of each claim, or one that it takes if it is charged. @returns false without one */
  #findPlaces(group: readonly Claim[], now: number): boolean {
    const slots = this.#slots;
    const { length } = group;
    let added = 0;
    for (let index = 0; index < length; index += 1) {
      const slot = this.#table.slotOf(group[index]!);
      slots[index] = slot;
      this.#areNew[index] = slot === NONE ? 1 : 0;
      added += this.#areNew[index]!;
    }
    for (let index = 0; added > 0 && index < length; index += 1) {
      if (slots[index] !== NONE) continue;
      added -= 1;
      slots[index] = this.#table.roomFor(now, slots, length);
      if (slots[index] === NONE) return false;
    }
    return true;
  }

  #store(index: number, width: 2 | 3, group: readonly Claim[]): void {
    const slot = this.#slots[index]!;
    const table = this.#table;
    if (this.#areNew[index] === 1) {
      const { key, policy, slotHint } = group[index]!;
      const state = Array.from(this.#cells.subarray(index * WIDTH, index * WIDTH + width));
      const added = table.add(slot, key, policy, state);
      if (slotHint !== undefined) slotHint.slot = added;
      return;
    }
    table.records.store(slot, width, this.#cells, index * WIDTH);
    // Only a state that was ahead ends earlier than before: a charge puts the end off, and a key that denies gets none.
    if (this.#aheads[index] === 1) table.checkEarlier(slot);
  }
}
