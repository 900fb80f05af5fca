import type { Decision, Tier } from '@sluice/core';
import { everyPolicy } from '../support/claim.js';
import { freshModules } from '../support/fresh-modules.js';
import { commandsDuring } from '../support/monitor.js';
import { withRedis } from '../support/redis-store.js';

interface Caller {
  readonly user: string;
}

const policies = everyPolicy(100);

/** What a process sends Redis for tiers without a line, and what it answers. */
interface Process {
  readonly sent: readonly (readonly string[])[];
  readonly decisions: readonly Decision[];
}

describe('Tiers without a line', () => {
  const redis = withRedis();
  let without: Process;
  let beside: Process;

  beforeAll(async () => {
    without = await processWith(false);
    beside = await processWith(true);
  });

  /** Modules of a new process, which imports lines or not, and uses one first. */
  async function processWith(hasLines: boolean): Promise<Process> {
    freshModules();
    await redis.client.flushall();
    await redis.client.script('FLUSH');
    const { createLimiter } = await import('../../packages/core/src/index.js');
    const { redisStore } = await import('../../packages/redis/src/index.js');
    const store = redisStore(redis.client, { deadline: 5_000, connectDeadline: 5_000 });
    const key = ({ user }: Caller) => user;
    const decisions: Decision[] = [];
    const serve = async (tiers: readonly object[]) => {
      const named = tiers as readonly Tier<Caller>[];
      const limiter = createLimiter<Caller>({ store, tiers: named, denyCache: false });
      // Made scripts of one unit and of costs, and the general one by a cost of 0 and a request beyond the limit.
      for (const cost of [1, 2, 0, 90, 90]) decisions.push(await limiter.consume({ user: 'ada' }, { cost }));
    };
    await store.ready();
    if (hasLines) {
      const { line } = await import('../../packages/overload/src/line/index.js');
      const lined = line({ longest: '5m', by: key });
      const bucket = { name: 'lined', key, algorithm: 'token-bucket', limit: 60, window: '1h', line: lined };
      await serve([bucket]);
      await serve([
        { ...bucket, name: 'lined beside' },
        { name: 'beside', key, limit: 70, window: '1h' },
      ]);
      decisions.length = 0;
    }
    const commands = await commandsDuring(redis.server, async () => {
      for (const [name, policy] of policies) await serve([{ name, key, ...policy }]);
      await serve(policies.map(([name, policy]) => ({ name: `all ${name}`, key, ...policy })));
    });
    await store.close();
    const sent = commands
      .filter(({ scripted, name }) => !scripted && /^(eval|evalsha|script)$/.test(name))
      .map(({ name, arguments: each }) => [name, ...each]);
    return { sent, decisions };
  }

  it('send the same scripts, keys and arguments whether the program has lines or not', () => {
    expect(without.sent.length).toBeGreaterThan(policies.length * 5);
    expect(beside.sent).toEqual(without.sent);
  });

  it('send nothing of lines', () => {
    const texts = without.sent.flat();

    expect(texts.some((text) => text.includes('local now_us') || text.includes('now_us'))).toBe(true);
    expect(texts.filter((text) => /number_key|:line\b|tell_place|lined/.test(text))).toEqual([]);
  });

  it('have no word of lines in their decisions', () => {
    const denied = [...without.decisions, ...beside.decisions].filter(({ allowed }) => !allowed);

    expect(denied.length).toBeGreaterThan(policies.length);
    for (const decision of denied) {
      expect(decision.place).toBeUndefined();
      for (const outcome of decision.outcomes) {
        expect(outcome).not.toHaveProperty('fitsAfter');
        expect(outcome).not.toHaveProperty('place');
      }
    }
  });
});
