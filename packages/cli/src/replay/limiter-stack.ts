import type { Outcome } from '@sluice/core';
import { Trial, type TierCounts } from '../limits/trial.js';
import type { AnyLimiter } from '../limits/limiters.js';
import type { ReplayedRequest } from './replayed-request.js';

export type ReplayLimiter = AnyLimiter<ReplayedRequest>;

export interface StackSetup {
  /** The bit of the first limiter in the routes of a request. */
  readonly firstRoute: number;
  /** Among the limiters that see the same clients. */
  readonly place: number;
}

interface StackDecision {
  readonly allowed: boolean;
  /** Of the limiters that have seen the request. */
  readonly outcomes: readonly Outcome[];
}

const ADMITTED: StackDecision = { allowed: true, outcomes: [] };

/** Limiters one behind the other, each at its routes: what one denies, the next does not see. */
export class LimiterStack {
  denied = 0;
  readonly tiers: readonly TierCounts[];
  /** Undefined for a limiter without tiers, for which nothing could be proposed. */
  readonly #trials: readonly (Trial<ReplayedRequest> | undefined)[];
  readonly #firstRoute: number;

  /** @throws ConfigError of core */
  constructor(limiters: readonly ReplayLimiter[], { firstRoute, place }: StackSetup) {
    this.#trials = limiters.map(({ tiers }, index) =>
      tiers.length === 0 ? undefined : new Trial(tiers, place + index),
    );
    this.tiers = this.#trials.flatMap((trial) => trial?.tiers ?? []);
    this.#firstRoute = firstRoute;
  }

  /** @param routes a bit for each limiter that the request meets. Undefined for all */
  decide(request: ReplayedRequest, time: number, routes: number | undefined): StackDecision {
    const [only] = this.#trials;
    const decision =
      only !== undefined && this.#trials.length === 1 && routes === undefined
        ? only.decide(request, time, request.units)
        : this.#decideInTurn(request, time, routes);
    if (!decision.allowed) this.denied += 1;
    return decision;
  }

  #decideInTurn(request: ReplayedRequest, time: number, routes: number | undefined): StackDecision {
    let all = ADMITTED;
    for (const [index, trial] of this.#trials.entries()) {
      if (trial === undefined) continue;
      if (routes !== undefined && (routes & (1 << (this.#firstRoute + index))) === 0) continue;
      const { allowed, outcomes } = trial.decide(request, time, request.units);
      all = { allowed, outcomes: [...all.outcomes, ...outcomes] };
      if (!allowed) return all;
    }
    return all;
  }
}
