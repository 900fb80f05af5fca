import { memoryStore, StoreError, type MemoryStore } from '@sluice/core';
import { sharedLayers, type AbleStore, type Answer, type Claim, type Receipt } from '@sluice/core/own-store';
import { settled } from '../../support/remote-store.js';

/** An action at a time. */
interface Event {
  readonly at: number;
  readonly happen: () => void;
}

/** Simulated time in milliseconds, and the events in it. */
export class Simulation {
  now = 0;
  #events: Event[] = [];
  readonly #pass: (milliseconds: number) => void;

  /** @param pass called when time passes, to advance timers */
  constructor(pass: (milliseconds: number) => void = () => undefined) {
    this.#pass = pass;
  }

  at(time: number, happen: () => void): void {
    const index = this.#events.findIndex((event) => event.at > time);
    this.#events.splice(index < 0 ? this.#events.length : index, 0, { at: time, happen });
  }

  /** Runs all events, and those that they schedule. */
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

/** A store on the simulated clock. */
export function nearStore(simulation: Simulation): MemoryStore {
  return memoryStore({ clock: () => Date.UTC(2030, 0, 1) + simulation.now });
}

/** A remote store. Calls and answers arrive after a latency. */
export class FarStore implements AbleStore {
  readonly layers = sharedLayers;
  /** The store itself, without latency. */
  readonly near: MemoryStore;
  readonly #simulation: Simulation;
  readonly #latency: () => number;
  calls = 0;
  /** Whether calls arrive and are answered, do not arrive, or arrive and are not answered. */
  state: 'works' | 'unreachable' | 'silent' = 'works';

  /** @param near the store itself, if several processes share it */
  constructor(simulation: Simulation, latency: () => number, near: MemoryStore = nearStore(simulation)) {
    this.#simulation = simulation;
    this.#latency = latency;
    this.near = near;
  }

  consume(group: readonly Claim[]): Promise<Answer> {
    this.calls += 1;
    const sentAt = this.#simulation.now;
    return this.#far(() => ({ ...this.near.consume(group), source: 'redis', sentAt }));
  }

  peek(group: readonly Claim[]): Promise<Answer> {
    return this.#far(() => this.near.peek(group));
  }

  refund(receipts: readonly Receipt[]): Promise<number> {
    return this.#far(() => this.near.refund(receipts), this.state === 'silent' ? 'unreachable' : this.state);
  }

  reset(keys: readonly string[]): Promise<void> {
    return this.#far(() => this.near.reset(keys));
  }

  /** No fallback: rethrows the error. */
  recover(error: unknown): never {
    throw error;
  }

  recorded(key: string): Promise<readonly string[]> {
    return this.#far(() => this.near.recorded(key));
  }

  async close(): Promise<void> {
    this.near.close();
  }

  #far<T>(happen: () => T, state = this.state): Promise<T> {
    const there = this.#simulation.now + this.#latency();
    const back = there + this.#latency();
    return new Promise((resolve, reject) => {
      this.#simulation.at(there, () => {
        const result = state === 'unreachable' ? undefined : happen();
        this.#simulation.at(back, () => {
          if (state === 'works') resolve(result!);
          else reject(new StoreError('STORE_UNAVAILABLE', 'Redis could not answer: no reply'));
        });
      });
    });
  }
}
