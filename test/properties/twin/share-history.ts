import { FairCaller } from '../../../packages/overload/src/fair/fair-caller.js';
import { balance } from '../../../packages/quotas/src/index.js';
import { consumeGroup, peekGroup } from '../../../packages/core/src/algorithms/group.js';
import type { PermitPolicy } from '../../../packages/core/src/algorithms/concurrency/permit-policy.js';
import { waitingPolicy } from '../../../packages/core/src/algorithms/concurrency/wishes/waiting-concurrency.js';
import type { WishingPermits } from '../../../packages/core/src/algorithms/concurrency/wishes/wishing-permits.js';
import { definePolicy } from '../../../packages/core/src/algorithms/named/policy-options.js';
import type { Claim } from '../../../packages/core/src/model/claim.js';
import type { Receipt } from '../../../packages/core/src/model/receipt.js';
import { toReceipt } from '../../../packages/core/src/stores/answer.js';
import { claim, newTag } from '../../support/claim.js';
import { KeyStates } from '../../support/key-states.js';
import type { Random } from './random.js';
import type { Group, RedisTwin } from './redis-twin.js';

/** Requests of callers and of processes that share a limit in flight, their ends and their renewals: in Lua and in TypeScript. */
export class ShareHistory {
  readonly differences: object[] = [];
  /** Decided claims, and those that were denied while units were left. */
  claims = 0;
  crowded = 0;
  readonly #redis: RedisTwin;
  readonly #random: Random;
  readonly #states = new KeyStates();
  readonly #callers: readonly Claim[];
  /** Of requests that do not wait where callers do not share the limit. */
  readonly #plain: PermitPolicy;
  readonly #rate: Claim;
  /** Its balance is empty, so that it pays for no denial. */
  readonly #credits: Claim;
  #receipts: Receipt[] = [];
  #permits = 0;
  #now: number;
  #latest: number;

  constructor(redis: RedisTwin, random: Random) {
    this.#redis = redis;
    this.#random = random;
    // The clock of Redis itself is earlier, so that it expires no key.
    this.#now = random.integer(Date.UTC(2040, 0, 1), Date.UTC(2090, 0, 1));
    this.#latest = this.#now;
    const tag = newTag();
    const limit = random.chance(0.05) ? 1_000 : random.integer(2, 7);
    const options = {
      algorithm: 'concurrency',
      limit,
      hold: random.pick([1_000, 60_000, 60_000]),
      retry: 1_000,
    } as const;
    this.#plain = definePolicy(options) as PermitPolicy;
    const isShared = random.chance(0.5);
    this.#callers = Array.from({ length: isShared ? random.integer(2, 5) : 1 }, (_, caller) => {
      if (!isShared) {
        return claim({ tier: 'shared', tag, policy: waitingPolicy(this.#plain) });
      }
      const fair = new FairCaller(caller * 2 ** 40, random.pick([1, 1, 2, 100]));
      return claim({ tier: 'shared', tag, policy: definePolicy({ ...options, fair }) });
    });
    this.#rate = claim({ tier: 'rate', tag, policy: { algorithm: 'fixed-window', limit: 3, window: 5_000 } });
    this.#credits = claim({ tier: 'credits', tag, policy: definePolicy({ algorithm: balance({ covers: ['rate'] }) }) });
  }

  async step(): Promise<void> {
    const random = this.#random;
    if (random.chance(0.02)) this.#now = this.#latest - random.integer(0, 10_000);
    else this.#now += random.pick([0, 0, 1, 1, 50, random.integer(0, 700)]);
    this.#latest = Math.max(this.#latest, this.#now);
    const kind = random.fraction();
    if (kind < 0.7) await this.#consume();
    else if (kind < 0.95) await this.#end();
    else await this.#renew();
    await this.#compareStates();
  }

  /** A wish that only one of them has may decide many steps later, or never. */
  async #compareStates(): Promise<void> {
    const [{ key }] = this.#callers as [Claim];
    const lua = await this.#redis.permits(key);
    const state = this.#states.state(key) as WishingPermits | undefined;
    const units = state?.entries() ?? [];
    const wishes = [...(state?.wishes ?? [])].map(([name, wish]) => [name, wish.since, wish.until, wish.cost] as const);
    const now = this.#now;
    this.#compare({ what: 'units' }, ofNow(lua.units, 1, now), ofNow(units, 1, now));
    this.#compare({ what: 'wishes' }, ofNow(lua.wishes, 2, now), ofNow(wishes, 2, now));
  }

