import { chargingOf, type Claim, samePolicy } from '@sluice/core/internal';
import { LEFT_OVER, type Script } from '@sluice/core/scripts';
import { CellStates, SteppedStates } from './found-states.js';
import { hasNumbers, noteTextOf, numberKeysOf } from './number-keys.js';
import { policyScriptOf, type PolicyScript } from './policy-scripts.js';
import { parseRings } from './ring-reply.js';
import { usageArguments, type CountedKey } from './usage-arguments.js';
import { decideTold, type Rulings } from './told-states.js';
import {
  assertLength,
  dedupeKeys,
  integerAt,
  parseReply,
  timeOf,
  type Check,
  type DecodedReply,
  type ReplyItem,
  type ScriptRequest,
} from './script-request.js';

interface KeysOfChecks {
  /** Of all claims, in their order. */
  readonly keys: readonly string[];
  readonly isCluster: boolean;
}

/**
 * Checks that all have policies of the same numbers in the same order: the normal traffic of a limiter. Their script is made
 * for these policies, and for one unit of each or for any costs. It replies with the state that it found under each key, and `decode` decides each check again,
 * from that state and with the server's time.
 */
export class SamePolicyChecks implements ScriptRequest {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
  /** The keys of the checks, each once where they have one rate. */
  readonly #keys: readonly string[];
  readonly #checks: readonly Check[];
  /** For each check the index of its key; undefined where each claim has a key of its own. */
  readonly #indexes: readonly number[] | undefined;
  readonly #made: PolicyScript;

  private constructor(made: PolicyScript, checks: readonly Check[], { keys, isCluster }: KeysOfChecks) {
    const { script, shapes, heldPlace, counted, hasCosts } = made;
    this.script = script;
    this.#checks = checks;
    this.#made = made;
    // Units of one rate alone are charged to a key together.
    const isOneRate = shapes.length === 1 && heldPlace < 0 && !hasCosts;
    const distinct = isOneRate && keys.length > 1 ? dedupeKeys(keys) : undefined;
    this.#keys = distinct?.keys ?? keys;
    this.#indexes = distinct?.indexes;
    const names = heldPlace < 0 ? [] : checks.flatMap(({ group }) => noteTextOf(group[heldPlace]!) ?? []);
    const units = hasCosts ? costsOf(checks) : [];
    const args = this.#indexes ? countUnits(this.#keys, this.#indexes) : [...units, ...names];
    const usage = counted && usageArguments(countedKeys(checks, counted, this.#indexes), isCluster);
    const own = made.hasNumbers ? [...this.#keys, ...this.#numberKeys()] : this.#keys;
    this.keys = usage ? [...own, ...usage.keys] : own;
    this.args = usage ? [...args, ...usage.args] : args;
  }

  /** Undefined where the checks differ in more than their keys, or no script is made for their policies. */
  static of(checks: readonly Check[], isCluster = false): SamePolicyChecks | undefined {
    const first = checks[0]!.group;
    const size = first.length;
    const keys = new Array<string>(checks.length * size);
    let hasCosts = false;
    let index = 0;
    for (let place = 0; place < checks.length; place += 1) {
      const { group, isPeek } = checks[place]!;
      if (isPeek || group.length !== size) return undefined;
      for (let at = 0; at < size; at += 1) {
        const claim = group[at]!;
        const { policy } = first[at]!;
        if (claim.policy !== policy && !samePolicy(claim.policy, policy)) return undefined;
        if (chargingOf(claim) !== 'admitted' || claim.record !== undefined) return undefined;
        if (claim.cost !== 1) {
          if (claim.cost === 0 || claim.cost > claim.policy.capacity) return undefined;
          hasCosts = true;
        }
        // Alone it decides as any other, but it moves no number beside its state.
        if (claim.shadow && (size > 1 || hasNumbers(claim.policy))) return undefined;
        for (let before = index - at; before < index; before += 1) if (keys[before] === claim.key) return undefined;
        keys[index] = claim.key;
        index += 1;
      }
    }
    const made = policyScriptOf(first, hasCosts);
    if (made?.tiers !== undefined && !checks.every(({ group }) => haveNames(group, made.tiers!))) return undefined;
    return made && new SamePolicyChecks(made, checks, { keys, isCluster });
  }

  /** Those of the numbers beside the states, in the order of these. */
  #numberKeys(): readonly string[] {
    const claims = this.#checks.flatMap(({ group }) => group);
    if (this.#indexes === undefined) return claims.flatMap(numberKeysOf);
    const first = this.#keys.map((_, index) => claims[this.#indexes!.indexOf(index)]!);
    return first.flatMap(numberKeysOf);
  }

  decode(reply: unknown): DecodedReply {
    const { hasRings, shapes, kernels, width } = this.#made;
    const groups = this.#indexes === undefined ? this.#checks.length : this.#keys.length;
    const items = hasRings ? parseRings(reply, shapes, groups) : parseReply(reply);
    const now = timeOf(items);
    const found = { numbers: items as readonly number[], now };
    const states =
      kernels === undefined ? new SteppedStates(found, this.#made) : new CellStates(found, this.#made, groups);
    let known = 0;
    let position = 1;
    while (known < groups && integerAt(items, position) !== LEFT_OVER) {
      states.load(known, position);
      known += 1;
      position += width;
    }
    const rulings = new Array<Rulings>(this.#checks.length);
    const left: number[] = [];
    for (let place = 0; place < rulings.length; place += 1) {
      const index = this.#indexes === undefined ? place : this.#indexes[place]!;
      if (index < known) rulings[place] = states.decide(index, this.#checks[place]!.group);
      else left.push(place);
    }
    if (left.length === 0) assertLength(items, position);
    else this.#decideLeft(left, items, position + 1, rulings);
    return { now, rulings };
  }

  /** Decides the remaining checks, key by key as Redis does. */
  #decideLeft(left: readonly number[], items: readonly ReplyItem[], position: number, rulings: Rulings[]): void {
    const indexes = this.#indexes;
    const places = indexes === undefined ? left : left.toSorted((one, other) => indexes[one]! - indexes[other]!);
    const decided = decideTold(
      items,
      position,
      places.map((place) => this.#checks[place]!),
    );
    for (const [order, place] of places.entries()) rulings[place] = decided[order]!;
  }
}

/** The keys with usage: each once where checks share keys, with the last label of them. */
function countedKeys(
  checks: readonly Check[],
  counted: readonly boolean[],
  indexes: readonly number[] | undefined,
): readonly CountedKey[] {
  const keys = checks.flatMap(({ group, facts }) =>
    group.filter((_, place) => counted[place]).map(({ key, tier }) => ({ key, label: facts?.labels?.get(tier) })),
  );
  if (indexes === undefined) return keys;
  const distinct: CountedKey[] = [];
  for (const [place, each] of keys.entries()) {
    const index = indexes[place]!;
    if (distinct[index] === undefined || each.label !== undefined) distinct[index] = each;
  }
  return distinct;
}

function haveNames(group: readonly Claim[], names: readonly string[]): boolean {
  return group.every(({ tier }, place) => tier === names[place]);
}

function costsOf(checks: readonly Check[]): readonly number[] {
  return checks.flatMap(({ group }) => group.map(({ cost }) => cost));
}

function countUnits(keys: readonly string[], indexes: readonly number[]): readonly number[] {
  const units = new Array<number>(keys.length).fill(0);
  for (const index of indexes) units[index]! += 1;
  return units;
}
