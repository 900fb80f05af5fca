import {
  algorithmOf,
  candidate,
  type Claim,
  consumeNext,
  type Policy,
  type Ruling,
  type Slots,
} from '@sluice/core/internal';
import { type Script, unitScriptOf } from '@sluice/core/scripts';
import { RulingReader } from './ruling-reader.js';
import {
  assertLength,
  dedupeKeys,
  integerAt,
  parseReply,
  parseRings,
  timeOf,
  policyArguments,
  type Check,
  type DecodedReply,
  type DistinctKeys,
  type ReplyItem,
  type ScriptRequest,
} from './script-request.js';

/** The reply for a key that the fast path leaves over. */
const LEFT_OVER = -1;

/**
 * Checks of one unit of one key each, all under one policy, whose states have a script that reads the policy from ARGV. Of
 * rings the script replies with the states that it found, and `decode` decides each check again, with the server's time. Of
 * long logs, and where a unit does not fit, it describes its rulings.
 */
export class UnitChecks implements ScriptRequest {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
  readonly #policy: Policy;
  /** Counts of a ring; undefined for other states. */
  readonly #slots: number | undefined;
  readonly #checks: readonly Check[];
  /** For each check the index of its key; undefined when all keys differ. */
  readonly #indexes: readonly number[] | undefined;
  /** For each key how many checks request it; undefined when all keys differ. */
  readonly #units: readonly number[] | undefined;

  private constructor(policy: Policy, script: Script, checks: readonly Check[], { keys, indexes }: DistinctKeys) {
    this.script = script;
    this.keys = keys;
    this.#policy = policy;
    this.#slots = (policy as Policy & Partial<Slots>).ring;
    this.#checks = checks;
    this.#indexes = indexes;
    this.#units = indexes && countUnits(keys, indexes);
    this.args = this.#units ? [...policyArguments(policy), ...this.#units] : policyArguments(policy);
  }

  /** Undefined when the checks differ in more than their keys, or their algorithm has no fast path. */
  static of(checks: readonly Check[]): UnitChecks | undefined {
    const { policy } = checks[0]!.group[0]!;
    const script = unitScriptOf(policy);
    if (script === undefined || policy.usage) return undefined;
    const keys = new Array<string>(checks.length);
    for (let place = 0; place < keys.length; place += 1) {
      const { group, isPeek } = checks[place]!;
      const claim = group[0]!;
      if (isPeek || group.length > 1 || claim.policy !== policy || !isOneUnit(claim)) return undefined;
      keys[place] = claim.key;
    }
    return new UnitChecks(policy, script, checks, dedupeKeys(keys));
  }

  decode(reply: unknown): DecodedReply {
    const policy = this.#policy;
    const items = this.#slots === undefined ? parseReply(reply) : parseRings(reply, this.#slots);
    const time = timeOf(items);
    const now = Math.abs(time);
    // A reply of rings begins with a negative time.
    const width = time < 0 ? 2 + this.#slots! : 1;
    const algorithm = algorithmOf(policy);
    const ticks = Math.floor(now / policy.tick);
    const states = new Array<unknown>(this.keys.length);
    let leftOver: Map<number, (readonly Ruling[] | string)[]> | undefined;
    for (let index = 0; index < states.length; index += 1) {
      const position = 1 + index * width;
      if (integerAt(items, position) === LEFT_OVER) leftOver ??= this.#readLeftOver(items);
      else states[index] = algorithm.packing!.unpack(items as readonly number[], position, ticks, policy);
    }
    if (leftOver === undefined) assertLength(items, 1 + states.length * width);
    const rulings = new Array<readonly Ruling[] | string>(this.#checks.length);
    const each = candidate(this.#checks[0]!.group[0]!, undefined, algorithm);
    for (let place = 0; place < rulings.length; place += 1) {
      const index = this.#indexes ? this.#indexes[place]! : place;
      const left = leftOver?.get(index);
      if (left !== undefined) {
        rulings[place] = left.shift()!;
        continue;
      }
      rulings[place] = [consumeNext(each, this.#checks[place]!.group[0]!, states[index], now)];
      if (each.changed) states[index] = each.state;
    }
    return { now, rulings };
  }

  /** Where the state of a key begins in the reply, behind the time. */
  #positionOf(key: number): number {
    return 1 + key;
  }

  /** The rulings that follow the states: for each key that is left over, those of its checks. */
  #readLeftOver(items: readonly ReplyItem[]): Map<number, (readonly Ruling[] | string)[]> {
    const reader = new RulingReader(items, this.#positionOf(this.keys.length));
    const rulings = new Map<number, (readonly Ruling[] | string)[]>();
    for (let index = 0; index < this.keys.length; index += 1) {
      if (items[this.#positionOf(index)] !== LEFT_OVER) continue;
      const units = this.#units ? this.#units[index]! : 1;
      rulings.set(
        index,
        Array.from({ length: units }, () => reader.nextGroup(this.#checks[0]!.group, false)),
      );
    }
    reader.end();
    return rulings;
  }
}

function isOneUnit({ cost, charge, record }: Claim): boolean {
  return cost === 1 && charge === 'admitted' && record === undefined;
}

function countUnits(keys: readonly string[], indexes: readonly number[]): readonly number[] {
  const units = new Array<number>(keys.length).fill(0);
  for (const index of indexes) units[index]! += 1;
  return units;
}
