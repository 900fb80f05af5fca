import { beside, chargingOf, type Claim, isCounted, type Policy } from '@sluice/core/internal';
import { coveredPlaces, generalScript, type Script } from '@sluice/core/scripts';
import { besideKey } from './beside-key.js';
import { hasNumbers, noteTextOf, numberKeysOf } from './number-keys.js';
import { usageArguments, type CountedKey } from './usage-arguments.js';
import { decideTold } from './told-states.js';
import {
  parseReply,
  timeOf,
  policyArguments,
  type Check,
  type DecodedReply,
  type ScriptRequest,
} from './script-request.js';

// The bits of a claim's number: consume.lua reads the same.
const LAST = 1;
const SHADOW = 2;
const CHARGES_ALL = 4;
const PEEK = 8;
const RECORDED = 16;
const CHARGES_DENIED = 32;
const FLAG_RANGE = 64;
const INDEX_RANGE = 128;

/** What stands for a cost that follows its claim. No limit is so high, but a settlement takes more of a balance that holds more. */
const LONG_COST = 2 ** 33 - 1;

/** Groups of any claims. The request describes every claim, and the reply tells the state of every key. */
export class MixedGroups implements ScriptRequest {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
  readonly #checks: readonly Check[];

  constructor(checks: readonly Check[], isCluster: boolean) {
    const keys = new Map<string, number>();
    const policies = new Map<Policy, number>();
    const claims: (number | string)[] = [];
    /** The last ones, by their keys: counted-claims.lua looks for them there. */
    const counted = new Map<string, CountedKey>();
    for (const claim of checks.flatMap(withNumbers)) {
      for (const key of [claim.key, numberKeysOf(claim)[0]!]) indexIn(keys, key);
    }
    /** Keys behind those of all claims, and where the claims say which are theirs. */
    const ownKeys: string[] = [];
    const notes: number[] = [];
    const recordKeys: string[] = [];
    const records: string[] = [];
    for (const { group, isPeek, facts } of checks) {
      for (let place = 0; place < group.length; place += 1) {
        const claim = group[place]!;
        let flags = place === group.length - 1 ? LAST : 0;
        if (claim.shadow) flags += SHADOW;
        const charging = chargingOf(claim);
        if (charging === 'all') flags += CHARGES_ALL;
        if (charging === 'denied') flags += CHARGES_DENIED;
        if (isPeek) flags += PEEK;
        if (claim.record !== undefined && !isPeek) {
          flags += RECORDED;
          recordKeys.push(besideKey(claim.key, 'notes'));
          records.push(claim.record);
        }
        const cost = Math.min(claim.cost, LONG_COST);
        const policy = indexIn(policies, claim.policy);
        const key = indexIn(keys, claim.key);
        claims.push(((cost * INDEX_RANGE + policy) * INDEX_RANGE + key) * FLAG_RANGE + flags);
        if (cost === LONG_COST) claims.push(claim.cost);
        if (isPeek) continue;
        const label = facts?.labels?.get(claim.tier);
        if (isCounted(claim.policy) && (label !== undefined || !counted.has(claim.key)))
          counted.set(claim.key, { key: claim.key, label });
        if (claim.policy.algorithm.refill === undefined) claims.push(...noteOf(group, place));
        const steps = beside.of(claim.policy);
        if (steps?.noted === 'text') claims.push(noteTextOf(claim)!);
        if (steps?.noted !== 'key') continue;
        ownKeys.push(numberKeysOf(claim).at(-1)!);
        notes.push(claims.push(0) - 1);
      }
    }
    for (const [index, at] of notes.entries()) claims[at] = keys.size + index + 1;
    this.#checks = checks;
    this.script = generalScript('consume', policies.keys());
    const usage = [...policies.keys()].some(isCounted) ? usageArguments([...counted.values()], isCluster) : undefined;
    this.keys = [...keys.keys(), ...ownKeys, ...recordKeys, ...(usage?.keys ?? [])];
    const args = [policies.size, ...[...policies.keys()].flatMap(policyArguments), ...claims, ...records];
    this.args = usage ? [...args, ...usage.args] : args;
  }

  decode(reply: unknown): DecodedReply {
    const items = parseReply(reply);
    return { now: timeOf(items), rulings: decideTold(items, 1, this.#checks) };
  }
}

/** Claims whose keys are followed by those of the numbers beside their states: number-keys.lua looks for them there. */
function withNumbers({ group }: Check): readonly Claim[] {
  return group.filter(({ policy }) => hasNumbers(policy));
}

/** What follows a claim: the name of its permit, or which claims of the group it covers, as covers.lua reads it. */
function noteOf(group: readonly Claim[], place: number): readonly (string | number)[] {
  const { policy, name } = group[place]!;
  if (policy.algorithm.endsWithRequest) return [name!];
  return policy.algorithm.neverRefills ? [coveredPlaces(group)[place]!] : [];
}

/** The index of an item, which is added when it is new. */
function indexIn<Item>(indexes: Map<Item, number>, item: Item): number {
  const known = indexes.get(item);
  if (known !== undefined) return known;
  indexes.set(item, indexes.size);
  return indexes.size - 1;
}
