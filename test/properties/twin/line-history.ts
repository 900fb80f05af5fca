import { balance } from '../../../packages/quotas/src/index.js';
import { consumeGroup, peekGroup } from '../../../packages/core/src/algorithms/group.js';
import { definePolicy, type PolicyOptions } from '../../../packages/core/src/algorithms/named/policy-options.js';
import { withMovingLimit } from '../../../packages/core/src/algorithms/token-bucket/moving-bucket.js';
import { type Claim, claimNotes } from '../../../packages/core/src/model/claim.js';
import type { Policy } from '../../../packages/core/src/model/policy.js';
import type { Ruling } from '../../../packages/core/src/model/ruling.js';
import { lineKey } from '../../../packages/overload/src/line/line-key.js';
import { linedPolicy } from '../../../packages/overload/src/line/line-policy.js';
import type { LinedPolicy } from '../../../packages/overload/src/line/lined-policy.js';
import type { PlaceNote } from '../../../packages/overload/src/line/standing.js';
import { claim, newTag } from '../../support/claim.js';
import { KeyStates } from '../../support/key-states.js';
import type { Random } from './random.js';
import type { Group, RedisTwin } from './redis-twin.js';

/** Those that are told apart in a world. */
const CALLERS = 6;

/** Requests of workers that share a key with a line, and of other tiers beside it: in Lua and in TypeScript. */
export class LineHistory {
  readonly differences: object[] = [];
  /** Decided claims, those that were told a place, and lines that began again. */
  claims = 0;
  told = 0;
  beganAgain = 0;
  readonly #redis: RedisTwin;
  readonly #random: Random;
  readonly #states = new KeyStates();
  readonly #lined: Claim;
  /** The same key at other limits. */
  readonly #policies: readonly Policy[];
  readonly #other: Claim;
  readonly #credits: Claim;
  /** The window in milliseconds. */
  readonly #window: number;
  #now: number;
  #latest: number;

