import type { Claim } from '../model/claim.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import type { Outcome } from '../model/outcome.js';
import { samePolicy, type Policy } from '../model/policy.js';
import { BoundedCache } from '../cache/bounded-cache.js';
import type { Receipt } from '../model/receipt.js';
import { passing, type Station } from './asking.js';
import type { Answer, Store } from './store.js';

/** A unit that was given back by another process is seen after so many milliseconds at the latest. */
const LONGEST = 60_000;
/** Clocks of two machines go differently fast, by less than this. */
const DRIFT = 0.999;
/** Denials that are kept at most. */
const DENIALS = 65_536;

/** A store that remembers who was denied, and until when nothing can have changed. */
export interface DenyCacheStore extends Store {
  /** The same store for those who want to ask it every time. What they give back is seen here. */
  readonly uncached: Store;
  /** There is more of these keys than the store has said. */
  forget(keys: readonly string[]): void;
}

/** What a tier has said once, and goes on saying until it can have changed its mind. */
interface Denial {
  readonly policy: Policy;
  /** What was too much; more is too much as well. */
  readonly cost: number;
  readonly outcome: Outcome;
  /** When it came, in milliseconds of the clock: what it says to wait is waited from then on. */
  readonly told: number;
  /** Nothing can have changed before. */
  readonly until: number;
}

/**
 * Answers for a store that has denied already: nobody is let in by asking again. Only what the store itself has said is
 * kept, and only for as long as nothing but giving back can change it.
 *
 * @param clock milliseconds that never go back
 */
export function withDenyCache(store: Store, clock: () => number = () => performance.now()): DenyCacheStore {
  return new CachingStore(store, clock);
}

class CachingStore implements DenyCacheStore, Station {
  readonly uncached: Store;
  readonly #store: Store;
  readonly #clock: () => number;
  readonly #denials = new BoundedCache<Denial>(DENIALS);
  /** When the state of a key was changed by hand: what was asked before says nothing any more. */
  readonly #changes = new BoundedCache<number>(DENIALS);

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
    this.uncached = {
      consume: (group) => store.consume(group),
      peek: (group) => store.peek(group),
      refund: (receipts) => this.refund(receipts),
      reset: (keys) => this.reset(keys),
      inspect: (key) => store.inspect(key),
      close: () => store.close(),
    };
  }

  consume(group: readonly Claim[]): MaybePromise<Answer> {
    // A denied request counts there.
    if (countsDenied(group)) return this.#store.consume(group);
    const known = this.#denials.isEmpty ? undefined : this.#denied(group);
    if (known) return known;
    return passing(this.#store.consume(group), group, this);
  }

  pass(answer: Answer, group: readonly Claim[]): Answer {
    if (answer.source === 'redis') this.#keep(group, answer);
    return answer;
  }

  recover(error: unknown): never {
    throw error;
  }

  peek(group: readonly Claim[]): MaybePromise<Answer> {
    return this.#store.peek(group);
  }

  refund(receipts: readonly Receipt[]): Promise<number> {
    return this.#change(
      receipts.map(({ key }) => key),
      () => this.#store.refund(receipts),
    );
  }

  reset(keys: readonly string[]): Promise<void> {
    return this.#change(keys, () => this.#store.reset(keys));
  }

  inspect(key: string): MaybePromise<readonly string[]> {
    return this.#store.inspect(key);
  }

  close(): MaybePromise<void> {
    return this.#store.close();
  }

  forget(keys: readonly string[]): void {
    const now = this.#clock();
    for (const key of keys) {
      this.#denials.delete(key);
      this.#changes.set(key, now);
    }
  }

  /** Whoever asks from now on is not told what was; nor, when it is done, what was said on the way. */
  async #change<T>(keys: readonly string[], change: () => MaybePromise<T>): Promise<T> {
    this.forget(keys);
    try {
      return await change();
    } finally {
      this.forget(keys);
    }
  }

  /** The tiers that are known to deny; of the others nothing is known without asking. */
  #denied(group: readonly Claim[]): Answer | undefined {
    let outcomes: Outcome[] | undefined;
    let now = 0;
    for (let index = 0; index < group.length; index += 1) {
      const { key, policy, cost, shadow } = group[index]!;
      if (shadow) continue;
      // No waiting helps, whatever another tier says.
      if (cost > policy.capacity) return undefined;
      const denial = this.#denials.get(key);
      if (denial === undefined || cost < denial.cost || !samePolicy(denial.policy, policy)) continue;
      now ||= this.#clock();
      if (now >= denial.until) continue;
      if (outcomes) outcomes.push(outcomeAt(denial, now));
      else outcomes = [outcomeAt(denial, now)];
    }
    return outcomes && { outcomes, receipts: NOTHING, source: 'deny-cache' };
  }

  #keep(group: readonly Claim[], { outcomes, asked }: Answer): void {
    if (asked === undefined) return;
    const isDenied = outcomes.some(({ allowed, shadow }) => !allowed && !shadow);
    if (!isDenied && this.#denials.isEmpty) return;
    const told = this.#clock();
    for (const [index, { key, policy, cost }] of group.entries()) {
      const { [index]: outcome } = outcomes;
      const known = this.#denials.get(key);
      // What is kept is put right by the numbers that it was asked with last.
      if (known && !samePolicy(known.policy, policy)) this.#denials.delete(key);
      if (outcome === undefined || outcome.never || outcome.shadow) continue;
      if (outcome.allowed) {
        // On a Cluster it may have been taken, and given back: others can have been denied in between.
        if (isDenied && cost > 0) this.forget([key]);
        continue;
      }
      if ((this.#changes.get(key) ?? -Infinity) >= asked) continue;
      // It was rounded up by less than a millisecond.
      const until = asked + Math.min((outcome.retryAfter - 1) * DRIFT, LONGEST);
      if (until > told) this.#denials.set(key, { policy, cost, outcome, told, until });
    }
  }
}

const NOTHING: readonly Receipt[] = Object.freeze([]);

function countsDenied(group: readonly Claim[]): boolean {
  for (let index = 0; index < group.length; index += 1) if (group[index]!.countDenied) return true;
  return false;
}

/** What the outcome of a denial has become. */
function outcomeAt({ outcome, told }: Denial, now: number): Outcome {
  const { tier, limit, remaining, retryAfter, replenishAfter, resetAfter, delay } = outcome;
  const elapsed = Math.floor(now - told);
  return {
    tier,
    allowed: false,
    never: false,
    shadow: false,
    limit,
    remaining,
    retryAfter: left(retryAfter, elapsed),
    replenishAfter: left(replenishAfter, elapsed),
    resetAfter: left(resetAfter, elapsed),
    delay,
  };
}

/** What is left to wait: something, until it was asked for anew. */
function left(milliseconds: number, elapsed: number): number {
  return milliseconds === 0 ? 0 : Math.max(1, milliseconds - elapsed);
}
