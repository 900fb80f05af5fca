import { createLimiter, type Limiter } from '../../../packages/core/src/index.js';
import { fairBy } from '../../../packages/overload/src/fair/index.js';
import type { Member } from '../fleet.js';
import type { Kind } from './kind.js';

interface Subject {
  readonly caller: string;
}

/** A caller asks again and again, in one process or in all, until then. Milliseconds. */
const ASKS_MS = 250;
/** Ways between a process and Redis, of a release and of the next request. */
const WAYS = 4;
/** Of the loop and its timers, for each turn. */
const TURN_MS = 5;

/** Callers that share a limit in flight, some of which flood it: none goes without a unit for longer than its turn takes. */
export const shares: Kind = {
  name: 'shares',
  begin(fleet, requests, faults) {
    const { world } = fleet;
    const { random } = world;
    const limit = random.pick([1, 1, 2]);
    const callers = random.integer(2, 3);
    const holds = random.integer(8, 20);
    const interval = random.integer(8, 16);
    // Lines of several processes get shares of the limit over seconds, which are longer than a run.
    const wait = fleet.size > 1 ? 0 : random.pick([0, 1_000]);
    // Each has so many requests in flight or waiting, and one asks with one at a time.
    const floods = random.pick([1, 3]);
    const limiters = new Map<Member, Limiter<Subject>>();
    const servedAt = new Map<string, number>();
    let longest = 0;
    world.tell('KIND', `${callers} callers of ${limit}, holds ${holds} ms, each ${interval} ms, wait ${wait} ms`);

    const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

    async function ask(member: Member, caller: string): Promise<void> {
      const limiter = limiters.get(member)!;
      while (world.now < ASKS_MS && !member.process.isDead) {
        const options = { key: 'all', patience: wait + (wait > 0 ? 120 : 0) };
        const { decision } = await requests.send(member, options, () => limiter.consume({ caller }));
        if (decision?.allowed !== true) {
          note(caller);
          await sleep(interval);
          continue;
        }
        note(caller);
        servedAt.set(caller, world.now);
        await sleep(holds);
        await limiter.release(decision);
      }
    }

    function note(caller: string): void {
      const since = servedAt.get(caller);
      if (since !== undefined) longest = Math.max(longest, world.now - since);
    }

    return {
      open(member) {
        const limiter = createLimiter<Subject>({
          store: member.store,
          tiers: [
            {
              name: 'workers',
              key: () => 'all',
              algorithm: 'concurrency',
              limit,
              wait,
              fair: fairBy(({ caller }: Subject) => caller),
            },
          ],
        });
        limiters.set(member, limiter);
        const onError = (error: unknown) => world.fail(`a release rejects: ${String(error)}`);
        for (let each = 0; each < callers; each += 1) {
          const requestsOfIt = each === 0 ? 1 : floods;
          for (let one = 0; one < requestsOfIt; one += 1) void ask(member, `caller ${each}`).catch(onError);
        }
        return limiter;
      },
      act: () => undefined,
      settle() {
        if (faults().length > 0) return;
        const way = Math.max(...fleet.members.map(({ link }) => link.most));
        const turn = holds + WAYS * way + TURN_MS + (wait > 0 ? 0 : interval);
        const most = callers * turn;
        world.tell('LAW', `longest ${longest.toFixed(1)}, most ${most}`);
        if (longest > most)
          world.fail(`a caller goes without for ${longest.toFixed(1)} ms, and at most ${most} ms it may`);
      },
    };
  },
};
