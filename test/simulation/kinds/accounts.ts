import { createLimiter, type Limiter } from '../../../packages/core/src/index.js';
import type { Member } from '../fleet.js';
import { isStored } from '../requests.js';
import type { Kind } from './kind.js';

interface Subject {
  readonly account: string;
  readonly address: string;
}

const FREE = 5;
const OF_ADDRESS = 2;

/** Guesses of an account from many addresses. On a Cluster the account and the addresses have slots of their own. */
export const accounts: Kind = {
  name: 'accounts',
  servers: [3],
  begin(fleet, requests) {
    const { world } = fleet;
    const { random } = world;
    const limiters = new Map<Member, Limiter<Subject>>();
    const addresses = random.integer(4, 12);
    const denyCache = random.chance(0.5);

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
            { name: 'address', key: ({ address }) => address, limit: OF_ADDRESS, window: '1h' },
          ],
        });
        limiters.set(member, limiter);
        return limiter;
      },
      act(member) {
        const address = `10.0.0.${random.integer(1, addresses)}`;
        const patience = 60;
        void requests.send(member, { key: 'ada', patience }, () =>
          limiters.get(member)!.consume({ account: 'ada', address }),
        );
      },
      check() {
        const admitted = requests.all.filter(isStored).length;
        const most = (FREE + 1) * (1 + fleet.losses.length + fleet.delays.length);
        if (admitted > most) world.fail(`Redis admits ${admitted} guesses, and at most ${most} are allowed`);
      },
    };
  },
};