  constructor(redis: RedisTwin, random: Random) {
    this.#redis = redis;
    this.#random = random;
    // The clock of Redis itself is earlier, so that it expires no key.
    this.#now = random.integer(Date.UTC(2040, 0, 1), Date.UTC(2090, 0, 1)) * 1e3;
    this.#latest = this.#now;
    this.#window = random.pick([1_000, 60_000, 60_000, 3_600_000]);
    // Workers of the tool count their tags alike.
    const tag = `${newTag()}${random.seed.toString(36)}`;
    const limits = random.pick([[random.integer(1, 12)], [random.integer(1, 64), random.integer(65, 200)]]);
    const make = this.#maker();
    const longest = random.pick([1, 5, 50]) * this.#window * 1e3;
    const keeps = random.pick([{}, { keep: this.#window * 50 }, { keep: this.#window * 50, by: true }]);
    this.#policies = limits.map((limit) => linedPolicy(make(limit), { longest, ...keeps }));
    this.#lined = claim({ tier: 'shared', tag, policy: this.#policies[0]! });
    const options = { limit: random.integer(1, 4), window: random.pick([this.#window / 4, this.#window * 4]) };
    this.#other = claim({ tier: 'other', tag, policy: definePolicy({ algorithm: 'fixed-window', ...options }) });
    this.#credits = claim({
      tier: 'credits',
      tag,
      policy: definePolicy({ algorithm: balance({ covers: ['other'] }) }),
    });
  }

  async step(): Promise<void> {
    const random = this.#random;
    if (random.chance(0.02)) this.#now = this.#latest - random.integer(0, this.#window / 8) * 1e3;
    else this.#now += random.pick([0, 0, 1, 1_000, random.integer(0, this.#window * 300)]);
    this.#latest = Math.max(this.#latest, this.#now);
    const groups = Array.from({ length: random.pick([1, 2, 6, 12]) }, () => this.#group());
    const reply = await this.#redis.consume(groups, this.#now);
    for (const key of reply.expired) this.#states.forget(key);
    for (const [index, { claims, peek }] of groups.entries()) {
      const ruled = this.#states.decide(claims, this.#now, peek ? peekGroup : consumeGroup);
      this.#compare(
        { claims: claims.map(({ tier, cost, shadow }) => [tier, cost, shadow]), peek },
        reply.result[index],
        ruled,
      );
      this.#count(ruled);
    }
    const { line } = this.#policies[0] as LinedPolicy;
    const here = this.#states.numbers.get(lineKey(this.#lined.key)) ?? [0, 0];
    const stored = (await this.#redis.text(lineKey(this.#lined.key)))?.split(' ').map(Number) ?? [0];
    // One that is over may be gone.
    const isOver = (numbers: readonly number[]) => numbers.every((each) => each <= this.#now);
    const [one, other] = [stored, line.keep === 0 ? here.slice(0, 1) : here];
    if (!isOver(one) || !isOver(other)) this.#compare({ what: 'the line' }, one, other);
    if (line.by) await this.#comparePlaces();
  }

  /** Of each caller. One that has come may be gone. */
  async #comparePlaces(): Promise<void> {
    for (let caller = 1; caller <= CALLERS; caller += 1) {
      const key = this.#callerKey(caller);
      const here = this.#states.numbers.get(key)?.[0] ?? 0;
      const stored = Number((await this.#redis.text(key)) ?? 0);
      if (here > this.#now || stored > this.#now) this.#compare({ what: `the place of ${caller}` }, stored, here);
    }
  }

  #callerKey(caller: number): string {
    return `${lineKey(this.#lined.key)}:${caller}`;
  }

  #count(ruled: readonly (Ruling & { readonly told?: number; readonly beganAgain?: true })[]): void {
    for (const { told, beganAgain } of ruled) {
      this.claims += 1;
      if (told !== undefined) this.told += 1;
      if (beganAgain) this.beganAgain += 1;
    }
  }

  #maker(): (limit: number) => Policy {
    const random = this.#random;
    const window = this.#window;
    const burst = random.integer(1, 8);
    const kinds: readonly ((limit: number) => PolicyOptions)[] = [
      (limit) => ({ algorithm: 'token-bucket', limit, window }),
      (limit) => ({ algorithm: 'token-bucket', limit, window: window + 1, burst }),
      (limit) => ({ limit, window }),
      (limit) => ({ limit, window, precision: 10 }),
      (limit) => ({ limit, window, strict: true }),
      (limit) => ({ algorithm: 'sliding-window-log', limit, window }),
      (limit) => ({ algorithm: 'fixed-window', limit, window }),
      (limit) => ({ algorithm: 'fixed-window', limit, window, anchor: 'clock' }),
      (limit) => ({ algorithm: 'fixed-window', limit, period: 'day' }),
    ];
    const kind = random.pick(kinds);
    const isMoving = kind === kinds[1] && random.chance(0.5);
    return (limit) => (isMoving ? withMovingLimit(definePolicy(kind(limit))) : definePolicy(kind(limit)));
  }

  #group(): Group {
    const random = this.#random;
    const policy = random.pick(this.#policies);
    const cost = random.chance(0.7) ? 1 : random.pick([0, 2, 3, policy.capacity, policy.capacity + 1]);
    const lined = { ...this.#lined, policy, cost, shadow: random.chance(0.05) };
    const note = this.#note();
    if (note !== undefined) claimNotes.set(lined, note);
    const others = random.pick([[], [], [], [this.#other], [this.#other, this.#credits]]);
    const peek = random.chance(0.1);
    return { claims: [lined, ...others.map((each) => ({ ...each, shadow: random.chance(0.1) }))], peek };
  }

  /** What a request says of its place: nothing, that it wants one, a place, or who its caller is. */
  #note(): PlaceNote | undefined {
    const random = this.#random;
    const { line } = this.#policies[0] as LinedPolicy;
    if (line.by) return { asks: true, place: 0, callerKey: this.#callerKey(random.integer(1, CALLERS)) };
    if (line.keep === 0 || random.chance(0.3)) return undefined;
    const [end = 0] = this.#states.numbers.get(lineKey(this.#lined.key)) ?? [];
    const place = random.pick([0, 0, end, this.#now, this.#now - random.integer(0, this.#window * 100)]);
    return { asks: true, place };
  }

  #compare(what: object, lua: unknown, here: unknown): void {
    if (JSON.stringify(lua) === JSON.stringify(here)) return;
    const policies = this.#policies.map(({ algorithm, numbers }) => `${algorithm.twin} ${numbers.join(' ')}`);
    this.differences.push({ at: this.#now, ...what, lua, here, policies });
  }
}
