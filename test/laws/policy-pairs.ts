import * as fc from 'fast-check';
import { BASES, edited, VALUES, type Edit, type FileLimiters, type FileTier } from './policy-options.js';

/** Two files, the second of which replaces the first. A counterexample prints them. */
export interface PolicyPair {
  readonly before: FileLimiters;
  readonly after: FileLimiters;
}

const edits = (max: number): fc.Arbitrary<readonly Edit[]> =>
  fc.array(fc.record({ option: fc.constantFrom(...Object.keys(VALUES)), value: fc.nat(5) }), { maxLength: max });

const algorithm = fc.constantFrom(...Object.keys(BASES));
const tierOf = (name: string) =>
  fc
    .tuple(algorithm, edits(5))
    .map(([each, wanted]) => edited({ name, key: 'ip', algorithm: each, ...BASES[each] }, wanted));

const LIMITERS = ['api', 'web'] as const;
const NAMES = ['a', 'b', 'c'] as const;

interface Placed {
  readonly limiter: string;
  readonly tier: FileTier;
}

const placed = (name: string): fc.Arbitrary<Placed> =>
  fc.record({ limiter: fc.constantFrom('api', 'api', 'web'), tier: tierOf(name) });

interface Fate {
  readonly kind: 'edit' | 'remove' | 'move' | 'other';
  readonly edits: readonly Edit[];
  /** The tier in whose place it is, for `other`. */
  readonly other: FileTier;
}

const fateOf = (name: string): fc.Arbitrary<Fate> =>
  fc.record({
    kind: fc.constantFrom('edit', 'edit', 'edit', 'edit', 'edit', 'remove', 'move', 'other'),
    edits: edits(3),
    other: tierOf(name),
  });

function after({ limiter, tier }: Placed, fate: Fate): readonly Placed[] {
  if (fate.kind === 'remove') return [];
  if (fate.kind === 'other') return [{ limiter, tier: fate.other }];
  const isMoved = fate.kind === 'move';
  return [{ limiter: isMoved ? LIMITERS.find((each) => each !== limiter)! : limiter, tier: edited(tier, fate.edits) }];
}

/** Undefined where a file has no limiter. */
function limitersOf(all: readonly Placed[]): FileLimiters | undefined {
  const limiters = LIMITERS.map((name) => [name, all.filter((each) => each.limiter === name).map(({ tier }) => tier)]);
  const own = limiters.filter(([, tiers]) => tiers!.length > 0);
  return own.length === 0 ? undefined : (Object.fromEntries(own) as FileLimiters);
}

/** A request can wait in one place only, so that a limiter has one leaky bucket at most. */
function canBeRead(file: FileLimiters): boolean {
  const queuesOf = (tiers: readonly FileTier[]) => tiers.filter((tier) => tier['algorithm'] === 'leaky-bucket');
  return Object.values(file).every((tiers) => queuesOf(tiers).length <= 1);
}

/** Pairs in which every tier that stays keeps its name, and any of its options may change. */
export const policyPairs: fc.Arbitrary<PolicyPair> = fc
  .tuple(fc.tuple(...NAMES.map(placed)), fc.integer({ min: 1, max: NAMES.length }), fc.tuple(...NAMES.map(fateOf)))
  .map(([all, count, fates]) => {
    const own = all.slice(0, count);
    const before = limitersOf(own)!;
    const news = all.slice(count, count + (fates[0]!.edits.length % 2));
    return {
      before,
      after: limitersOf([...own.flatMap((each, index) => after(each, fates[index]!)), ...news]) ?? before,
    };
  })
  .filter((pair) => [pair.before, pair.after].every(canBeRead));
