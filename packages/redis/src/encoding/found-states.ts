import {
  algorithmOf,
  candidate,
  type Candidate,
  type Claim,
  consumeGroup,
  consumeNext,
  type Policy,
  type Ruling,
} from '@sluice/core/internal';
import type { ReplyShape } from '@sluice/core/scripts';

/** Numbers of a reply, and the time of the server in microseconds. */
export interface FoundNumbers {
  readonly numbers: readonly number[];
  readonly now: number;
}

/** Decides units of one policy again, of which several may have one key. */
export class UnitStates {
  readonly #found: FoundNumbers;
  readonly #states: unknown[] = [];
  /** One for all, because an object for each check takes as long as its decision. */
  readonly #each: Candidate;

  /** @param claim one of the units */
  constructor(found: FoundNumbers, claim: Claim) {
    this.#found = found;
    this.#each = candidate(claim, undefined);
  }

  /** Takes the state of a key. @param position of its first number in the reply */
  load(index: number, position: number): void {
    this.#states[index] = stateAt(this.#found, position, this.#each.claim.policy);
  }

  /** Decides one more unit of a key. */
  decide(index: number, claim: Claim): Ruling {
    const ruling = consumeNext(this.#each, claim, this.#states[index], this.#found.now);
    if (this.#each.changed) this.#states[index] = this.#each.state;
    return ruling;
  }
}

/**
 * Decides a group again, all or nothing.
 *
 * @param position of the first number of its states
 * @param shapes how many numbers the state of each claim has
 */
export function decideGroup(
  found: FoundNumbers,
  position: number,
  group: readonly Claim[],
  shapes: readonly ReplyShape[],
): readonly Ruling[] {
  const candidates = new Array<Candidate>(group.length);
  let next = position;
  for (let place = 0; place < group.length; place += 1) {
    const claim = group[place]!;
    candidates[place] = candidate(claim, stateAt(found, next, claim.policy));
    next += shapes[place]!.width;
  }
  consumeGroup(candidates, found.now);
  const rulings = new Array<Ruling>(group.length);
  for (let place = 0; place < group.length; place += 1) rulings[place] = candidates[place]!.ruling!;
  return rulings;
}

/** Undefined where there was no key. */
function stateAt({ numbers, now }: FoundNumbers, position: number, policy: Policy): unknown {
  const ticks = Math.floor(now / policy.tick);
  return algorithmOf(policy).packing!.unpack(numbers, position, ticks, policy);
}
