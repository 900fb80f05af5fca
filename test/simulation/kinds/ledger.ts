import { createLimiter, type Decision, type Limiter, type Tier } from '../../../packages/core/src/index.js';
import { compose } from '../../../packages/core/src/stores/composed/compose.js';
import { layersOf } from '../../../packages/core/src/stores/between-processes/shared-layers.js';
import { HotKeys } from '../../../packages/core/src/stores/with-lease/hot-keys.js';
import type { Member } from '../fleet.js';
import type { Keyspace } from '../redis/keyspace.js';
import { isStored, REFUSALS, type SentRequest } from '../requests.js';
import type { Kind } from './kind.js';
import { keyspacesOf } from './stored-quota.js';

interface Subject {
  readonly user: string;
  readonly blocked: boolean;
}

const HOUR = { window: '1h' } as const;
/** Clocks of two machines. */
const DRIFT = 1.001;
/** The most units of a request that has its answer, and is not counted here yet. */
const ANSWERED = 3;
const TIERS: readonly (Partial<Tier<Subject>> & { readonly limit: number })[] = [
  { algorithm: 'fixed-window', limit: 500, ...HOUR },
  { algorithm: 'fixed-window', limit: 40, ...HOUR },
  { limit: 60, ...HOUR },
  { limit: 500, ...HOUR },
  { limit: 500, strict: true, ...HOUR },
  { algorithm: 'sliding-window-log', limit: 300, ...HOUR },
  { algorithm: 'sliding-window-log', limit: 40, ...HOUR },
];

/** Units of a window that is longer than a run: what Redis has counted at the end is what requests have kept. */
export const ledger: Kind = { name: 'ledger', servers: [1, 1, 3], begin: (...each) => scene(...each, false) };
export const leases: Kind = { name: 'leases', likely: ['a process stalls'], begin: (...each) => scene(...each, true) };

