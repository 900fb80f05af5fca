import { algorithmOf } from '../../algorithms/algorithm.js';
import type { Kernel } from '../../algorithms/kernel.js';
import { chargingOf, type Claim } from '../../model/claim.js';
import type { Outcome } from '../../model/outcome.js';
import type { Policy } from '../../model/policy.js';
import { NEVER } from '../../model/ruling.js';
import { plainOutcome, DecidedRates, type Rate, type SlotHint } from '../decided-rates.js';
import { NONE } from './key-index.js';
import { SHIFT } from './key-records.js';
import type { KeyTable } from './key-table.js';

/** A request of more claims goes the general way. */
const MAX_CLAIMS = 32;
/** Numbers of a state at most. */
const WIDTH = 3;
/** The number of no policy. */
const UNPINNED = -1;

/**
 * Decides most requests: rates, of keys that are in the table and of new ones, also where others leave for them. It decides as
 * `consumeGroup` does, on the numbers of the states instead of an object for each step: docs/benchmarks/tricks.md has the
 * figures, and memory-store.reference.spec.ts compares the two.
 */
export class RateKernels {
  readonly #table: KeyTable;
  // Of the request that is decided, by tier. Plain numbers, because a pointer in an old object costs V8 a barrier.
  readonly #cells = new Float64Array(MAX_CLAIMS * WIDTH);
  readonly #slots = new Int32Array(MAX_CLAIMS);
  readonly #waits = new Float64Array(MAX_CLAIMS);
  readonly #mayEndEarlier = new Uint8Array(MAX_CLAIMS);
  readonly #areNew = new Uint8Array(MAX_CLAIMS);

  constructor(table: KeyTable) {
    this.#table = table;
  }

  /** Undefined for claims that go the general way: nothing has changed then. @param now microseconds */
  decide(group: readonly Claim[], now: number): DecidedRates | undefined {
    if (group.length === 0 || group.length > MAX_CLAIMS || !areRates(group)) return undefined;
    const claimed = new ClaimedRates(group);
    return this.check(group, claimed, now) ? claimed : undefined;
  }

