import { algorithmOf, candidate, type Claim, consumeGroup, type Policy, type Ruling } from '@sluice/core/internal';
import type { PolicyScript } from './policy-scripts.js';

/** Numbers of a reply, and the time of the server in microseconds. */
export interface FoundNumbers {
  readonly numbers: readonly number[];
  readonly now: number;
}

/** The states that a script has found, on which the process decides checks again, one after the other. */
export interface FoundStates {
  /** Takes the states of a group. @param position of their first number in the reply */
  load(index: number, position: number): void;
  /** Decides one more check on the states of a group, all or nothing. */
  decide(index: number, group: readonly Claim[]): readonly Ruling[];
}

/** Numbers of a state in place at most. */
const WIDTH = 3;
/** Of the states of the reply that is decoded, and of the waits of a check. Nothing interrupts either. */
let cells = new Float64Array(32 * WIDTH);
const waits = new Float64Array(12);

/** States of rates, in place. */
export class CellStates implements FoundStates {
  readonly #found: FoundNumbers;
  readonly #made: PolicyScript;

  /** @param groups of the call */
  constructor(found: FoundNumbers, made: PolicyScript, groups: number) {
    this.#found = found;
    this.#made = made;
    const length = groups * made.policies.length * WIDTH;
    if (cells.length < length) cells = new Float64Array(length);
  }

  load(index: number, position: number): void {
    const { policies, shapes } = this.#made;
    let next = position;
    for (let place = 0; place < policies.length; place += 1) {
      const state = stateAt(this.#found, next, policies[place]!) as readonly number[] | undefined;
      const at = (index * policies.length + place) * WIDTH;
      for (let cell = 0; cell < WIDTH; cell += 1) cells[at + cell] = state?.[cell] ?? 0;
      next += shapes[place]!.width;
    }
  }

  /** A script is made for claims that cost what they can hold, and for no shadow beside another claim. */
  decide(index: number, group: readonly Claim[]): readonly Ruling[] {
    const { now } = this.#found;
    const kernels = this.#made.kernels!;
    let isAdmitted = true;
    for (let place = 0; place < group.length; place += 1) {
      const { policy, cost } = group[place]!;
      const at = (index * group.length + place) * WIDTH;
      const ticks = Math.floor(now / policy.tick);
      kernels[place]!.roll(cells, at, ticks, policy);
      waits[place] = kernels[place]!.wait(cells, at, ticks, policy, cost);
      if (waits[place] !== 0) isAdmitted = false;
    }
    const rulings = new Array<Ruling>(group.length);
    for (let place = 0; place < group.length; place += 1) {
      const { policy, cost } = group[place]!;
      const at = (index * group.length + place) * WIDTH;
      const ticks = Math.floor(now / policy.tick);
      if (isAdmitted) kernels[place]!.charge(cells, at, ticks, policy, cost);
      const result = { cost, charged: isAdmitted ? cost : 0, retryAfter: waits[place]! };
      rulings[place] = kernels[place]!.describe(cells, at, ticks, policy, result);
    }
    return rulings;
  }
}

/** States of any other claims, by the steps of their algorithms. */
export class SteppedStates implements FoundStates {
  readonly #found: FoundNumbers;
  readonly #made: PolicyScript;
  readonly #states: unknown[][] = [];

  constructor(found: FoundNumbers, made: PolicyScript) {
    this.#found = found;
    this.#made = made;
  }

  load(index: number, position: number): void {
    const { policies, shapes } = this.#made;
    let next = position;
    this.#states[index] = policies.map((policy, place) => {
      const at = next;
      next += shapes[place]!.width;
      return stateAt(this.#found, at, policy);
    });
  }

  decide(index: number, group: readonly Claim[]): readonly Ruling[] {
    const states = this.#states[index]!;
    const candidates = group.map((claim, place) => candidate(claim, states[place]));
    consumeGroup(candidates, this.#found.now);
    for (const [place, { changed, state }] of candidates.entries()) if (changed) states[place] = state;
    return candidates.map(({ ruling }) => ruling!);
  }
}

/** Undefined where there was no key. */
function stateAt({ numbers, now }: FoundNumbers, position: number, policy: Policy): unknown {
  const ticks = Math.floor(now / policy.tick);
  return algorithmOf(policy).packing!.unpack(numbers, position, ticks, policy);
}
