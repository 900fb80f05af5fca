import {
  memoryStore,
  StoreError,
  type Answer,
  type Claim,
  type MemoryStore,
  type Receipt,
  type Store,
} from '@sluice/core';
import { settled } from '../../../packages/core/src/testing/internal/remote-store.js';

/** Something that happens at a time. */
interface Event {
  readonly at: number;
  readonly happen: () => void;
}

/** Time that passes only when it is told to, and what happens in it. Milliseconds. */
export class World {
  now = 0;
  #events: Event[] = [];
  readonly #pass: (milliseconds: number) => void;

  /** @param pass is told of time that passes: timers, if there are any */
  constructor(pass: (milliseconds: number) => void = () => undefined) {
    this.#pass = pass;
  }

  at(time: number, happen: () => void): void {
    const index = this.#events.findIndex((event) => event.at > time);
    this.#events.splice(index < 0 ? this.#events.length : index, 0, { at: time, happen });
  }

  /** Lets everything happen, and whatever follows from it. */
  async run(): Promise<void> {
    for (let event = this.#events.shift(); event; event = this.#events.shift()) {
      const passed = event.at - this.now;
      this.now = event.at;
      this.#pass(passed);
      event.happen();
      await settled();
    }
  }
}

/** What is at the far end of a way: its clock is that of the world. */
export function nearStore(world: World): MemoryStore {
  return memoryStore({ clock: () => Date.UTC(2030, 0, 1) + world.now });
}

/** A store that is as far away as Redis: what is asked arrives later, and the answer comes back later still. */
export class FarStore implements Store {
  /** What is there, seen without any distance. */
  readonly near: MemoryStore;
  readonly #world: World;
  readonly #latency: () => number;
  asked = 0;
  /** What becomes of what is asked: it arrives, it does not, or its answer is lost. */
  state: 'well' | 'gone' | 'mute' = 'well';

  /** @param near what is there, where several processes ask it */
  constructor(world: World, latency: () => number, near: MemoryStore = nearStore(world)) {
    this.#world = world;
    this.#latency = latency;
    this.near = near;
  }

  consume(group: readonly Claim[]): Promise<Answer> {
    this.asked += 1;
    const sentAt = this.#world.now;
    return this.#far(() => ({ ...this.near.consume(group), source: 'redis', sentAt }));
  }

  peek(group: readonly Claim[]): Promise<Answer> {
    return this.#far(() => this.near.peek(group));
  }

  refund(receipts: readonly Receipt[]): Promise<number> {
    return this.#far(() => this.near.refund(receipts), this.state === 'mute' ? 'gone' : this.state);
  }

  reset(keys: readonly string[]): Promise<void> {
    return this.#far(() => this.near.reset(keys));
  }

  /** It has no fallback: a failure stays one. */
  recover(error: unknown): never {
    throw error;
  }

  inspect(key: string): Promise<readonly string[]> {
    return this.#far(() => this.near.inspect(key));
  }

  async close(): Promise<void> {
    this.near.close();
  }

  #far<T>(happen: () => T, state = this.state): Promise<T> {
    const there = this.#world.now + this.#latency();
    const back = there + this.#latency();
    return new Promise((resolve, reject) => {
      this.#world.at(there, () => {
        const result = state === 'gone' ? undefined : happen();
        this.#world.at(back, () => {
          if (state === 'well') resolve(result!);
          else reject(new StoreError('STORE_UNAVAILABLE', 'Redis could not answer: no reply'));
        });
      });
    });
  }
}
