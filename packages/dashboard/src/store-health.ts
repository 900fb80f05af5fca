import { statsOf, subscribe, type Store } from '@sluice/core';
import { FeaturesInUse } from '@sluice/metrics/operations';
import type { BreakerHealth, Health } from './messages.js';

/** Calls whose duration is known. */
const CALLS = 1_000;
const MINUTE = 60_000;
/** Operations that fail for this time are an outage; one that misses its deadline is not. */
const OUTAGE_AFTER = 250;

/** How well the store answers this process, and what the features in use say. */
export class StoreHealth {
  readonly #store: Store;
  readonly #clock: () => number;
  readonly #durations = new Float64Array(CALLS);
  readonly #endedAt = new Float64Array(CALLS).fill(-Infinity);
  #calls = 0;
  #degraded = 0;
  /** The first operation without an answer. Undefined when one was answered after it. */
  #failingSince: number | undefined;
  #isDegraded = false;
  #fault: { readonly problem: string; readonly at: number } | undefined;
  readonly #features: FeaturesInUse;
  readonly #subscriptions: readonly (() => void)[];

  /**
   * @param clock milliseconds since the start
   * @param onChange called when the store fails or answers again
   */
  constructor(store: Store, clock: () => number, onChange: () => void) {
    this.#store = store;
    this.#clock = clock;
    this.#features = new FeaturesInUse({ stores: [], clock, tierName: (tier) => tier });
    this.#subscriptions = [
      subscribe('sluice:store-call', ({ duration, outcome, problem }) => {
        this.#durations[this.#calls % CALLS] = duration;
        this.#endedAt[this.#calls % CALLS] = clock();
        this.#calls += 1;
        if (outcome !== 'answered') this.#fail(problem);
        else if (this.#failingSince !== undefined) {
          const wasDegraded = this.#isDegraded;
          this.#failingSince = undefined;
          this.#isDegraded = false;
          if (wasDegraded) onChange();
        }
      }),
      subscribe('sluice:degraded', ({ message }) => {
        const now = clock();
        this.#degraded += 1;
        if (this.#failingSince === undefined) this.#fail(message);
        this.#failingSince ??= now;
        if (this.#isDegraded || now - this.#failingSince < OUTAGE_AFTER) return;
        this.#isDegraded = true;
        onChange();
      }),
      // The page also reads the state of each breaker.
      subscribe('sluice:breaker', ({ problem }) => {
        this.#fail(problem);
        onChange();
      }),
      subscribe('sluice:config-fault', ({ problem }) => {
        this.#fail(problem);
        onChange();
      }),
    ];
  }

  get isDegraded(): boolean {
    return this.#isDegraded;
  }

  /** When the store began to fail. Undefined while it answers. */
  get failingSince(): number | undefined {
    return this.#isDegraded ? this.#failingSince : undefined;
  }

  /** Also while the connection is lost and no request has needed it, as the page says it. */
  get isOut(): boolean {
    return this.#isDegraded || !statsOf(this.#store).breakers.every(isUp);
  }

  read(): Health {
    const now = this.#clock();
    const { keys, breakers, inFlight } = statsOf(this.#store);
    const calls = this.#recentCalls(now);
    return {
      store: breakers.length > 0 ? 'redis' : keys.some(({ part }) => part === 'memory') ? 'memory' : 'other',
      ...(calls.length > 0 && { calls: { count: calls.length, p50: at(calls, 0.5), p99: at(calls, 0.99) } }),
      breakers,
      keys,
      inFlight,
      ...(this.#isDegraded && { degradedFor: Math.round(now - this.#failingSince!) }),
      degraded: this.#degraded,
      ...(this.#fault && { fault: { problem: this.#fault.problem, age: Math.round(now - this.#fault.at) } }),
      facts: this.#features.facts(),
    };
  }

  stop(): void {
    for (const end of this.#subscriptions) end();
    this.#features.stop();
  }

  #fail(problem: string | undefined): void {
    if (problem !== undefined) this.#fault = { problem, at: this.#clock() };
  }

  /** In ascending order. */
  #recentCalls(now: number): Float64Array {
    return this.#durations.filter((_, index) => now - this.#endedAt[index]! < MINUTE).toSorted();
  }
}

function isUp({ state, isConnected }: BreakerHealth): boolean {
  return state === 'closed' && isConnected;
}

function at(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
