import { readDocument } from '../../../packages/policies/src/document/read-document.js';
import { RedisPolicies } from '../../../packages/policies/src/fleet/redis-policies.js';
import { LivePolicies } from '../../../packages/policies/src/live-policies.js';
import type { Member } from '../fleet.js';
import { readBy } from '../world/globals.js';
import { checkFleet } from './fleet-laws.js';
import { isUnreachable, isUnsent, Words, type Word } from './operator-words.js';
import type { Kind } from './kind.js';

/** Whose limits change, and the key functions of the two releases of the program. */
const TENANTS = ['acme', 'carl', 'dora'];
const OLD = { tenant: () => 'acme' };
const YOUNG = { ...OLD, account: () => 'acme' };
/** A process reads Redis every 5.5 s at most. It needs two readings, and the calls that they make. */
const TWO_READINGS_MS = 12_500;

type Document = ReturnType<typeof readDocument<object>>;

/** What processes of each release have read. Runs have the same texts, and a text is read alike again. */
const known = new Map<string, () => Document>();

/** @throws for a key function that the older release does not have */
function read(isYoung: boolean, name: string, text: string): Document {
  const place = `${isYoung} ${name}\n${text}`;
  const reread = known.get(place) ?? firstRead(isYoung, name, text);
  known.set(place, reread);
  return reread();
}

function firstRead(isYoung: boolean, name: string, text: string): () => Document {
  try {
    const document = readDocument<object>(name, text, { keys: isYoung ? YOUNG : OLD, plans: undefined });
    return () => document;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function textOf(limit: number, key: string): string {
  return `version: 1\nlimiters:\n  api:\n    tiers:\n      - { name: hour, key: ${key}, limit: ${limit}, window: 1h }\n`;
}

/** Policies of a process, and what it understands. */
export interface Follower {
  readonly policies: LivePolicies<object>;
  readonly fleet: RedisPolicies;
  readonly isYoung: boolean;
}

/** Processes of two releases that follow policies and overrides in Redis, and operators who change both. */
export const fleets: Kind = {
  name: 'fleets',
  servers: [1, 1, 3],
  quiet: TWO_READINGS_MS,
  // The last word is the last by the clock of Redis.
  without: ['the clock of Redis'],
  begin(fleet) {
    const { world } = fleet;
    const { random } = world;
    const followers = new Map<Member, Follower>();
    const words = new Words(fleet);
    const applies = random.pick([0.1, 0.3, 0.9]);
    let limits = 10;
    let texts = 0;

    function open(member: Member): Follower {
      const isYoung = random.chance(0.6);
      const redis = new RedisPolicies(member.store, {});
      const policies = new LivePolicies<object>({
        watched: { path: 'limits.yaml', readChange: () => Promise.resolve(undefined) },
        read: (name, text) => read(isYoung, name, text),
        document: read(isYoung, 'limits.yaml', textOf(1_000, 'tenant')),
        fleet: redis,
      });
      policies.limiter('api', { store: member.store });
      void policies.start();
      return { policies, fleet: redis, isYoung };
    }

    /** Says a word, and notes what became of it. */
    async function say(member: Member, of: string, value: string | undefined, act: () => Promise<unknown>) {
      const word: Word = words.begin(member, of, value);
      try {
        if ((await act()) === false) words.withdraw(word);
        else word.isHeard = true;
      } catch (error) {
        if (isUnsent(error)) words.withdraw(word);
        else if (!isUnreachable(error)) world.fail(`a change of ${of} rejects: ${String(error)}`);
      }
      word.settledAt = world.now;
      world.tell(member.process.name, `${of} = ${value}: ${word.isHeard ? 'done' : 'not known'}`);
    }

    function override(member: Member): void {
      const { policies } = followers.get(member)!;
      const tenant = random.pick(TENANTS);
      limits += 1;
      const limit = limits;
      const set = () => policies.overrides.set({ tier: 'hour', identity: tenant, limit, reason: 'a spec', by: 'ada' });
      const remove = async () => {
        await policies.overrides.remove({ tier: 'hour', identity: tenant });
        return true;
      };
      if (random.chance(0.65)) void say(member, tenant, String(limit), set);
      else void say(member, tenant, undefined, remove);
    }

    /** As `sluice policies apply` does it, beside a process that reads Redis then. */
    async function apply(member: Member): Promise<void> {
      const { policies, fleet: redis } = followers.get(member)!;
      texts += 1;
      const text = textOf(texts, random.chance(0.3) ? 'account' : 'tenant');
      await say(member, 'text', text, async () => {
        const { version } = await redis.read();
        const applied = await redis.apply({ text, expected: version, by: 'ada', reason: 'a spec' });
        if ('conflict' in applied) return false;
        await policies.refresh();
        return true;
      });
    }

    return {
      open(member) {
        const follower = open(member);
        followers.set(member, follower);
        return follower.policies;
      },
      act(member) {
        if (random.chance(applies)) void apply(member);
        else if (random.chance(0.8)) override(member);
        else
          void followers
            .get(member)!
            .policies.refresh()
            .catch(() => undefined);
      },
      settle() {
        const alive = fleet.members.filter(({ process }) => !process.isDead);
        const states = alive.map((member) => ({
          member,
          ...followers.get(member)!,
          status: readBy(member.process, () => followers.get(member)!.policies.status()),
          overrides: readBy(member.process, () => followers.get(member)!.policies.overrides.list()),
        }));
        checkFleet(world, states, words);
      },
      check() {
        words.checkSettled();
      },
    };
  },
};
