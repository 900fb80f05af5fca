import { isInStage, stageOf } from '@sluice/metrics/operations';
import type { Change } from '@sluice/policies/operations';
import { keyPrefixOf } from '../keys/keys.js';
import { isState, keyTable } from '../keys/key-table.js';
import { patternOf, scan } from '../keys/scan.js';
import { prefixesOf } from '../sources/prefixes.js';
import type { RedisSource } from '../sources/redis-source.js';
import { countText } from '../terminal/figures.js';

/** Most of the time of Redis that the search takes, in percent. */
const RATE = 50;
/** Milliseconds that an author waits for it. A part of the keys gives the same share. */
const PATIENCE_MS = 2_000;

/** Whom a stage is enforced for, of the identities that have a state now. */
interface StageCount {
  known: number;
  enforced: number;
}

/** The same changes. Those of `enforce` tell how many identities with a state are enforced, by their digests in Redis. */
export async function withStageCounts(source: RedisSource, changes: readonly Change[]): Promise<readonly Change[]> {
  const stages = changes.flatMap(({ stage }) => (stage === undefined ? [] : [stage]));
  if (stages.length === 0) return changes;
  const shares = new Map(stages.map(({ tier, share }) => [tier, stageOf(share)!]));
  const { counts, isWhole } = await countStages(source, shares);
  return changes.map((change) => {
    const count = change.stage && counts.get(change.stage.tier);
    if (count === undefined || count.known === 0) return change;
    const least = isWhole ? '' : 'at least ';
    const of = `${countText(count.enforced)} of ${least}${countText(count.known)} identities with a state`;
    return { ...change, effect: `${change.effect}; enforced for about ${of}` };
  });
}

async function countStages(source: RedisSource, shares: ReadonlyMap<string, number>) {
  const counts = new Map<string, StageCount>([...shares.keys()].map((tier) => [tier, { known: 0, enforced: 0 }]));
  const keyPrefix = keyPrefixOf(source);
  const prefixes = prefixesOf(source).map((prefix) => keyPrefix + prefix);
  const pattern = prefixes.length === 1 ? patternOf(prefixes[0]!) : undefined;
  // A scan may find a key twice.
  const seen = new Set<string>();
  const table = keyTable(prefixes);
  const add = (key: string) => {
    const name = table.find(key);
    if (name === undefined || !isState(name) || seen.has(key)) return false;
    const count = counts.get(name.tier);
    if (count === undefined) return false;
    seen.add(key);
    count.known += 1;
    if (isInStage(shares.get(name.tier)!, name.digest)) count.enforced += 1;
    // Its name says all: no other command is needed.
    return false;
  };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    for (const redis of source.primaries()) {
      for await (const _ of scan(redis, { pattern, accepts: add, rate: RATE, signal })) {
        if (signal.aborted) return { counts, isWhole: false };
      }
    }
    return { counts, isWhole: true };
  } catch (error) {
    if (signal.aborted) return { counts, isWhole: false };
    // A user that may not search sees the change without figures.
    if ((error as Error).message.startsWith('NOPERM')) return { counts: new Map<string, StageCount>(), isWhole: true };
    throw error;
  }
}
