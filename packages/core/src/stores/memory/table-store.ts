import { closing } from '../closing.js';
import type { Candidate } from '../../algorithms/candidate.js';
import { candidate, consumeGroup, peekGroup } from '../../algorithms/group.js';
import { algorithmOf } from '../../algorithms/algorithm.js';
import { acting } from '../../algorithms/acting.js';
import { renewing } from '../../algorithms/renewing.js';
import type { Claim } from '../../model/claim.js';
import { ConfigError, StoreError } from '../../model/errors.js';
import type { ActValues, KeyAct } from '../../model/key-act.js';
import type { Policy } from '../../model/policy.js';
import type { Receipt } from '../../model/receipt.js';
import { BoundedCache } from '../../cache/bounded-cache.js';
import { answerOf } from '../answer.js';
import type { StoreStats } from '../store-stats.js';
import { OWN_LAYERS, type LegibleStore, type Reading, type StateKey, type StoreLayers } from '../store.js';
import type { Answer } from '../../model/answer.js';
import type { WatchedStore } from '../usage-ledger.js';
import { NONE } from './key-index.js';
import { KeyTable } from './key-table.js';
import { memoryLayers } from './memory-layers.js';
import { Placement, type Place } from './placement.js';
import { RateKernels } from './rate-kernels.js';
import { expiresAt } from './state-expiry.js';
import { toMicroseconds, type DecidedRates, type Rate } from '../decided-rates.js';

/** A claim adds or postpones at most one key, so that two checks for each remove all expired keys in the end. */
const EXPIRY_CHECKS_PER_CLAIM = 2;

type OnRefund = (receipts: readonly Receipt[]) => void;

/** Decides by the states in a table of keys. */
export class TableStore implements LegibleStore, WatchedStore {
  readonly #maxKeys: number;
  /** One that throws after `close`. */
  #clock: () => number;
  #table!: KeyTable;
  #placement!: Placement;
  #kernels!: RateKernels;
  /** What features have beside states: the older half leaves a full table, because a number is worth less than a state. */
  #beside!: BoundedCache<readonly number[]>;
  /** Undefined where nothing is counted beside the store. */
  #onRefund: OnRefund | undefined;

  constructor(maxKeys: number, clock: () => number) {
    this.#maxKeys = maxKeys;
    this.#clock = clock;
    this.#clear();
  }

  // On the prototype, so that a store which is given in the place of options names no option.
  get layers(): StoreLayers {
    return (store) => {
      if (store === this) return memoryLayers(this);
      const rule = `must have ${OWN_LAYERS}, where it wraps a memory store`;
      throw new ConfigError('OPTION_INVALID', 'store', undefined, `createLimiter: store ${rule}`);
    };
  }

  get maxKeys(): number {
    return this.#maxKeys;
  }

  get size(): number {
    return this.#table.size;
  }

  join(ends: readonly string[]): boolean {
    return this.#table.join(ends);
  }

