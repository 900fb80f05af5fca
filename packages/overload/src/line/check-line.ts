import {
  ConfigError,
  givesNotice,
  type Policy,
  type Store,
  type TierDefinition,
  type WatchedStore,
  wireOf,
} from '@sluice/core/internal';
import { isLined } from './lined-policy.js';
import { owedUnits } from './pace.js';
import { paceOf } from './paces.js';

type Tiers = readonly TierDefinition<never>[];

/** What surrounds the tiers of a limiter. */
interface LineContext {
  readonly store: Store;
  readonly secret: string | undefined;
}

/** A refused option, and why it does not go with a line. */
interface Refusal {
  readonly option: string;
  readonly reason: string;
}

/** In microseconds. */
const SECOND = 1e6;

/** @throws ConfigError OPTION_INVALID for tiers that have no line, or that do not go together */
export function checkLine(tiers: Tiers, { store, secret }: LineContext): void {
  const lined = tiers.filter(({ features }) => features.some(({ name }) => name === 'line'));
  for (const tier of lined) {
    const refusal = refusalOf(tier) ?? refusalOfKeeping(tier, secret);
    if (refusal !== undefined) throw refused(tier, refusal);
  }
  const [first, second] = lined;
  if (second !== undefined) {
    const reason = `must stand in one tier of a limiter, because a client that two lines tell different moments loses its place in one of them: leave it out of "${second.name}" or of "${first!.name}"`;
    throw refused(second, { option: 'line', reason });
  }
  if (first === undefined || hasLines(store)) return;
  const reason = 'needs memoryStore() or redisStore(…), because another store has no place for the end of the line';
  throw refused(first, { option: 'line', reason });
}

/** True for a store of this package: it has a place for the end of a line. */
function hasLines(store: Store & Partial<WatchedStore>): boolean {
  return typeof store.watchRefunds === 'function' || wireOf(store) !== undefined;
}

function refused({ owner, name }: TierDefinition<never>, { option, reason }: Refusal): ConfigError {
  return new ConfigError('OPTION_INVALID', option, undefined, `${owner}: ${option} ${reason}`, { tier: name });
}

function refusalOf(tier: TierDefinition<never>): Refusal | undefined {
  const { policy, lease, charge } = tier;
  if (!isLined(policy)) return refusalOfAlgorithm(policy);
  if (lease !== undefined) {
    return instead(
      'lease',
      'each process that holds units ahead would admit requests before those that were told to come',
    );
  }
  if (charge !== 'admitted') {
    return instead(
      'charge',
      'each denied request that is charged would make the wait of the others longer than they were told',
    );
  }
  if (policy.settling !== undefined) {
    return instead(
      'overdraft',
      'a cost that is settled later would make the wait of others longer than they were told',
    );
  }
  if (typeof tier.limit !== 'function' && refillTime(policy) < SECOND) {
    return {
      option: 'line',
      reason: `needs a budget that takes at least 1 s to refill, because clients are told whole seconds, and got one of ${refillTime(policy) / 1e3} ms: leave line out, or raise ${policy.algorithm.refill === 'evenly' ? 'burst' : 'window'}`,
    };
  }
  return undefined;
}

/** Of places that are kept. */
function refusalOfKeeping({ policy, limit }: TierDefinition<never>, secret: string | undefined): Refusal | undefined {
  if (!isLined(policy) || policy.line.keep === 0) return undefined;
  const { line, tick, plain } = policy;
  if (!line.by && secret === undefined) {
    const rule =
      'needs the option secret of the limiter, because without it anyone could make a place: set secret, or write by';
    return { option: 'line.keep', reason: rule };
  }
  const least = 2 * owedUnits(paceOf(plain)!, policy, line.keep) + 1;
  if (typeof limit === 'function' || policy.capacity >= least) return undefined;
  const most = `${policy.capacity} units, and ${least} are the least for ${(line.keep * tick) / 1e6} s`;
  return {
    option: 'line.keep',
    reason: `needs a budget of twice what comes back in that time and one unit more, or what is kept would never be free: it has ${most}. Write a shorter keep, or raise ${plain.algorithm.refill === 'evenly' ? 'burst' : 'limit'}`,
  };
}

/** Of an option that must be left out. */
function instead(option: string, reason: string): Refusal {
  return { option, reason: `cannot be combined with line, because ${reason}: leave one of them out` };
}

/** Why a limit has no line, by what is true of it: the first reason that is. */
const REASONS: readonly (readonly [isTrue: (policy: Policy) => boolean, reason: string])[] = [
  [
    (policy) => 'queued' in policy,
    'a request waits in the queue itself: use wait or queue alone, or token-bucket with a line',
  ],
  [
    ({ windows }) => windows !== undefined,
    'each of its windows would have another line: write one tier for each window, and give one of them the line',
  ],
  [
    ({ algorithm }) => algorithm.endsWithRequest,
    'no store knows when a request ends: requests in flight wait by the option wait',
  ],
  [({ algorithm }) => algorithm.chargesNobody, 'all denied requests may come when the pause is over: leave line out'],
  [({ algorithm }) => algorithm.neverRefills, 'no time brings units back: leave line out'],
  [() => true, 'its delays grow by the strikes of one client, and not by the units of others: leave line out'],
];

function refusalOfAlgorithm(policy: Policy): Refusal {
  if (givesNotice(policy))
    return instead('notices', 'a window that gives notice is a quota, whose clients are told its end');
  const [, reason] = REASONS.find(([isTrue]) => isTrue(policy))!;
  return { option: 'line', reason: `cannot be combined with algorithm: '${policy.algorithm.name}', because ${reason}` };
}

/** In microseconds. */
function refillTime({ quota, limit, window }: Policy): number {
  return quota * (window / limit);
}
