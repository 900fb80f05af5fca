import { algorithmOf } from '../../algorithms/algorithm.js';
import type { Claim } from '../../model/claim.js';
import { NEVER } from '../../model/ruling.js';
import { DecidedAnswer } from './decided-answer.js';
import type { Eviction } from './eviction.js';
import { NONE } from './key-index.js';
import type { KeyTable } from './key-table.js';

/** A request of more claims goes the general way. */
const MAX_CLAIMS = 32;
/** Numbers of a state at most. */
const WIDTH = 3;

/**
 * Decides most requests: rates, of keys that are in the table and of new ones for which it has room. It decides as
 * `consumeGroup` does, on the numbers of the states instead of an object for each step: docs/benchmarks/tricks.md has the
 * figures, and memory-store.reference.spec.ts compares the two.
 */
export class RateKernels {
  readonly #table: KeyTable;
  readonly #eviction: Eviction;
  // Of the request that is decided, by claim. Plain numbers, because a pointer in an old object costs V8 a barrier.
  readonly #cells = new Float64Array(MAX_CLAIMS * WIDTH);
  readonly #slots = new Int32Array(MAX_CLAIMS);
  readonly #waits = new Float64Array(MAX_CLAIMS);
  readonly #aheads = new Uint8Array(MAX_CLAIMS);

  constructor(table: KeyTable, eviction: Eviction) {
    this.#table = table;
    this.#eviction = eviction;
  }

  /** Undefined for a request that goes the general way: nothing has changed then. @param now microseconds */
  decide(group: readonly Claim[], now: number): DecidedAnswer | undefined {
    const table = this.#table;
    const cells = this.#cells;
    if (group.length > MAX_CLAIMS || table.hasTexts) return undefined;
    let isAdmitted = true;
    for (let index = 0; index < group.length; index += 1) {
      const claim = group[index]!;
      const { policy, cost } = claim;
      const kernel = algorithmOf(policy).kernel?.(policy);
      if (kernel === undefined || claim.charge !== 'admitted' || claim.record !== undefined) return undefined;
      const slot = table.slotOf(claim);
      const at = index * WIDTH;
      if (slot === NONE) {
        if (table.free < group.length) return undefined;
        cells.fill(0, at, at + WIDTH);
      } else if (!table.load(slot, policy, kernel.width, cells, at)) return undefined;
      const ticks = Math.floor(now / policy.tick);
      this.#slots[index] = slot;
      this.#aheads[index] = kernel.roll(cells, at, ticks, policy) && slot !== NONE ? 1 : 0;
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

  #store(index: number, width: 2 | 3, group: readonly Claim[]): void {
    const slot = this.#slots[index]!;
    if (slot === NONE) {
      this.#add(index, width, group);
      return;
    }
    this.#table.store(slot, width, this.#cells, index * WIDTH);
    // Only a state that was ahead ends earlier than before: a charge puts the end off, and a key that denies gets none.
    if (this.#aheads[index] === 0) return;
    this.#table.checkEarlier(slot);
    this.#eviction.forget(slot);
  }

  #add(index: number, width: 2 | 3, group: readonly Claim[]): void {
    const table = this.#table;
    const cells = this.#cells;
    const at = index * WIDTH;
    const { key, policy, slotHint } = group[index]!;
    const state = width === 2 ? [cells[at]!, cells[at + 1]!] : [cells[at]!, cells[at + 1]!, cells[at + 2]!];
    // When a request has two claims on one key, the first has added it.
    const known = index === 0 ? NONE : table.find(key);
    if (known !== NONE) {
      table.write(known, policy, state);
      return;
    }
    const slot = table.add(key, policy, state);
    this.#eviction.forget(slot);
    if (slotHint !== undefined) slotHint.slot = slot;
  }
}