  stats(): StoreStats {
    return { keys: [{ part: 'memory', used: this.size, limit: this.#maxKeys }], breakers: [], inFlight: 0 };
  }

  now(): number {
    return toMicroseconds(this.#clock());
  }

  consume(group: readonly Claim[]): Answer {
    const { outcomes, receipts, source, reached } = this.decide(group);
    return reached === undefined ? { outcomes, receipts, source } : { outcomes, receipts, source, reached };
  }

  decide(group: readonly Claim[]): Answer {
    const now = this.now();
    const answer = this.#kernels.decide(group, now) ?? this.#consumeGroup(group, now);
    this.#table.expireSome(now, group.length * EXPIRY_CHECKS_PER_CLAIM);
    return answer;
  }

  pin(policy: Policy): number {
    return this.#table.pin(policy);
  }

  check(rates: readonly Rate[], request: DecidedRates): boolean {
    const now = this.now();
    if (!this.#kernels.check(rates, request, now)) return false;
    this.#table.expireSome(now, rates.length * EXPIRY_CHECKS_PER_CLAIM);
    return true;
  }

  peek(group: readonly Claim[]): Answer {
    const now = this.now();
    const candidates = this.#placement.place(group, now).map((place) => this.#candidate(place));
    peekGroup(candidates, now);
    return answerOf(candidates, { source: 'memory', now });
  }

  read(group: readonly Claim[]): readonly Reading[] {
    const now = this.now();
    return this.#placement.place(group, now).map((place) => ({
      now,
      state: this.#placement.stateIn(place),
      beside: this.#beside,
    }));
  }

  refund(receipts: readonly Receipt[]): number {
    const now = this.now();
    this.#onRefund?.(receipts);
    return receipts.reduce((sum, receipt) => sum + this.#refund(receipt, now), 0);
  }

  watchRefunds(onRefund: OnRefund): void {
    this.#onRefund = onRefund;
  }

  renew(receipts: readonly Receipt[]): readonly number[] {
    const now = this.now();
    return receipts.map((receipt) => this.#renew(receipt, now));
  }

  /** A state that no other key shares. @throws StoreError where a full store has no room */
  act(owner: StateKey, { name, args }: KeyAct): ActValues {
    const now = this.now();
    const { policy } = owner;
    const stored = this.#placement.stateOf(owner);
    const { state, reply } = acting.of(policy)![name]!(stored, args, Math.floor(now / policy.tick));
    if (state !== undefined && state !== stored && !this.#placement.insert(owner, state, now)) {
      throw new StoreError('STORE_UNAVAILABLE', 'the memory store is full of keys that must stay: raise maxKeys');
    }
    return reply;
  }

  /** Of states that no other tier shares a key with. */
  async *keys(begin: string, end: string): AsyncGenerator<readonly string[]> {
    yield this.#table.keysLike((key) => key.startsWith(begin) && key.endsWith(end));
  }

  reset(keys: readonly string[]): void {
    // A closed store throws.
    this.now();
    for (const key of keys) {
      const slot = this.#table.find(key);
      if (slot !== NONE) this.#table.remove(slot);
      this.#beside.delete(key);
    }
  }

  recorded(key: string): readonly string[] {
    const now = this.now();
    const slot = this.#table.find(key);
    return slot !== NONE && expiresAt(this.#table.records, slot) > now ? this.#table.texts.of(slot) : [];
  }

  close(): void {
    this.#clock = throwClosed;
    void closing(this);
    this.#onRefund = undefined;
    this.#clear();
  }

  #clear(): void {
    this.#table = new KeyTable(this.#maxKeys);
    this.#placement = new Placement(this.#table);
    this.#kernels = new RateKernels(this.#table);
    this.#beside = new BoundedCache(this.#maxKeys);
  }

  #consumeGroup(group: readonly Claim[], now: number): Answer {
    const places = this.#placement.place(group, now);
    const candidates = places.map((place) => this.#candidate(place));
    const isAdmitted = consumeGroup(candidates, now);
    for (const [index, each] of candidates.entries()) {
      if (!each.changed) continue;
      const slot = this.#placement.commit(places[index]!, each, now);
      if (isAdmitted) this.#record(slot, each);
    }
    return answerOf(candidates, { source: 'memory', now });
  }

  #candidate(place: Place): Candidate {
    return candidate(place.claim, this.#placement.stateIn(place), this.#beside);
  }

  #record(slot: number, { claim, charged }: Candidate): void {
    if (slot !== NONE && claim.record !== undefined && charged > 0) this.#table.texts.add(slot, claim.record);
  }

  #refund(receipt: Receipt, now: number): number {
    const { policy } = receipt;
    const stored = this.#placement.stateOf(receipt);
    if (stored === undefined) return 0;
    const ticks = Math.floor(now / policy.tick);
    const { state, given } = algorithmOf(policy).refund(stored, ticks, policy, receipt);
    if (given > 0) this.#placement.rewrite(receipt, state, now);
    return given;
  }

  #renew(receipt: Receipt, now: number): number {
    const { policy } = receipt;
    const stored = this.#placement.stateOf(receipt);
    const { state, lapsed } = renewing.of(policy)!.renew(stored, Math.floor(now / policy.tick), policy, receipt);
    this.#placement.put(receipt, state, now);
    return lapsed;
  }
}

function throwClosed(): never {
  throw new StoreError('STORE_CLOSED', 'the memory store is closed');
}
