import { noticing } from '../../../packages/core/src/algorithms/noticing.js';
import { consumeGroup } from '../../../packages/core/src/algorithms/group.js';
import { definePolicy, type PolicyOptions } from '../../../packages/core/src/algorithms/named/policy-options.js';
import type { Claim } from '../../../packages/core/src/model/claim.js';
import type { Policy } from '../../../packages/core/src/model/policy.js';
import type { Receipt } from '../../../packages/core/src/model/receipt.js';
import type { Ruling } from '../../../packages/core/src/model/ruling.js';
import { notices } from '../../../packages/quotas/src/index.js';
import type { NoticedRuling } from '../../../packages/quotas/src/notices/noticed-window.js';
import { toReceipt } from '../../../packages/core/src/stores/answer.js';
import { claim } from '../../support/claim.js';
import { KeyStates } from '../../support/key-states.js';
import { withRedisStore } from '../../support/redis-store.js';
import { oneMoreSeed } from '../../support/seeds.js';
import { Random } from './random.js';
import { RedisTwin } from './redis-twin.js';

const HOUR = 3_600_000_000;
/** Each with the fewest notices of its history: another history may reach no mark. */
const SEEDS: readonly (readonly [seed: number, fewest: number])[] = [
  ...Array.from({ length: 8 }, (_, index) => [index + 1, 1] as const),
  [oneMoreSeed(), 0],
];

const FORMS: readonly PolicyOptions[] = [
  { algorithm: 'fixed-window', limit: 1, window: '1h' },
  { algorithm: 'fixed-window', limit: 1, window: '1h', anchor: 'clock' },
  { algorithm: 'fixed-window', limit: 1, period: 'day', timeZone: 'Asia/Kathmandu' },
];

describe('Lua and TypeScript on notices', () => {
  const redis = withRedisStore();

  it.each(SEEDS)('tell the same marks, each once in a window, with seed %d', async (seed, fewest) => {
    const history = new History(new RedisTwin(redis.client), new Random(seed));

    for (let step = 0; step < 80; step += 1) await history.step();

    expect(history.differences).toEqual([]);
    expect(history.reported.length).toBeGreaterThanOrEqual(fewest);
    expect(new Set(history.reported).size).toBe(history.reported.length);
  });

  it.each(SEEDS)('count alike where another process has no notices, with seed %d', async (seed) => {
    const history = new History(new RedisTwin(redis.client), new Random(seed), 0.4);

    for (let step = 0; step < 80; step += 1) await history.step();

    expect(history.differences).toEqual([]);
  });
});

let histories = 0;

/** Requests and refunds of two keys under two limits, of which some hold their marks back, as on a Cluster. */
class History {
  readonly differences: object[] = [];
  /** Of each notice its key, mark, limit and window. */
  readonly reported: string[] = [];
  readonly #redis: RedisTwin;
  readonly #random: Random;
  /** Of a process without notices. */
  readonly #plain: Policy;
  readonly #plainShare: number;
  readonly #memory = new KeyStates();
  /** Of both limits: those that tell with the charge, then those that hold back, then those that tell later. */
  readonly #policies: readonly Policy[];
  readonly #keys: readonly Claim[];
  readonly #receipts: Receipt[] = [];
  /** Of the server, in microseconds. The clock of Redis itself is earlier, so that it expires no key by itself. */
  #now = Date.UTC(2040, 0, 1) * 1e3;

  /** @param plainShare of calls by a process without notices */
  constructor(redis: RedisTwin, random: Random, plainShare = 0) {
    this.#redis = redis;
    this.#random = random;
    this.#plainShare = plainShare;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(this.#now / 1e3);
    const limit = random.pick([1, 3, 20, 1_000]);
    const parts = random.pick([[1], [0.5, 1], [0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99, 1]]);
    const options = { ...random.pick(FORMS), limit } as PolicyOptions;
    const policies = [limit, random.pick([limit, limit + 1, limit * 2])].map((each) =>
      definePolicy({ ...options, limit: each, notices: notices(...parts) } as PolicyOptions),
    );
    const apart = policies.map((each) => noticing.of(each)!.apart(each));
    this.#policies = [...policies, ...apart.map(({ held }) => held), ...apart.map(({ later }) => later)];
    this.#plain = definePolicy(options);
    clock.mockRestore();
    histories += 1;
    this.#keys = ['a', 'b'].map((name) =>
      claim({ key: `rl:{notices-${histories}}:${name}:fw000`, policy: policies[0]! }),
    );
  }

  async step(): Promise<void> {
    // Also by so little that a window which begins again has the end of the one before.
    this.#now += this.#random.pick([0, 1, 900, HOUR / 10, HOUR / 3]);
    const receipt = this.#random.chance(0.35) ? this.#receipts.pop() : undefined;
    if (receipt !== undefined) return this.#refund(this.#random.chance(0.5) ? { ...receipt, undone: true } : receipt);
    const units = () => this.#random.pick([1, 1, 1, 2, Math.ceil(this.#keys[0]!.policy.limit / 3)]);
    // Units alone have a script of their policy, and other costs take the general path.
    const cost = this.#random.chance(0.5) ? () => 1 : units;
    const groups = Array.from({ length: this.#random.integer(1, 6) }, () => {
      const policy = this.#random.chance(this.#plainShare) ? this.#plain : this.#random.pick(this.#policies);
      const isLater = this.#policies.indexOf(policy) >= 4;
      const keys = this.#random.pick([[this.#keys[0]!], [this.#keys[1]!], this.#keys]);
      return keys.map((each) => ({ ...each, policy, cost: isLater ? 0 : cost() }));
    });
    const reply = await this.#redis.consume(
      groups.map((claims) => ({ claims, peek: false })),
      this.#now,
    );
    for (const key of reply.expired) this.#memory.forget(key);
    for (const [index, claims] of groups.entries()) this.#decide(claims, reply.result[index]!);
  }

  #decide(claims: readonly Claim[], lua: readonly Ruling[]): void {
    const ruled = this.#memory.decide(claims, this.#now, consumeGroup);
    this.#compare({ costs: claims.map(({ cost }) => cost) }, lua, ruled);
    for (const [place, each] of claims.entries()) {
      const ruling = ruled[place]!;
      const ends = this.#now + ruling.resetAfter;
      // One that holds its marks back says what is to be told later.
      const isHeld = [2, 3].includes(this.#policies.indexOf(each.policy));
      const marks = isHeld ? [] : ((ruling as NoticedRuling).reached?.marks ?? []);
      this.reported.push(...marks.map(({ mark }) => `${each.key} ${mark} of ${ruling.limit} ${ends}`));
      if (ruling.charged > 0) this.#receipts.push(toReceipt(each, ruling, this.#now));
    }
  }

  async #refund(receipt: Receipt): Promise<void> {
    const reply = await this.#redis.refund([receipt], this.#now);
    for (const key of reply.expired) this.#memory.forget(key);
    this.#compare({ units: receipt.units }, reply.result[0], this.#memory.refund(receipt, this.#now));
  }

  #compare(event: object, lua: unknown, typescript: unknown): void {
    if (JSON.stringify(lua) === JSON.stringify(typescript)) return;
    this.differences.push({ ...event, now: this.#now, numbers: this.#keys[0]!.policy.numbers, lua, typescript });
  }
}
