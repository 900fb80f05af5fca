import { ipList } from '../../../packages/http/src/lists/ip-list.js';
import type { IpList } from '../../../packages/http/src/networks/ip-list-interface.js';
import type { Fleet, Member } from '../fleet.js';
import { readBy } from '../world/globals.js';
import type { Kind } from './kind.js';

/** A change of one address. */
interface Change {
  readonly member: Member;
  readonly address: string;
  readonly adds: boolean;
  /** Milliseconds. Infinity: for good. */
  readonly duration: number;
  readonly calledAt: number;
  /** Infinity: not yet. */
  settledAt: number;
  /** False: Redis may have heard it. */
  isHeard: boolean;
}

const ADDRESSES = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'];
/** A process asks for changes after a refresh and up to a fifth, and gets them by one call. */
const JITTER = 1.2;
const CALL_MS = 60;
/** Of clocks, and of the time at which Redis ends a duration. */
const SLACK = 1.002;
/** The longest wait for a first load: no page within 2 s, and 10 s in sum. */
const FIRST_LOAD_MS = 2_000 + 10_000;
const SHORT_MS = 1_000;

/** A list of denied addresses that all processes share, and change. */
export const lists: Kind = {
  name: 'lists',
  servers: [1, 1, 3],
  likely: ['loses its data', 'restarts empty', 'takes over'],
  // By another clock a duration ends at another time, and of two changes another one is the later.
  without: ['the clock of Redis'],
  begin(fleet, _requests, faults) {
    const { world } = fleet;
    const { random } = world;
    const refresh = random.pick([200, 500, 1_000]);
    const made = new Map<Member, IpList>();
    const changes: Change[] = [];
    world.tell('KIND', `refreshed each ${refresh} ms`);

    async function change(member: Member): Promise<void> {
      const address = random.pick(ADDRESSES);
      const adds = random.chance(0.6);
      const duration = adds ? random.pick([Infinity, Infinity, SHORT_MS]) : Infinity;
      const each: Change = {
        member,
        address,
        adds,
        duration,
        calledAt: world.now,
        settledAt: Infinity,
        isHeard: false,
      };
      changes.push(each);
      const list = made.get(member)!;
      try {
        await (adds ? list.add(address, duration < Infinity ? { for: duration } : {}) : list.remove(address));
        each.isHeard = true;
      } catch (error) {
        const { code } = error as { code?: string };
        if (code !== 'STORE_UNAVAILABLE') world.fail(`a change of a list rejects: ${String(error)}`);
      }
      each.settledAt = world.now;
      const what = `${adds ? 'lists' : 'unlists'} ${address}${duration < Infinity ? ` for ${duration} ms` : ''}`;
      world.tell(member.process.name, `${what}: ${each.isHeard ? 'done' : 'not known'}`);
    }

    /** What a list must say about an address. Undefined where several answers are right. */
    function expected(member: Member, address: string): boolean | undefined {
      const all = changes.filter((each) => each.address === address);
      const last = all.at(-1);
      if (last === undefined) return false;
      if (all.some(({ isHeard }) => !isHeard)) return undefined;
      // Of two changes at the same time either one may be the later.
      if (all.some((each) => each !== last && each.settledAt >= last.calledAt)) return undefined;
      const isOwn = last.member === member;
      const knownAt = isOwn ? last.settledAt : last.settledAt + refresh * JITTER * SLACK + CALL_MS;
      if (world.now < knownAt || (!isOwn && !isQuiet())) return undefined;
      if (isForgotten(all)) return undefined;
      if (last.duration === Infinity) return last.adds;
      if (world.now > last.settledAt + last.duration * SLACK + 1) return false;
      return world.now < last.calledAt + last.duration / SLACK - 1 ? true : undefined;
    }

    /** A process that knows a change writes it back. Redis and that process may both have lost it. */
    function isForgotten(all: readonly Change[]): boolean {
      return all.some(({ member, calledAt }) => {
        const isLost = fleet.losses.some((at) => at >= calledAt);
        return isLost && member.process.isDead;
      });
    }

    const isQuiet = () => faults().length === 0;

    function look(member: Member): void {
      const list = made.get(member)!;
      const wasLoaded = list.isLoaded;
      for (const address of ADDRESSES) {
        const right = expected(member, address);
        if (right === undefined || !wasLoaded || list.has(address) === right) continue;
        world.fail(`${member.process.name} says ${!right} about ${address}`);
      }
    }

    async function start(member: Member): Promise<void> {
      const since = world.now;
      const stalledBefore = member.process.stalled;
      await made.get(member)!.started();
      const waited = world.now - since - (member.process.stalled - stalledBefore);
      if (waited > FIRST_LOAD_MS + CALL_MS) world.fail(`requests wait ${waited.toFixed(1)} ms for a list`);
      if (isQuiet() && !made.get(member)!.isLoaded) world.fail(`${member.process.name} has no list`);
    }

    return {
      open(member) {
        const list = ipList({ name: 'blocked', store: member.store, refresh });
        made.set(member, list);
        void start(member);
        return list;
      },
      act(member) {
        if (random.chance(0.4)) void change(member);
        else look(member);
      },
      settle: () => checkAgreement(fleet, made, expectedInTheEnd),
      check() {
        for (const { member, settledAt } of changes) {
          if (settledAt === Infinity && !member.process.isDead) world.fail('a change of a list has no end');
        }
      },
    };

    /** The last change counts, also if Redis has lost it, because a process that knows it writes it back. */
    function expectedInTheEnd(address: string): boolean | undefined {
      const all = changes.filter((each) => each.address === address);
      const last = all.at(-1);
      if (last === undefined) return false;
      const isClear = all.every((each) => each.isHeard && (each === last || each.settledAt < last.calledAt));
      if (!isClear || isForgotten(all)) return undefined;
      return last.adds && last.duration === Infinity;
    }
  },
};

/** When the faults are over, all processes have the same list. */
function checkAgreement(
  { world, members }: Fleet,
  made: ReadonlyMap<Member, IpList>,
  expected: (address: string) => boolean | undefined,
): void {
  const alive = members.filter(({ process }) => !process.isDead);
  for (const { process, client } of alive) {
    if (client.status !== 'ready') world.fail(`${process.name} is not connected`);
  }
  for (const address of ADDRESSES) {
    const said = alive.map((member) => readBy(member.process, () => made.get(member)!.has(address)));
    const right = expected(address) ?? said[0];
    for (const [place, { process }] of alive.entries()) {
      if (said[place] !== right) world.fail(`${process.name} says ${said[place]} about ${address} in the end`);
    }
  }
}
