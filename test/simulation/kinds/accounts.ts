import { createLimiter, type Limiter } from '../../../packages/core/src/index.js';
import { digestOf, identityText } from '../../../packages/core/src/limiter/keys/store-keys.js';
import type { Member } from '../fleet.js';
import { isStored, REFUSALS, type SentRequest } from '../requests.js';
import type { Kind } from './kind.js';
import { keyspacesOf } from './stored-quota.js';

interface Subject {
  readonly account: string;
  readonly address: string;
  readonly device: string;
}

/** A guess of a password. */
interface Guess {
  readonly sent: SentRequest;
  readonly address: string;
  readonly device: string;
}

/** A guess that was right forgives those before it. */
interface Success {
  readonly calledAt: number;
  /** Infinity: nobody knows. */
  heardAt: number;
}

const FREE = 5;
const OF_ADDRESS = 2;
/** Denials of a device before it is banned. */
const DENIALS = 2;
const DEVICES = 3;

/** Guesses of an account from many addresses. On a Cluster the account, the addresses and the devices have slots of their own. */
export const accounts: Kind = {
  name: 'accounts',
  servers: [3],
  likely: ['denies a right', 'read-only', 'is full'],
  begin(fleet, requests, faults) {
    const { world } = fleet;
    const { random } = world;
    const limiters = new Map<Member, Limiter<Subject>>();
    const addresses = random.integer(4, 12);
    const denyCache = random.chance(0.5);
    const guesses: Guess[] = [];
    const successes: Success[] = [];

    async function guess(member: Member): Promise<void> {
      const limiter = limiters.get(member)!;
      const address = `10.0.0.${random.integer(1, addresses)}`;
      const device = `device ${random.integer(1, DEVICES)}`;
      const subject = { account: 'ada', address, device };
      const sending = requests.send(member, { key: 'ada', patience: 60 }, () => limiter.consume(subject));
      guesses.push({ sent: requests.all.at(-1)!, address, device });
      const { decision } = await sending;
      if (decision?.allowed !== true || decision.source !== 'redis' || !random.chance(0.15)) return;
      const success: Success = { calledAt: world.now, heardAt: Infinity };
      successes.push(success);
      world.tell(member.process.name, 'the guess was right');
      if ((await limiter.refund(decision, { account: 1 })) > 0) success.heardAt = world.now;
    }

    return {
      open(member) {
        const limiter = createLimiter<Subject>({
          store: member.store,
          denyCache,
          tiers: [
            {
              name: 'account',
              key: ({ account }) => account,
              algorithm: 'backoff',
              limit: FREE,
              window: '1h',
              delays: ['10m'],
              forgive: 'all',
            },
            {
              name: 'address',
              key: ({ address }) => address,
              algorithm: 'fixed-window',
              limit: OF_ADDRESS,
              window: '1h',
            },
            {
              name: 'ban',
              key: ({ device }) => device,
              algorithm: 'backoff',
              charge: 'denied',
              limit: DENIALS,
              window: '1h',
              delays: ['10m'],
            },
          ],
        });
        limiters.set(member, limiter);
        return limiter;
      },
      act(member) {
        void guess(member).catch((error: unknown) => world.fail(`a success rejects: ${String(error)}`));
      },
      check() {
        const admitted = requests.all.filter(isStored).length;
        const most = (FREE + 1) * (1 + successes.length + fleet.losses.length + fleet.delays.length);
        if (admitted > most) world.fail(`Redis admits ${admitted} guesses, and at most ${most} are allowed`);
        for (const each of guesses) {
          if (each.sent.decision?.allowed !== false || each.sent.decision.source !== 'redis') continue;
          checkStrikes(each);
          checkBan(each);
        }
        if (faults().every((name) => REFUSALS.has(name))) for (const { address } of guesses) checkUndone(address);
      },
    };

    /** An account is blocked by strikes that no success has forgiven. */
    function checkStrikes({ sent: denied }: Guess): void {
      const { decision, sentAt, answeredAt } = denied;
      if (!decision!.deniedBy.includes('account')) return;
      const forgivenAt = Math.max(
        -Infinity,
        ...successes.filter(({ heardAt }) => heardAt <= sentAt).map(({ calledAt }) => calledAt),
      );
      const isFaulty = faults().length > 0;
      const strikes = requests.all.filter((each) => {
        // One that got no answer may arrive behind the success.
        const isBefore = each.answeredAt < forgivenAt && each.decision?.degraded !== true;
        if (each === denied || isBefore || each.sentAt > answeredAt) return false;
        // Its strike is undone once another slot has denied it.
        return isFaulty || each.decision?.allowed !== false || each.answeredAt >= sentAt;
      }).length;
      if (strikes > FREE) return;
      world.fail(`ada is blocked at ${answeredAt.toFixed(2)} by ${strikes} guesses, and ${FREE} are free`);
    }

    /** A device is banned by denials, and by the last of them already. */
    function checkBan({ sent, device }: Guess): void {
      const { decision, sentAt, answeredAt } = sent;
      const others = guesses.filter((each) => each.sent !== sent && each.device === device);
      const mayCount = others.filter(
        (each) =>
          each.sent.sentAt <= answeredAt && (each.sent.decision?.allowed !== true || each.sent.decision.degraded),
      );
      const isOther = decision!.deniedBy.some((tier) => tier !== 'ban');
      const ban = decision!.outcomes.find(({ tier }) => tier === 'ban')!;
      const strikes = mayCount.length + (isOther ? 1 : 0);
      if (!ban.allowed && strikes <= DENIALS)
        world.fail(`${device} is banned at ${answeredAt.toFixed(2)} by ${strikes} denials`);
      const isClear =
        faults().length === 0 && others.every((each) => each.sent.answeredAt < sentAt || each.sent.sentAt > answeredAt);
      if (isClear && ban.allowed && strikes > DENIALS)
        world.fail(
          `${device} is not banned at ${answeredAt.toFixed(2)}, although ${strikes} of its guesses were denied`,
        );
    }

    /** What a request has charged in one slot comes back where another one denies or refuses it. */
    function checkUndone(address: string): void {
      const digest = digestOf(identityText(address));
      const admitted = guesses.filter((each) => each.address === address && isStored(each.sent)).length;
      for (const [place, keyspace] of keyspacesOf(fleet).entries()) {
        // The server that refuses has refused this, too.
        if (faults().length > 0 && fleet.servers[place] === fleet.server) continue;
        for (const key of keyspace.keys()) {
          if (!key.includes(':address:') || !key.includes(digest)) continue;
          const used = Number(keyspace.get(key)) % 2 ** 32;
          if (used > admitted) world.fail(`${address} has ${used} units, and ${admitted} of its guesses were admitted`);
        }
      }
    }
  },
};
