import { PERIODS, type Period } from '../../../packages/core/src/algorithms/fixed-window/calendar.js';
import { consumeGroup } from '../../../packages/core/src/algorithms/group.js';
import { definePolicy, type PolicyOptions } from '../../../packages/core/src/algorithms/named/policy-options.js';
import type { Claim } from '../../../packages/core/src/model/claim.js';
import type { Policy } from '../../../packages/core/src/model/policy.js';
import type { Receipt } from '../../../packages/core/src/model/receipt.js';
import { claim } from '../../support/claim.js';
import { KeyStates } from '../../support/key-states.js';
import { toReceipt } from '../../../packages/core/src/stores/answer.js';
import { withRedisStore } from '../../support/redis-store.js';
import { oneMoreSeed } from '../../support/seeds.js';
import { Random } from './random.js';
import { RedisTwin } from './redis-twin.js';

const HOUR = 3_600_000;
const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia', 'Australia/Lord_Howe'];
const LENGTHS: Readonly<Record<Period, number>> = { day: 23, week: 167, month: 671, year: 8_759 };
const seeds = [...Array.from({ length: 8 }, (_, index) => index + 1), oneMoreSeed()];

describe('Lua and TypeScript on periods', () => {
  const redis = withRedisStore();

  it.each(seeds)('agree while clocks of processes are less than a period off, with seed %d', async (seed) => {
    const history = new History(new RedisTwin(redis.client), new Random(seed));

    for (let step = 0; step < 80; step += 1) await history.step();

    expect(history.differences).toEqual([]);
    expect(history.decided).toBeGreaterThan(0);
  });
});

/** Requests and refunds of one key, by processes whose clocks differ. */
class History {
  readonly differences: object[] = [];
  decided = 0;
  readonly #redis: RedisTwin;
  readonly #random: Random;
  readonly #memory = new KeyStates();
  readonly #period: Period;
  readonly #options: PolicyOptions;
  readonly #key: Claim;
  readonly #receipts: Receipt[] = [];
  /** Of the server, in milliseconds. */
  #now: number;

  constructor(redis: RedisTwin, random: Random) {
    this.#redis = redis;
    this.#random = random;
    this.#period = random.pick(PERIODS);
    const first = {
      day: {},
      week: { startsOn: 'sunday' },
      month: { startsOn: 31 },
      year: { startsOn: '02-29' },
    } as const;
    const limit = random.pick([1, 5, 40, 2 ** 32 - 1]);
    const timeZone = random.pick(ZONES);
    this.#options = {
      algorithm: 'fixed-window',
      limit,
      period: this.#period,
      timeZone,
      ...first[this.#period],
    } as PolicyOptions;
    // The clock of Redis itself is earlier, so that it expires no key by itself.
    this.#now = random.integer(Date.UTC(2040, 0, 1), Date.UTC(2090, 0, 1));
    this.#key = claim({ policy: this.#policy() });
  }

  async step(): Promise<void> {
    const length = LENGTHS[this.#period] * HOUR;
    const ends = this.#policy().calendar!.lasts.until;
    const jumps = [
      this.#random.integer(0, HOUR),
      this.#random.integer(0, length),
      ends - this.#now - 1,
      ends - this.#now,
    ];
    // A clock may step back, also past the begin of a period.
    this.#now += this.#random.chance(0.1) ? -this.#random.integer(0, HOUR) : this.#random.pick(jumps);
    const now = this.#now * 1e3;
    const receipt = this.#random.chance(0.3) ? this.#receipts.pop() : undefined;
    if (receipt !== undefined) return this.#refund(receipt, now);
    const skew = this.#random.integer(-length, length);
    const shadow = this.#random.chance(0.1);
    const policy = this.#policy(skew);
    const cost = this.#random.pick([1, 1, 2, this.#key.policy.limit]);
    // Alone and in a group, which take different paths.
    const claims = [{ ...this.#key, policy, cost, shadow }];
    const reply = await this.#redis.consume([{ claims, peek: false }], now);
    for (const key of reply.expired) this.#memory.forget(key);
    const ruled = this.#memory.decide(claims, now, consumeGroup);
    this.decided += 1;
    this.#compare({ now, skew, cost }, reply.result[0], ruled);
    if (ruled[0]!.charged > 0) this.#receipts.push(toReceipt(claims[0]!, ruled[0]!, now));
  }

  async #refund(receipt: Receipt, now: number): Promise<void> {
    const reply = await this.#redis.refund([receipt], now);
    for (const key of reply.expired) this.#memory.forget(key);
    this.#compare({ now, receipt: receipt.units }, reply.result[0], this.#memory.refund(receipt, now));
  }

  /** As a process defines it whose clock is some milliseconds ahead of the server's. */
  #policy(skew = 0): Policy {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(this.#now + skew);
    try {
      return definePolicy(this.#options);
    } finally {
      clock.mockRestore();
    }
  }

  #compare(event: object, lua: unknown, typescript: unknown): void {
    if (JSON.stringify(lua) !== JSON.stringify(typescript)) {
      this.differences.push({ ...event, options: this.#options, lua, typescript });
    }
  }
}
