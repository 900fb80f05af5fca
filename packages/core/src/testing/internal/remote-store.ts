import { memoryStore, type Answer, type Claim, type MaybePromise, type Receipt, type Store } from '../../index.js';
import { fakeClock } from '../clock.js';

/** A store that answers as Redis does: by promise, and with the time at which it was asked. */
export class RemoteStore implements Store {
  readonly clock = fakeClock(0);
  readonly memory = memoryStore({ clock: () => Date.UTC(2030, 0, 1) + this.clock() });
  /** The groups that it was asked to charge, and how often the rest. */
  readonly groups: (readonly Claim[])[] = [];
  readonly refunds: (readonly Receipt[])[] = [];
  peeks = 0;
  /** What was asked for is decided at once; answers wait for this. */
  way: Promise<void> = Promise.resolve();
  failure: Error | undefined;

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

  async reset(keys: readonly string[]): Promise<void> {
    return this.#answer(() => this.memory.reset(keys));
  }

  /** It has no fallback: a failure stays one. */
  recover(error: unknown): never {
    throw error;
  }

  async inspect(key: string): Promise<readonly string[]> {
    return this.#answer(() => this.memory.inspect(key));
  }

  close(): MaybePromise<void> {
    return this.memory.close();
  }

  /** Units of a claim's budget that are used. */
  used(claim: Claim): number {
    const [outcome] = this.memory.peek([{ ...claim, cost: 0 }]).outcomes;
    return outcome!.limit - outcome!.remaining;
  }

  /** Lets no answer pass until it is told to, or that they were lost: what was asked for is decided all the same. */
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

/** Lets promises that are settled tell whoever waits for them, however many stand between them. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
