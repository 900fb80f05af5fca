import { algorithms } from '../../../algorithms/algorithms.js';
import { candidate, consumeGroup, consumeNext, type Candidate } from '../../../algorithms/group.js';
import type { Kernel } from '../../../algorithms/kernel.js';
import type { Claim } from '../../../model/claim.js';
import type { Policy } from '../../../model/policy.js';
import type { Ruling } from '../../../model/ruling.js';

// Decides units again, by the states that a script has found under their keys.

/** Numbers of a state at most. */
const WIDTH = 3;
/** States of a call at most: one for each claim of a batch. */
const MAX_STATES = 96;
/** Plain numbers, because an object for each step takes as long as the step. */
const cells = new Float64Array(MAX_STATES * WIDTH);
const waits = new Float64Array(MAX_STATES);

/** Numbers of a reply, and the time of the server in microseconds. */
export interface FoundNumbers {
  readonly numbers: readonly number[];
  readonly now: number;
}

/** The steps of a policy, and how many numbers of the reply are its state. */
export interface PlaceSteps {
  readonly width: number;
  /** Undefined where the state is no fixed number of numbers. */
  readonly kernel: Kernel | undefined;
}

/** Decides units of one policy, of which several may have one key. */
export interface UnitStates {
  /** Takes the state of a key. @param position of its first number in the reply */
  load(index: number, position: number): void;
  /** Decides one more unit of a key. */
  decide(index: number, claim: Claim): Ruling;
}

/** @param claim one of the units */
export function unitStates(found: FoundNumbers, claim: Claim, { kernel }: PlaceSteps): UnitStates {
  return kernel === undefined ? new StateUnits(found, claim) : new CellUnits(found, claim, kernel);
}

class CellUnits implements UnitStates {
  readonly #found: FoundNumbers;
  readonly #policy: Policy;
  readonly #kernel: Kernel;
  readonly #ticks: number;

  constructor(found: FoundNumbers, { policy }: Claim, kernel: Kernel) {
    this.#found = found;
    this.#policy = policy;
    this.#kernel = kernel;
    this.#ticks = Math.floor(found.now / policy.tick);
  }

  load(index: number, position: number): void {
    loadCells(this.#found, position, this.#policy, index * WIDTH);
    this.#kernel.roll(cells, index * WIDTH, this.#ticks, this.#policy);
  }

  decide(index: number, { policy }: Claim): Ruling {
    const at = index * WIDTH;
    const retryAfter = this.#kernel.wait(cells, at, this.#ticks, policy, 1);
    return settleUnit(this.#kernel, at, this.#ticks, policy, retryAfter, retryAfter === 0);
  }
}

class StateUnits implements UnitStates {
  readonly #found: FoundNumbers;
  readonly #states: unknown[] = [];
  readonly #each: Candidate;

  constructor(found: FoundNumbers, claim: Claim) {
    this.#found = found;
    this.#each = candidate(claim, undefined);
  }

  load(index: number, position: number): void {
    this.#states[index] = stateAt(this.#found, position, this.#each.claim.policy);
  }

  decide(index: number, claim: Claim): Ruling {
    const ruling = consumeNext(this.#each, claim, this.#states[index], this.#found.now);
    if (this.#each.changed) this.#states[index] = this.#each.state;
    return ruling;
  }
}

/** Decides the units of a group, all or nothing. @param position of the first number of its states */
export function decideGroup(
  found: FoundNumbers,
  position: number,
  group: readonly Claim[],
  places: readonly PlaceSteps[],
): readonly Ruling[] {
  return places.every(hasKernel)
    ? decideRates(found, position, group, places)
    : decideClaims(found, position, group, places);
}

function hasKernel(place: PlaceSteps): place is PlaceSteps & { readonly kernel: Kernel } {
  return place.kernel !== undefined;
}

function decideRates(
  found: FoundNumbers,
  position: number,
  group: readonly Claim[],
  places: readonly (PlaceSteps & { readonly kernel: Kernel })[],
): readonly Ruling[] {
  let isAdmitted = true;
  let next = position;
  for (let place = 0; place < places.length; place += 1) {
    const { kernel, width } = places[place]!;
    const { policy } = group[place]!;
    const at = place * WIDTH;
    const ticks = Math.floor(found.now / policy.tick);
    loadCells(found, next, policy, at);
    kernel.roll(cells, at, ticks, policy);
    waits[place] = kernel.wait(cells, at, ticks, policy, 1);
    if (waits[place] !== 0) isAdmitted = false;
    next += width;
  }
  const rulings = new Array<Ruling>(places.length);
  for (let place = 0; place < places.length; place += 1) {
    const { policy } = group[place]!;
    const ticks = Math.floor(found.now / policy.tick);
    rulings[place] = settleUnit(places[place]!.kernel, place * WIDTH, ticks, policy, waits[place]!, isAdmitted);
  }
  return rulings;
}

function decideClaims(
  found: FoundNumbers,
  position: number,
  group: readonly Claim[],
  places: readonly PlaceSteps[],
): readonly Ruling[] {
  const candidates = new Array<Candidate>(group.length);
  let next = position;
  for (let place = 0; place < group.length; place += 1) {
    const claim = group[place]!;
    candidates[place] = candidate(claim, stateAt(found, next, claim.policy));
    next += places[place]!.width;
  }
  consumeGroup(candidates, found.now);
  const rulings = new Array<Ruling>(group.length);
  for (let place = 0; place < group.length; place += 1) rulings[place] = candidates[place]!.ruling!;
  return rulings;
}

function settleUnit(
  kernel: Kernel,
  at: number,
  ticks: number,
  policy: Policy,
  retryAfter: number,
  isCharged: boolean,
): Ruling {
  if (isCharged) kernel.charge(cells, at, ticks, policy, 1);
  return kernel.describe(cells, at, ticks, policy, { cost: 1, charged: isCharged ? 1 : 0, retryAfter });
}

function loadCells(found: FoundNumbers, position: number, policy: Policy, at: number): void {
  const state = stateAt(found, position, policy) as readonly number[] | undefined;
  cells[at] = state?.[0] ?? 0;
  cells[at + 1] = state?.[1] ?? 0;
  cells[at + 2] = state?.[2] ?? 0;
}

/** Undefined where there was no key. */
function stateAt({ numbers, now }: FoundNumbers, position: number, policy: Policy): unknown {
  const ticks = Math.floor(now / policy.tick);
  return algorithms[policy.algorithm].packing!.unpack(numbers, position, ticks, policy);
}
