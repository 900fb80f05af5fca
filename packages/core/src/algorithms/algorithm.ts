// algorithms/ has the steps of each algorithm in a folder of its own, in TypeScript and in Lua that must decide alike;
// this file is their interface. Checked options enter and become a policy; later a state, a time and a cost enter. It
// imports model, options and waiting, and not Node.
import type { Claim } from '../model/claim.js';
import type { Terms } from '../model/inspection.js';
import type { DraftOutcome, Outcome } from '../model/outcome.js';
import type { AlgorithmFacts } from '../model/algorithm-facts.js';
import type { KeyKind } from '../model/key-kind.js';
import type { Policy } from '../model/policy.js';
import type { Ruling } from '../model/ruling.js';
import type { OptionReader } from '../options/option-reader.js';
import type { OptionRows, CombinationRule } from '../options/option-row.js';
import type { Emitted } from './emitter.js';
import type { ClaimResult, Kernel } from './kernel.js';
import type { FeatureValue } from '../model/feature.js';

/**
 * A pure function of integers, in steps. It does no IO and reads no clock: `now` is an argument, in ticks of the policy.
 * The Lua twin beside it has the same steps under the same names, but in the place of `wait` one that says whether units fit,
 * and none that describes: from the state that it has found a process decides again.
 */
export interface Algorithm<P extends Policy = Policy, State = unknown> extends AlgorithmFacts {
  /** Each unit is an entry that a store writes. */
  readonly storesUnits: boolean;
  /** How a fast path of the Lua twin reports a state. It is undefined for an algorithm that has no fast path. */
  readonly packing: Packing<P, State> | undefined;
  /** The steps in place; undefined where states are no fixed number of numbers. */
  kernel(policy: P): Kernel<P> | undefined;
  /** True for a state dated later than `now` allows: the clock stepped back, or the limit was cut. */
  isAhead(stored: State, now: number, policy: P): boolean;
  /** The state as it stands at `now`: rolled forward, or dated back when it was ahead. */
  read(stored: State | undefined, now: number, policy: P): State;
  /**
   * Returns the ticks until `cost` fits if nothing else is charged, or 0 if it fits now. `cost` is at most the policy's
   * capacity.
   *
   * @param name of the units, where they end with their request
   */
  wait(state: State, now: number, policy: P, cost: number, name?: string): number;
  /** Whole units that are left. */
  remaining(state: State, now: number, policy: P): number;
  /** Units of the capacity that only `settle` can charge. */
  overdraft(policy: P): number;
  /** The state after `cost` units, at most up to full. @param name of the units, where they end with their request */
  charge(state: State, now: number, policy: P, cost: number, name?: string): State;
  /** The ruling on a claim that left this state behind. */
  describe(state: State, now: number, policy: P, result: ClaimResult): Ruling;
  /**
   * Gives back the units of a receipt, at most as many as the state still holds. Takes the stored state, because the
   * policy is that of the receipt and the key may have another limit by now. Nothing changes when nothing is given back.
   * For an undo the state is then as if the charge had never been made, as far as the state can tell.
   */
  refund(stored: State, now: number, policy: P, receipt: Charge): Refund<State>;
  /** When the state becomes worthless, in ticks: a store may forget it then, and not before. */
  expiresAt(state: State, policy: P): number;
  /** A state that was read at `now`, in words. @param cost of the next request */
  terms(state: State, now: number, policy: P, cost: number): Terms;
  /** Until when a full store must not forget the state, in ticks. @default while it denies one unit */
  staysUntil?(state: State, now: number): number;
  /** The state of the JSON that it makes. */
  revive(json: object): State;
  /** Adds to an outcome what clients are told beyond numbers. It is called only for policies with `tells`. */
  tell?(outcome: DraftOutcome, claim: Claim, ruling: Ruling): Outcome;
  /** Decides the other claims of a request too. Its tiers are the last of a request. */
  readonly group?: GroupRule;
}

/** What an option names, which may choose one of several algorithms for a policy. */
export interface NamedAlgorithm<Name extends string = string> extends Pick<
  AlgorithmFacts,
  'code' | 'mayLease' | 'endsWithRequest' | 'neverRefills'
> {
  readonly name: Name;
  /** Other texts that name it. */
  readonly aliases?: readonly string[];
  /** What Redis stores under the key of a state. */
  readonly keyType: KeyKind['type'];
  /**
   * The policy of a bucket that keeps its size while its limit differs from request to request. It is undefined for a
   * policy that is no bucket.
   */
  readonly moving?: (policy: Policy) => Policy;
  /** The options that `define` reads. */
  readonly options: OptionRows;
  /** Options of every tier that mean less for this algorithm. @default they mean what they always do */
  readonly tierOptions?: OptionRows;
  /** What its options and those of every tier exclude. @default nothing */
  readonly rules?: readonly CombinationRule[];
  /** Makes a policy of checked options, which carries its algorithm. @throws ConfigError */
  define(options: OptionReader): Policy;
}

/** The steps of the algorithm that a policy carries. Policies are made by algorithms alone, which give them all their steps. */
export function algorithmOf({ algorithm }: Policy): Algorithm {
  return algorithm as Algorithm;
}

/** How claims are decided together where one of them has a say in the others. */
export interface GroupRule {
  /** @returns which claims are charged, if they fit. @param waits ticks until each claim fits, and what is left, in their order */
  charges(group: readonly Claim[], waits: readonly GroupWait[]): GroupCharges;
  /** The outcomes of the claims. @param outcomes those that each claim has alone */
  tell(group: readonly Claim[], rulings: readonly Ruling[], outcomes: readonly Outcome[]): readonly Outcome[];
}

/** How a claim stands before its group is decided. */
export type GroupWait = Pick<Ruling, 'retryAfter'> & Partial<Pick<Ruling, 'remaining'>>;

export interface GroupCharges {
  readonly isAdmitted: boolean;
  /** One for each claim. */
  readonly areCharged: readonly boolean[];
  /** For claims that share one cost the units of each: one that is not charged by itself is charged these all the same. */
  readonly parts?: readonly (number | undefined)[];
}

/** Units that were charged at `at`, when the budget was to be full again at `until`. */
export interface Charge {
  readonly units: number;
  readonly at: number;
  readonly until: number;
  /** Where units end with their request: their name, and how many units it was given to. */
  readonly name?: string;
  readonly of?: number;
  /** Set for an undo, and what it restores where units alone do not tell. */
  readonly undone?: true;
  readonly before?: number;
}

export interface Refund<State> {
  readonly state: State;
  /** Whole units that were given back. */
  readonly given: number;
}

/** The states that a fast path of the Lua twin reports as numbers. */
export interface Packing<P extends Policy, State> {
  /** The name of its fast path, by which `lua.mjs` of the folder lists the emitter. Undefined where states need the general one. */
  path(policy: P): string | undefined;
  /** Reads the state from the numbers that begin at `position`. It is undefined if there was no key. */
  unpack(numbers: readonly number[], position: number, now: number, policy: P): State | undefined;
  /** Writes the Lua of a policy. Set by algorithms that a program imports; those of core are listed in `lua.mjs` of their folder. */
  emit?(policy: P, hasCosts: boolean): Emitted;
}

/** What `balance()` of `@sluice/quotas` returns: an algorithm that a program imports, with its options. */
export interface ImportedAlgorithm extends FeatureValue {
  readonly algorithm: Pick<AlgorithmFacts, 'name' | 'code' | 'neverRefills'>;
}