function scene(
  fleet: Parameters<Kind['begin']>[0],
  requests: Parameters<Kind['begin']>[1],
  faults: Parameters<Kind['begin']>[2],
  isLeased: boolean,
): ReturnType<Kind['begin']> {
  const { world } = fleet;
  const { random } = world;
  const options = random.pick(isLeased ? TIERS.slice(0, 4) : TIERS);
  const { limit } = options;
  const lease = { units: random.pick([5, 20]), duration: random.pick([100, 500, 2_000]) };
  const limiters = new Map<Member, Limiter<Subject>>();
  const denyCache = random.chance(0.7);
  const isCorrected = !isLeased || random.chance(0.3);
  /** Units that Redis has charged certainly, and at most. */
  let [least, most] = [0, 0];
  /** Units that Redis had counted when it lost them: below 0 where it has lost refunds. */
  let lost = 0;
  world.tell('KIND', `${JSON.stringify(options)}${isLeased ? `, lease ${JSON.stringify(lease)}` : ''}`);

  async function correct(limiter: Limiter<Subject>, decision: Decision, cost: number): Promise<void> {
    const target = random.pick([0, 0, 1, cost + 2]);
    const isStoredDecision = decision.source === 'redis' || decision.source === 'lease';
    // Its reply may be lost.
    if (isStoredDecision && target < cost) least -= cost - target;
    if (target > cost) most += target - cost;
    const moved =
      target === 0
        ? -(await limiter.refund(decision, { tested: cost }))
        : await limiter.settle(decision, { tested: target });
    world.tell('', `corrects ${cost} to ${target}: ${moved}`);
    if (!isStoredDecision) return;
    if (target < cost) {
      if (moved === target - cost) most -= cost - target;
      else if (faults().length === 0 && !isLeased)
        world.fail(`gives ${-moved} back of ${cost - target}, without a fault`);
      if (moved > 0 || moved < target - cost) world.fail(`gives ${-moved} back of ${cost - target}`);
    } else if (faults().length === 0) least += Math.min(moved, target - cost);
  }

  return {
    open(member) {
      if (isLeased) compose(member.store, (store) => layersOf(store, new HotKeys(2, 1)));
      const limiter = createLimiter<Subject>({
        store: member.store,
        denyCache,
        tiers: [
          { name: 'tested', key: ({ user }) => user, ...options, ...(isLeased && { lease }) } as Tier<Subject>,
          {
            name: 'other',
            key: ({ blocked }) => (blocked ? 'all' : 'none'),
            limit: ({ blocked }) => (blocked ? 1 : null),
            window: '1h',
          },
        ],
      });
      limiters.set(member, limiter);
      return limiter;
    },
    act(member) {
      const limiter = limiters.get(member)!;
      const cost = random.pick([1, 1, 1, 3]);
      const subject = { user: 'ada', blocked: random.chance(0.2) };
      const patience = isLeased || fleet.isCluster ? 60 : 0;
      void requests
        .send(member, { key: 'ada', cost, patience }, () => limiter.consume(subject, { cost }))
        .then((sent) => {
          const { decision } = sent;
          if (isLeased && faults().length === 0) checkSize();
          if (decision?.source === 'lease') checkExpiry(sent);
          if (decision === undefined) return;
          if (isStored(sent)) {
            least += cost;
            most += cost;
          } else if (!isRefused() && (decision.degraded || (fleet.isCluster && faults().length > 0))) most += cost;
          if (!decision.allowed || !isCorrected || !random.chance(0.3)) return;
          world.after(random.magnitude(1, 500), () => {
            if (member.process.isDead) most += cost + 2;
            else
              member.process.deliver(
                () =>
                  void correct(limiter, decision, cost).catch((error: unknown) =>
                    world.fail(`a correction rejects: ${String(error)}`),
                  ),
              );
          });
        });
    },
    onLoss(server, left) {
      lost += usedOf(keyspacesOf(fleet)) - usedOf(keyspacesOf(fleet, new Map([[server, left]])));
    },
    check() {
      for (const { sentAt, answeredAt, cost } of requests.all) if (answeredAt === Infinity && sentAt >= 0) most += cost;
      const admitted = requests.all.filter(isStored).reduce((sum, { cost }) => sum + cost, 0);
      const jumps = fleet.losses.length + fleet.delays.length;
      if (!isCorrected && admitted > limit * (1 + jumps)) world.fail(`Redis admits ${admitted} of ${limit}`);
      const used = usedOf(keyspacesOf(fleet));
      world.tell('LEDGER', `Redis has counted ${used}, and lost ${lost}: ${least} to ${most}`);
      const has = (part: string) => faults().some((name) => name.includes(part));
      // By another clock the window is over. A key that moves to a server which has it again is dropped.
      const isOver = has('the clock of Redis') || (has('a slot moves') && faults().length > 1);
      if (used < least - lost && !isOver) {
        world.fail(`Redis has counted ${used} and lost ${lost}, although requests keep ${least}`);
      }
      // A refill whose answer was lost stays charged.
      const mayLose = isLeased && faults().length > 0;
      // It has lost refunds where it has counted more behind a loss.
      const bound = most - (isOver ? Math.min(0, lost) : lost);
      if (used > bound && !mayLose) {
        world.fail(`Redis has counted ${used} and lost ${lost}, although requests keep at most ${most}`);
      }
    },
  };

  /** Servers refuse, and say so: what a request has charged in another slot comes back. */
  function isRefused(): boolean {
    return faults().length > 0 && faults().every((name) => REFUSALS.has(name));
  }

  /** Processes have charged no more than what requests keep or may still be charged, and the units of a lease each. */
  function checkSize(): void {
    const asked = requests.all.reduce((sum, { decision, cost }) => (decision === undefined ? sum + cost : sum), 0);
    const used = usedOf(keyspacesOf(fleet));
    const bound = most + asked + ANSWERED + fleet.size * lease.units;
    if (used > bound) world.fail(`Redis has counted ${used}, and at most ${bound} are in use or in hand`);
  }

  /** Units that were charged ahead are spent within their time, so that a reply has brought them within it. */
  function checkExpiry({ member: { process, client }, sentAt }: SentRequest): void {
    const since = sentAt - client.repliedAt;
    if (since <= lease.duration * DRIFT + 1) return;
    world.fail(`${process.name} spends units of its lease ${since.toFixed(1)} ms after Redis has replied last`);
  }

  /** Units that Redis has counted. */
  function usedOf(keyspaces: readonly Keyspace[]): number {
    const [stored] = keyspaces.flatMap((keyspace) =>
      keyspace.keys().flatMap((key) => (key.includes(':tested:') ? [keyspace.get(key)] : [])),
    );
    if (Array.isArray(stored)) return stored.length;
    if (typeof stored !== 'string') return 0;
    if (options.algorithm === 'fixed-window') return Number(stored) % 2 ** 32;
    if (stored.startsWith('l')) return (stored.length - 1) / 5;
    if (stored.startsWith('s')) return Buffer.from(stored.slice(5, 10), 'latin1').readUIntBE(0, 5);
    return (Number(stored) % 2 ** 20) + (Math.floor(Number(stored) / 2 ** 20) % 2 ** 20);
  }
}
