import { memoryStore, type MaybePromise, type MemoryStore } from '../../packages/core/src/index.js';
import {
  sharedLayers,
  type AbleStore,
  type Answer,
  type Claim,
  type Receipt,
} from '../../packages/core/src/own-store/index.js';
import { fakeClock, type FakeClock } from '../../packages/testing/src/clock.js';

/** A store that answers as Redis does: by promise, with `sentAt`. */
export class RemoteStore implements AbleStore {
  readonly layers = sharedLayers;
  readonly clock: FakeClock;
  readonly memory: MemoryStore;
  /** The groups of all calls of `consume`. */
  readonly groups: (readonly Claim[])[] = [];
  readonly refunds: (readonly Receipt[])[] = [];
  peeks = 0;
  /** Calls are decided immediately. Answers wait for this promise. */
  way: Promise<void> = Promise.resolve();
  failure: Error | undefined;

  constructor(clock = fakeClock(0)) {
    this.clock = clock;
    this.memory = memoryStore({ clock: () => Date.UTC(2030, 0, 1) + clock() });
  }

  async consume(group: readonly Claim[]): Promise<Answer> {
    this.groups.push(group);
    const sentAt = this.clock();
    return this.#answer(() => ({ ...this.memory.consume(group), source: 'redis', sentAt }));
  }

  async peek(group: readonly Claim[]): Promise<Answer> {
    this.peeks += 1;
    const sentAt = this.clock();
    return this.#answer(() => ({ ...this.memory.peek(group), source: 'redis', sentAt }));
  }

  async refund(receipts: readonly Receipt[]): Promise<number> {
    this.refunds.push(receipts);
    return this.#answer(() => this.memory.refund(receipts));
  }

  async renew(receipts: readonly Receipt[]): Promise<readonly number[]> {
    return this.#answer(() => this.memory.renew(receipts));
  }

  async reset(keys: readonly string[]): Promise<void> {
    return this.#answer(() => this.memory.reset(keys));
  }

  /** No fallback: rethrows the error. */
  recover(error: unknown): never {
    throw error;
  }

  async recorded(key: string): Promise<readonly string[]> {
    return this.#answer(() => this.memory.recorded(key));
  }

  close(): MaybePromise<void> {
    return this.memory.close();
  }

  /** The charged units of a claim's budget. */
  used(claim: Claim): number {
    const [outcome] = this.memory.peek([{ ...claim, cost: 0 }]).outcomes;
    return outcome!.limit - outcome!.remaining;
  }

  /** Holds answers back until `arrive` or `lose`. Calls are still decided immediately. */
  delay(): { arrive: () => Promise<void>; lose: (error: unknown) => Promise<void> } {
    let [pass, fail] = [() => {}, (_error: unknown) => {}];
    this.way = new Promise((resolve, reject) => ([pass, fail] = [resolve, reject]));
    const end = (what: () => void) => {
      this.way = Promise.resolve();
      what();
      return settled();
    };
    return { arrive: () => end(pass), lose: (error) => end(() => fail(error)) };
  }

  async #answer<T>(decide: () => T): Promise<T> {
    if (this.failure) throw this.failure;
    const decided = decide();
    await this.way;
    return decided;
  }
}

/** Lets all callbacks of settled promises run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
