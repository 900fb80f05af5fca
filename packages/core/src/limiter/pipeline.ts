import type { MaybePromise } from '../async/maybe-promise.js';
import type { Decision } from '../model/decision.js';
import type { Inspection } from '../model/inspection.js';
import type { Override } from '../model/override.js';
import type { Answer } from '../model/answer.js';
import type { ClaimBuilder } from './claims/claim-builder.js';
import type { ClaimSet, PlannedClaims } from './claims/claim-set.js';
import type { Plan } from './compile.js';
import type { TierDefinition } from './tiers/tier-definition.js';

/** How the requests of a limiter become claims, and claims become decisions. Overrides wrap it. */
export interface Pipeline<S> extends Pick<ClaimBuilder<S>, 'build' | 'buildUnits' | 'buildFor'> {
  compile(tiers: readonly TierDefinition<S>[]): Plan<S>;
  charge(claimSet: PlannedClaims): MaybePromise<Decision>;
  peek(claimSet: ClaimSet): MaybePromise<Answer>;
  inspect(claimSet: ClaimSet): Promise<readonly Inspection[]>;
  /** Those in force. */
  overrides(): readonly Override[];
}
