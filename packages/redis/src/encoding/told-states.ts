import {
  algorithmOf,
  beside,
  candidate,
  type Claim,
  consumeGroup,
  peekGroup,
  type Ruling,
  wishing,
} from '@sluice/core/internal';
import { assertLength, integerAt, timeOf, type Check, type ReplyItem } from './script-request.js';

/** The rulings on a check, or the error of a key that Redis could not read. */
export type Rulings = readonly Ruling[] | string;

/**
 * Decides checks again from the states that `tell` of consume.lua has told, in the same order and at the same time.
 *
 * @param position of the first state in the reply
 * @throws TypeError for the reply to other checks
 */
export function decideTold(
  items: readonly ReplyItem[],
  position: number,
  checks: readonly Check[],
): readonly Rulings[] {
  const reader = new ToldReader(items, position);
  const states = new Map<string, unknown>();
  const problems = new Map<string, string>();
  const claims = checks.flatMap(({ group }) => group);
  const wishes = new Map(
    claims.filter(({ policy }) => wishing.of(policy) !== undefined).map((each) => [each.key, each]),
  );
  for (const claim of claims) {
    if (states.has(claim.key) || problems.has(claim.key)) continue;
    const told = reader.nextState(wishes.get(claim.key) ?? claim);
    if (typeof told === 'string') problems.set(claim.key, told);
    else states.set(claim.key, told);
  }
  const numbers = new Map<string, readonly number[]>();
  const next = () => reader.next();
  const rulings = checks.map(({ group, isPeek }): Rulings => {
    const problem = group.map(({ key }) => problems.get(key)).find((each) => each !== undefined);
    if (problem !== undefined) return problem;
    for (const claim of group) {
      if (wishes.size > 0) readWish(reader, claim, states.get(claim.key));
      if (isAsked(claim)) beside.of(claim.policy)?.tell(claim, next, numbers);
    }
    const candidates = group.map((claim) => candidate(claim, states.get(claim.key), numbers));
    if (isPeek) peekGroup(candidates, timeOf(items));
    else consumeGroup(candidates, timeOf(items));
    for (const { claim, changed, state } of candidates) if (changed && !isPeek) states.set(claim.key, state);
    return candidates.map(({ ruling }) => ruling!);
  });
  reader.end();
  return rulings;
}

/** False for a claim that fits always, or never: a script tells nothing of it. */
function isAsked({ policy, cost }: Claim): boolean {
  return cost > 0 && cost <= policy.capacity;
}

/** Whether a claim of permits may take its units. */
function readWish(reader: ToldReader, claim: Claim, state: unknown): void {
  const { policy } = claim;
  if (!policy.algorithm.endsWithRequest || !isAsked(claim)) return;
  const mayTake = reader.next() === 1;
  wishing.of(policy)?.tell(state, mayTake);
}

/** Forms of a state, as consume.lua numbers them. */
const FORMS = 4;
const revivals: readonly ((numbers: readonly number[]) => object)[] = [
  (numbers) => numbers,
  (numbers) => ({ log: numbers }),
  (numbers) => ({ log: timesOf(numbers) }),
  (numbers) => ({ permits: [], others: numbers[0] }),
];

/** Of a list of times those that the decision looks at: how many there are, then indexes and times. */
function timesOf([length, ...known]: readonly number[]): readonly number[] {
  const times: number[] = [];
  times.length = length!;
  for (let at = 0; at < known.length; at += 2) times[known[at]!] = known[at + 1]!;
  return times;
}

class ToldReader {
  readonly #items: readonly ReplyItem[];
  #position: number;

  constructor(items: readonly ReplyItem[], position: number) {
    this.#items = items;
    this.#position = position;
  }

  next(): number {
    this.#position += 1;
    return integerAt(this.#items, this.#position - 1);
  }

  /** Undefined where there was no key, and the error text of one that cannot be read. */
  nextState({ policy }: Claim): unknown {
    const item = this.#items[this.#position];
    if (typeof item === 'string') {
      this.#position += 1;
      return item;
    }
    const header = this.next();
    const end = this.#position + Math.floor(header / FORMS);
    const numbers = this.#items.slice(this.#position, end) as readonly number[];
    if (end > this.#items.length) throw new TypeError('the reply has a part of a state');
    this.#position = end;
    return numbers.length === 0 ? undefined : algorithmOf(policy).revive(revivals[header % FORMS]!(numbers));
  }

  /** @throws TypeError unless the whole reply was read */
  end(): void {
    assertLength(this.#items, this.#position);
  }
}