  async #consume(): Promise<void> {
    const now = this.#now * 1e3;
    const groups = Array.from({ length: this.#random.pick([1, 2, 6, 12]) }, () => this.#group());
    const reply = await this.#redis.consume(groups, now);
    for (const key of reply.expired) this.#states.forget(key);
    for (const [index, { claims, peek }] of groups.entries()) {
      const ruled = this.#states.decide(claims, now, peek ? peekGroup : consumeGroup);
      this.#compare({ claims: claims.map(({ tier, cost }) => [tier, cost]), peek }, reply.result[index], ruled);
      for (const [place, ruling] of ruled.entries()) {
        const each = claims[place]!;
        this.claims += 1;
        if (ruling.charged > 0 && each.name !== undefined) this.#receipts.push(toReceipt(each, ruling, now));
        if (each.name !== undefined && ruling.retryAfter > 0 && ruling.remaining >= each.cost) this.crowded += 1;
      }
    }
  }

  #group(): Group {
    const random = this.#random;
    this.#permits += 1;
    const own = random.pick(this.#callers);
    const { caller = '' } = own.policy as PermitPolicy;
    const shadow = random.chance(0.05);
    const waits = !shadow && random.chance(0.8);
    const end = waits ? `!${random.integer(0, 2)}` : '';
    const shared = {
      ...own,
      policy: waits || caller !== '' ? own.policy : this.#plain,
      name: `process${random.integer(1, 4)}${this.#permits}${caller}${end}`,
      cost: random.chance(0.8) ? 1 : random.pick([2, 3, 0, own.policy.capacity + 1]),
      shadow,
    };
    const others = random.pick([[], [], [], [this.#rate], [this.#rate, this.#credits]]);
    const peek = random.chance(0.1);
    return { claims: [peek ? { ...shared, name: undefined } : shared, ...others], peek };
  }

  async #end(): Promise<void> {
    const part = this.#random.pick([0.15, 0.15, 0.7]);
    const ended = this.#receipts.filter(() => this.#random.chance(part));
    if (ended.length === 0) return;
    this.#receipts = this.#receipts.filter((each) => !ended.includes(each));
    const reply = await this.#redis.release(ended, this.#now * 1e3);
    for (const key of reply.expired) this.#states.forget(key);
    const released = ended.map((receipt) => this.#states.refund(receipt, this.#now * 1e3));
    this.#compare({ ends: ended.length }, reply.result, released);
  }

  async #renew(): Promise<void> {
    const [receipt] = this.#receipts;
    if (receipt === undefined) return;
    const reply = await this.#redis.renew([receipt], this.#now * 1e3);
    for (const key of reply.expired) this.#states.forget(key);
    this.#compare({ renews: receipt.name }, reply.result, [this.#states.renew(receipt, this.#now * 1e3)]);
  }

  #compare(what: object, lua: unknown, here: unknown): void {
    if (JSON.stringify(lua) !== JSON.stringify(here)) this.differences.push({ at: this.#now, ...what, lua, here });
  }
}

/** What is not over. The twins forget what is over at different times. @param at the place of the end */
function ofNow(entries: readonly (readonly (string | number)[])[], at: number, now: number): readonly string[] {
  return entries
    .filter((each) => Number(each[at]) > now)
    .map((each) => each.join(' '))
    .toSorted();
}
