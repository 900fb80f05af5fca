import { chargingOf, type Claim } from '../../model/claim.js';
import type { Fact, FactKind } from './facts.js';
import type { PermitStore } from '../store.js';

/** A charge of a pause, and when it ends in milliseconds of the clock. */
interface Paused {
  readonly claim: Claim;
  readonly until: number;
}

/** The name of these facts: a longer pause of a key replaces a shorter one. */
export const PAUSE = 'pause';

/** Pauses that a store must hear. */
export class Pauses implements FactKind<Paused> {
  readonly isVital = true;
  readonly #target: PermitStore;
  readonly #clock: () => number;

  constructor(target: PermitStore, clock: () => number) {
    this.#target = target;
    this.#clock = clock;
  }

  /** The pauses that a group has begun at that time. */
  of(group: readonly Claim[], at: number): readonly Fact<Paused>[] {
    const pauses = group.filter((claim) => claim.policy.algorithm.chargesNobody && chargingOf(claim) === 'all');
    return pauses.map((claim) => {
      const until = at + claim.cost;
      return { key: claim.key, name: PAUSE, until, kind: this, about: { claim, until } };
    });
  }

  /** A pause ends when it was to end, however late it is sent. */
  async send(pauses: readonly Paused[]): Promise<readonly unknown[]> {
    const now = this.#clock();
    const results = await Promise.allSettled(
      pauses.map(async ({ claim, until }) => {
        const rest = { ...claim, cost: Math.ceil(until - now) };
        const { link } = this.#target;
        await (link === undefined ? this.#target.consume([rest]) : link.chargeFirst(rest));
      }),
    );
    return results.map((each) => (each.status === 'rejected' ? each.reason : undefined));
  }
}
