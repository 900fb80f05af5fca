import { limitersOf, type Decision, type Limiter, type Store } from '@sluice/core';
import { Random } from '../../properties/twin/random.js';

/** What customers have used, as their requests know it. */
export class Oracle {
  /** Units by the digest of their identity. */
  readonly units = new Map<string, number>();
  readonly #limiter: Limiter<string>;
  readonly #tier: string;
  readonly #digestOf: (user: string) => string;
  readonly #random = new Random(7);
  /** Those that are settled later. */
  readonly #open: { readonly user: string; readonly cost: number; readonly decision: Decision }[] = [];

  constructor(store: Store, limiter: Limiter<string>, tier: string) {
    this.#limiter = limiter;
    this.#tier = tier;
    this.#digestOf = (user) => limitersOf(store)[0]!.digestOf(user);
  }

  /** Charges each user. */
  async charge(users: readonly string[]): Promise<void> {
    await Promise.all(
      users.map(async (user) => {
        const cost = this.#random.integer(1, 9);
        const decision = await this.#limiter.consume(user, { cost });
        if (!decision.allowed || decision.degraded) throw new Error(`a charge was ${decision.reason}`);
        this.#add(user, cost);
        if (this.#random.chance(0.2)) this.#open.push({ user, cost, decision });
      }),
    );
  }

  /** Settles some requests of any time before to less. */
  async settle(count: number): Promise<void> {
    const some = this.#open.splice(0, count);
    await Promise.all(
      some.map(async ({ user, cost, decision }) => {
        const units = this.#random.integer(0, cost - 1);
        await this.#limiter.settle(decision, { [this.#tier]: units });
        this.#add(user, units - cost);
      }),
    );
  }

  #add(user: string, units: number): void {
    const digest = this.#digestOf(user);
    this.units.set(digest, (this.units.get(digest) ?? 0) + units);
  }
}
