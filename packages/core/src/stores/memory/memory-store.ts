import { candidate, consumeGroup, consumeOne, peekGroup, type Candidate } from '../../algorithms/group.js';
import { algorithmOf } from '../../algorithms/index.js';
import type { Claim } from '../../model/claim.js';
import { StoreError } from '../../model/errors.js';
import { OptionReader, show } from '../../options/option-reader.js';
import type { Receipt } from '../../model/receipt.js';
import type { Ruling } from '../../model/ruling.js';
import { toAnswer } from '../answer.js';
import type { Answer, Store } from '../store.js';
import { NONE } from './key-index.js';
import { KeyTable } from './key-table.js';
import { Seats, type Seating } from './seats.js';

export interface MemoryStoreOptions {
  /**
   * Keys that are kept at most, 16 to 2^24. Each takes some 60 bytes and its own text, more with the algorithms that
   * remember more than two numbers. Where there is no room, a key that has expired leaves, else one that has much of
   * its budget left; a key that is being denied stays.
   *
   * @default 100_000
   */
  maxKeys?: number;
  /**
   * Tells the time in milliseconds since 1970, with fractions down to a microsecond.
   *
   * @default `performance.timeOrigin + performance.now()`, which is never set back
   */
  clock?: () => number;
}

/** A store in this process: it answers at once, never by promise. */
export interface MemoryStore extends Store {
  /** Keys that are kept at present. */
  readonly size: number;
  consume(group: readonly Claim[]): Answer;
  peek(group: readonly Claim[]): Answer;
  refund(receipts: readonly Receipt[]): number;
  reset(keys: readonly string[]): void;
  inspect(key: string): readonly string[];
  close(): void;
}

/**
 * Keeps state in memory: for one process, and for the time that Redis is away.
 *
 * @throws ConfigError
 */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const reader = new OptionReader('memoryStore', options, ['maxKeys', 'clock']);
  const maxKeys = reader.integer('OPTION_INVALID', 'maxKeys', { min: 16, max: 2 ** 24, otherwise: 100_000 });
  const { clock = processClock } = options;
  if (typeof clock !== 'function') throw reader.fail('OPTION_INVALID', 'clock', 'must be a function');
  const told: unknown = clock();
  if (typeof told !== 'number' || !Number.isSafeInteger(microsecondsOf(told))) {
    throw reader.fail('OPTION_INVALID', 'clock', `must return milliseconds since 1970 and returned ${show(told)}`);
  }
  return new TableStore(maxKeys, clock);
}

/** True for a store of this copy of the package that keeps state in memory. */
export function isMemoryStore(store: Store): boolean {
  return store instanceof TableStore;
}

// Asked once: asking takes longer than the clock itself.
const { timeOrigin } = performance;

function processClock(): number {
  return timeOrigin + performance.now();
}

function microsecondsOf(milliseconds: number): number {
  // Rounded, for 0.007 * 1000 is not quite 7.
  return Math.round(milliseconds * 1e3);
}

/** Keys that are due for each claim: more than it can add or put off, so that memory shrinks to what lives. */
const LOOKS = 2;

class TableStore implements MemoryStore {
  readonly #clock: () => number;
  readonly #maxKeys: number;
  #table: KeyTable;
  #seats: Seats;
  #closed = false;

  constructor(maxKeys: number, clock: () => number) {
    this.#maxKeys = maxKeys;
    this.#clock = clock;
    this.#table = new KeyTable(maxKeys);
    this.#seats = new Seats(this.#table);
  }

  get size(): number {
    return this.#table.size;
  }

  consume(group: readonly Claim[]): Answer {
    const now = this.#now();
    const isAlone = group.length === 1 && this.#table.free > 0;
    const answer = isAlone ? this.#consumeAlone(group, now) : this.#consumeTogether(group, now);
    this.#table.tidy(now, group.length * LOOKS);
    return answer;
  }

  peek(group: readonly Claim[]): Answer {
    const now = this.#now();
    const seating = this.#seats.take(group, now);
    const candidates = this.#candidates(seating);
    peekGroup(candidates, now);
    return toAnswer(seating.claims, candidates.map(rulingOf), now, 'memory');
  }

  refund(receipts: readonly Receipt[]): number {
    const now = this.#now();
    let given = 0;
    for (const receipt of receipts) given += this.#refund(receipt, now);
    return given;
  }

  reset(keys: readonly string[]): void {
    this.#assertOpen();
    for (const key of keys) {
      const slot = this.#table.find(key);
      if (slot !== NONE) this.#table.remove(slot);
    }
  }

  inspect(key: string): readonly string[] {
    const now = this.#now();
    const slot = this.#table.find(key);
    return slot !== NONE && this.#table.deadlineOf(slot) > now ? this.#table.notesOf(slot) : [];
  }

  close(): void {
    this.#closed = true;
    this.#table = new KeyTable(this.#maxKeys);
    this.#seats = new Seats(this.#table);
  }

  #now(): number {
    this.#assertOpen();
    return microsecondsOf(this.#clock());
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreError('STORE_CLOSED', 'the memory store is closed');
  }

  /** The short way, which most requests take: one claim, and room for its key. */
  #consumeAlone(group: readonly Claim[], now: number): Answer {
    const claim = group[0]!;
    const slot = this.#table.find(claim.key);
    const alone = candidate(claim, this.#seats.stateAt(slot, claim));
    consumeOne(alone, now);
    if (alone.changed) {
      const kept = this.#seats.keepAt(slot, claim, { state: alone.state, now });
      if (isAdmitted(alone)) this.#record(kept, alone);
    }
    return toAnswer(group, [alone.ruling!], now, 'memory');
  }

  #consumeTogether(group: readonly Claim[], now: number): Answer {
    const seating = this.#seats.take(group, now);
    const candidates = this.#candidates(seating);
    consumeGroup(candidates, now);
    const admitted = candidates.every(isAdmitted);
    for (let index = 0; index < candidates.length; index += 1) {
      const each = candidates[index]!;
      if (!each.changed) continue;
      const slot = this.#seats.keep(seating, index, { state: each.state, now });
      if (admitted) this.#record(slot, each);
    }
    return toAnswer(seating.claims, candidates.map(rulingOf), now, 'memory');
  }

  #candidates(seating: Seating): Candidate[] {
    return seating.claims.map((claim, index) => candidate(claim, this.#seats.stored(seating, index)));
  }

  #record(slot: number, { claim, charged }: Candidate): void {
    if (slot === NONE || claim.record === undefined || charged === 0) return;
    this.#table.note(slot, claim.record);
  }

  #refund(receipt: Receipt, now: number): number {
    const { policy } = receipt;
    const stored = this.#seats.stateOf(receipt);
    if (stored === undefined) return 0;
    const ticks = Math.floor(now / policy.tick);
    const { state, given } = algorithmOf(policy).refund(stored, ticks, policy, receipt);
    if (given > 0) this.#seats.rewrite(receipt, state, now);
    return given;
  }
}

function isAdmitted({ claim, retryAfter }: Candidate): boolean {
  return claim.shadow || retryAfter === 0;
}

function rulingOf({ ruling }: Candidate): Ruling {
  return ruling!;
}
