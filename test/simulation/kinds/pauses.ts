import { createLimiter, type Limiter } from '../../../packages/core/src/index.js';
import type { SentRequest } from '../requests.js';
import type { Member } from '../fleet.js';
import type { Kind } from './kind.js';

interface Subject {
  readonly user: string;
}

interface Paused {
  readonly member: Member;
  readonly calledAt: number;
  /** Milliseconds. */
  readonly lasts: number;
  readonly until: number;
  settledAt: number;
  /** Redis has heard of it. */
  isHeard: boolean;
}

/** Faults in which Redis hears a call at once, or refuses it. */
const REFUSALS = /denies a right|loads its data|is full|is read-only|is gone|restarts empty|dies|forgets its scripts/;
/** Of clocks, of the way to Redis, and of whole milliseconds. */
const SLACK_MS = 100;

export const pauses: Kind = {
  name: 'pauses',
  begin(fleet, requests, faults) {
    const { world } = fleet;
    const { random } = world;
    const limiters = new Map<Member, Limiter<Subject>>();
    const made: Paused[] = [];
    const denyCache = random.chance(0.7);

    async function pause(member: Member): Promise<void> {
      const milliseconds = random.integer(100, 4_000);
      const calledAt = world.now;
      const until = calledAt + milliseconds * 0.998 - 1;
      const each: Paused = { member, calledAt, lasts: milliseconds, until, settledAt: Infinity, isHeard: false };
      made.push(each);
      try {
        await limiters.get(member)!.pause({ user: 'ada' }, milliseconds);
        each.isHeard = true;
      } catch (error) {
        if ((error as { code?: string }).code !== 'STORE_UNAVAILABLE') world.fail(`pause rejects: ${String(error)}`);
      }
      each.settledAt = world.now;
      world.tell(member.process.name, `pauses ada for ${milliseconds} ms, ${each.isHeard ? 'heard' : 'not heard yet'}`);
    }

    /** Redis must know of a pause from then on. */
    function heardAt({ member, isHeard, settledAt }: Paused): number {
      if (isHeard) return settledAt;
      const first = requests.all.find(
        (each) => each.member === member && each.sentAt > settledAt && each.decision?.source === 'redis',
      );
      return first?.answeredAt ?? Infinity;
    }

    /** A pause lasts as long as it was called for, also where Redis hears of it late. */
    function checkEnd({ decision, sentAt, answeredAt }: SentRequest): void {
      if (decision?.deniedBy.includes('pause') !== true) return;
      const isPaused = made.some(({ member, calledAt, settledAt, lasts }) => {
        // One that waits for the first connection of its process begins when that is there.
        const beginsAt = member.readyAt > calledAt ? settledAt : calledAt;
        return calledAt <= answeredAt && beginsAt + lasts + SLACK_MS >= sentAt;
      });
      if (!isPaused) world.fail(`ada is paused at ${sentAt.toFixed(2)}, and all pauses are over`);
    }

    return {
      open(member) {
        const limiter = createLimiter<Subject>({
          store: member.store,
          denyCache,
          tiers: [
            { name: 'rate', key: ({ user }) => user, limit: 50, window: '1s' },
            { name: 'pause', key: ({ user }) => user, algorithm: 'pause' },
          ],
        });
        limiters.set(member, limiter);
        return limiter;
      },
      act(member) {
        if (random.chance(0.04)) void pause(member);
        else void requests.send(member, { key: 'ada' }, () => limiters.get(member)!.consume({ user: 'ada' }));
      },
      check() {
        if (faults().every((name) => REFUSALS.test(name))) for (const sent of requests.all) checkEnd(sent);
        for (const each of made) {
          const isLost = (at: number) => fleet.losses.some((lost) => lost >= each.calledAt && lost <= at);
          const heard = heardAt(each);
          const obeys = ({ member, sentAt, decision }: SentRequest) =>
            (!each.isHeard && member === each.member && sentAt > each.settledAt) ||
            (decision?.source === 'redis' && sentAt > heard);
          for (const sent of requests.all) {
            const { decision, answeredAt, sentAt, member } = sent;
            if (answeredAt > each.until || decision?.allowed !== true || isLost(answeredAt) || !obeys(sent)) continue;
            const when = `${sentAt.toFixed(2)} (${decision.source})`;
            const paused = `${each.member.process.name} has paused it from ${each.calledAt.toFixed(2)} to ${each.until.toFixed(2)}`;
            world.fail(`${member.process.name} admits ada at ${when}, although ${paused}`);
            break;
          }
        }
      },
    };
  },
};