  /**
   * Makes the answer to a request.
   *
   * @param now microseconds
   * @returns false for one that goes the general way: nothing has changed then
   */
  check(rates: readonly Rate[], request: DecidedRates, now: number): boolean {
    const cells = this.#cells;
    const count = rates.length;
    if (!this.#table.texts.isEmpty) return false;
    if (!this.#loadKnown(rates, request) && !this.#loadAll(rates, request, now)) return false;
    let isAdmitted = true;
    let isScheduled = true;
    let isLeft = false;
    for (let index = 0; index < count; index += 1) {
      const { policy, kernel = kernelOf(policy)!, shadow, cost = request.cost } = rates[index]!;
      const at = index * WIDTH;
      const ticks = Math.floor(now / policy.tick);
      // Only a state that was ahead, and a new one: a charge puts the end off, and a key that denies gets none.
      this.#mayEndEarlier[index] = kernel.roll(cells, at, ticks, policy) && this.#areNew[index] === 0 ? 1 : 0;
      const fits = cost === 0 ? 0 : kernel.wait(cells, at, ticks, policy, cost);
      const retryAfter = cost > policy.capacity ? NEVER : fits;
      this.#waits[index] = retryAfter;
      if (retryAfter !== 0 && kernel.leavesDenials) isLeft = true;
      if (retryAfter !== 0 && !shadow) isAdmitted = false;
    }
    if (isLeft) return false;
    request.now = now;
    const outcomes = (request.outcomes = new Array<Outcome>(count));
    const resets = count === 1 ? undefined : (request.resets = new Array<number>(count));
    for (let index = 0; index < count; index += 1) {
      const rate = rates[index]!;
      const { policy, kernel = kernelOf(policy)!, cost = request.cost } = rate;
      const at = index * WIDTH;
      const ticks = Math.floor(now / policy.tick);
      const retryAfter = this.#waits[index]!;
      const charged = isAdmitted && retryAfter === 0 ? cost : 0;
      if (charged > 0) kernel.charge(cells, at, ticks, policy, cost);
      if (charged > 0 || this.#mayEndEarlier[index] === 1) this.#store(index, kernel.width, rate, request);
      isScheduled &&= this.#mayEndEarlier[index] === 0;
      const ruling = kernel.describe(cells, at, ticks, policy, { cost, charged, retryAfter });
      outcomes[index] = plainOutcome(rate.tier, rate.shadow, policy.tick, ruling);
      if (resets === undefined) request.resets = ruling.resetAfter;
      else resets[index] = ruling.resetAfter;
    }
    if (!isScheduled) this.#schedule(count);
    return true;
  }

  /** Loads the states of a request whose keys are where they were found before. @returns false where one is not */
  #loadKnown(rates: readonly Rate[], request: DecidedRates): boolean {
    const { records } = this.#table;
    // Claims have policies without numbers.
    if (rates[0]!.number === undefined) return false;
    let key = request.hintAt(0)!;
    for (let index = 0; index < rates.length; index += 1) {
      const { number = UNPINNED, kernel, offset = 0 } = rates[index]!;
      if (number === UNPINNED || kernel === undefined) return false;
      if (index > 0 && offset === 0) key = request.hintAt(index)!;
      const slot = key.slot + offset;
      if (!records.load(slot, key.storeKey, number, kernel.width, this.#cells, index * WIDTH)) return false;
      this.#slots[index] = slot;
      this.#areNew[index] = 0;
    }
    return true;
  }

  /** Loads the states of any request. @returns false where one is no state of a kernel, or has no room */
  #loadAll(rates: readonly Rate[], request: DecidedRates, now: number): boolean {
    const count = rates.length;
    const isJoined = (rates[count - 1]!.offset ?? 0) > 0;
    const isFound = isJoined ? this.#findRow(count, request.hintAt(0)!, now) : this.#findPlaces(count, request, now);
    if (!isFound) return false;
    const { records } = this.#table;
    for (let index = 0; index < rates.length; index += 1) {
      const { policy, kernel = kernelOf(policy)! } = rates[index]!;
      const at = index * WIDTH;
      if (this.#areNew[index] === 1) this.#cells.fill(0, at, at + WIDTH);
      else if (!records.loadOf(this.#slots[index]!, policy, kernel.width, this.#cells, at)) return false;
    }
    return true;
  }

  /** Finds the slot of each key, or one that it takes if it is charged. @returns false without one */
  #findPlaces(count: number, request: DecidedRates, now: number): boolean {
    const slots = this.#slots;
    let added = 0;
    for (let index = 0; index < count; index += 1) {
      const slot = this.#slotOf(request.storeKeyAt(index), request.hintAt(index));
      slots[index] = slot;
      this.#areNew[index] = slot === NONE ? 1 : 0;
      added += this.#areNew[index]!;
    }
    for (let index = 0; added > 0 && index < count; index += 1) {
      if (slots[index] !== NONE) continue;
      added -= 1;
      slots[index] = this.#table.roomFor(now, slots, count);
      if (slots[index] === NONE) return false;
    }
    return true;
  }

  #slotOf(key: string, hint: SlotHint | undefined): number {
    if (hint === undefined) return this.#table.find(key);
    const { records } = this.#table;
    if (records.has(hint.slot, key) && records.holds(hint.slot)) return hint.slot;
    const slot = this.#table.find(key);
    if (slot !== NONE) hint.slot = slot;
    return slot;
  }

  /** The same for tiers side by side, which have the key of the first one. */
  #findRow(count: number, key: SlotHint, now: number): boolean {
    const known = this.#table.rowOf(key.storeKey);
    const first = known === NONE ? this.#table.roomFor(now, this.#slots, 0) : known;
    if (first === NONE) return false;
    if (known !== NONE) key.slot = known;
    for (let index = 0; index < count; index += 1) {
      this.#slots[index] = first + index;
      // The reset of a tier leaves the states of others.
      this.#areNew[index] = known !== NONE && this.#table.records.holds(first + index) ? 0 : 1;
    }
    return true;
  }

  #store(index: number, width: 2 | 3, { policy, number, offset = 0 }: Rate, request: DecidedRates): void {
    const table = this.#table;
    const at = index * WIDTH;
    if (this.#areNew[index] === 1) {
      const first = table.take(this.#slots[index]!, request.storeKeyAt(index - offset));
      const hint = request.hintAt(index - offset);
      if (hint !== undefined) hint.slot = first;
      const slot = first + offset;
      this.#slots[index] = slot;
      if (number === undefined) table.records.write(slot, policy, Array.from(this.#cells.subarray(at, at + width)));
      else table.records.put(slot, number, width, this.#cells, at);
      this.#mayEndEarlier[index] = 1;
      return;
    }
    table.records.store(this.#slots[index]!, width, this.#cells, at);
  }

  /** After all states of a row, because it ends with the last of them. */
  #schedule(count: number): void {
    let latest = NONE;
    for (let index = 0; index < count; index += 1) {
      const slot = this.#slots[index]!;
      if (this.#mayEndEarlier[index] === 0 || slot >>> SHIFT === latest) continue;
      this.#table.checkEarlier(slot);
      latest = slot >>> SHIFT;
    }
  }
}

/** Whether claims need no more than kernels. */
function areRates(group: readonly Claim[]): boolean {
  for (let index = 0; index < group.length; index += 1) {
    const claim = group[index]!;
    if (chargingOf(claim) !== 'admitted' || claim.record !== undefined || !kernelOf(claim.policy)) return false;
  }
  return true;
}

/** Of a claim. That of a rate is looked up when its tier is defined. */
function kernelOf(policy: Policy): Kernel | undefined {
  return algorithmOf(policy).kernel(policy);
}

/** Claims that kernels decide. */
export class ClaimedRates extends DecidedRates {
  declare readonly rates: readonly Claim[];

  constructor(group: readonly Claim[]) {
    super(group, 1);
  }

  storeKeyAt(index: number): string {
    return this.rates[index]!.key;
  }

  hintAt(): undefined {
    return undefined;
  }
}
