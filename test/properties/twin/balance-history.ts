import {
  type Account,
  EMPTY,
  hourOf,
  HOURS,
  leftIn,
  MAX_BALANCE,
  reconcile,
} from '../../../packages/quotas/src/credits/account.js';
import { balanceActs, endAct } from '../../../packages/quotas/src/credits/balance-acts.js';
import { credit } from '../../../packages/quotas/src/credits/credited-account.js';
import { balance } from '@sluice/quotas';
import { algorithmOf } from '../../../packages/core/src/algorithms/algorithm.js';
import { coveredBy } from '../../../packages/core/src/model/covering.js';
import { candidate, consumeGroup, peekGroup } from '../../../packages/core/src/algorithms/group.js';
import { definePolicy, type PolicyOptions } from '../../../packages/core/src/algorithms/named/policy-options.js';
import type { Claim } from '../../../packages/core/src/model/claim.js';
import type { Receipt } from '../../../packages/core/src/model/receipt.js';
import type { Ruling } from '../../../packages/core/src/model/ruling.js';
import { toReceipt } from '../../../packages/core/src/stores/answer.js';
import { splits } from '../../../packages/quotas/src/credits/covers.js';
import { tellingOf } from '../../../packages/quotas/src/credits/low-marks.js';
import { claim, newTag } from '../../support/claim.js';
import type { Credit, CreditedState } from '../../../packages/quotas/src/credits/credit.js';
import { BalanceModel, type ModelCredit, type Spent } from './balance-model.js';
import { modelOf, type Model } from './model/model.js';
import type { Random } from './random.js';
import type { Group, RedisTwin } from './redis-twin.js';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const WINDOWS = [MINUTE, HOUR, 30 * 24 * HOUR];
/** More than an account stores. */
const IDS = 90;

/** Ends of grants, in milliseconds from now. */
const ENDS = [20, 900, HOUR, 5 * HOUR, 24 * HOUR, 30 * 24 * HOUR];
const ORDERS = [50, 50, 10];

/** A receipt, and what the model knows of it. */
interface Paid {
  readonly receipt: Receipt;
  readonly spent: Spent;
}

interface Rate {
  readonly claim: Claim;
  readonly model: Model;
  state: unknown;
}

interface Balance {
  readonly claim: Claim;
  readonly model: BalanceModel;
}

/** Requests, credits, refunds and reconciliations of one client: in Lua, in TypeScript and in a model of BigInt. */
export class BalanceHistory {
  readonly differences: object[] = [];
  /** Requests that each kind of budget has paid. */
  readonly paid = { included: 0, credits: 0, split: 0, none: 0 };
  readonly #redis: RedisTwin;
  readonly #random: Random;
  readonly #states = new Map<string, unknown>();
  readonly #rates: readonly Rate[];
  readonly #balances: readonly Balance[];
  readonly #receipts: Paid[] = [];
  /** Of grants. */
  readonly #ends: number[] = [];
  /** What the model has spent in the last group. */
  readonly #spent = new Map<string, Spent>();
  /** Each request has one unit of all tiers, so that its script is made for them. */
  readonly #areUnits: boolean;
  #now: number;
  /** The latest time of its clock. */
  #latest: number;

  constructor(redis: RedisTwin, random: Random) {
    this.#redis = redis;
    this.#random = random;
    // The clock of Redis itself is earlier, so that it expires no key.
    this.#now = random.integer(Date.UTC(2040, 0, 1), Date.UTC(2090, 0, 1));
    this.#latest = this.#now;
    this.#areUnits = random.chance(0.5);
    // Workers of the tool count their tags alike.
    const tag = `${newTag()}${random.seed.toString(36)}`;
    const rate = (tier: string, options: PolicyOptions): Rate => {
      const made = claim({ tier, tag, policy: definePolicy(options) });
      return { claim: made, model: modelOf(options), state: undefined };
    };
    // Few units, so that several tiers deny at a time, of which a balance covers some.
    const limit = () => random.pick([1, 2, random.integer(1, 40), random.integer(20, 40)]);
    const window = () => random.pick(WINDOWS);
    this.#rates = [
      rate('month', { algorithm: 'fixed-window', limit: limit(), window: window() }),
      rate('day', { algorithm: 'token-bucket', limit: limit(), window: window() }),
      rate('burst', {
        algorithm: this.#areUnits ? 'sliding-window' : 'sliding-window-log',
        limit: limit(),
        window: 1_000,
      }),
    ];
    const lowBalance = random.chance(0.5) ? [30, 5] : undefined;
    const balances: readonly (readonly string[] | undefined)[] = random.chance(0.2)
      ? [undefined]
      : [['month', 'day'], ['day'], ['month']].slice(0, random.integer(1, 3));
    this.#balances = balances.map((covers, index) => ({
      claim: claim({
        tier: `balance ${index}`,
        tag,
        policy: definePolicy({
          algorithm: balance({ covers, lowBalance, split: covers?.length === 1 && random.chance(0.7) }),
        }),
      }),
      model: new BalanceModel(),
    }));
  }

  async step(): Promise<void> {
    const random = this.#random;
    const jump = random.pick([0, 1, 900, random.integer(0, HOUR), random.integer(0, 40 * 24 * HOUR)]);
    // A clock may step back. Of short windows Redis stores no more than the time of the last half hour.
    if (random.chance(0.05)) this.#now = this.#latest - random.integer(0, 10 * MINUTE);
    else if (random.chance(0.04)) this.#toEnd();
    else this.#now += random.chance(0.7) ? random.integer(0, 50) : jump;
    this.#latest = Math.max(this.#latest, this.#now);
    const kind = random.fraction();
    if (kind < 0.65) await this.#consume();
    else if (kind < 0.77) await this.#credit();
    else if (kind < 0.92) await this.#refund();
    else if (kind < 0.96) await this.#touch();
    else await this.#reconcile();
  }

  /** To the millisecond in which a grant ends, or the one before. */
  #toEnd(): void {
    const next = this.#ends.filter((end) => end > this.#now).toSorted((one, other) => one - other)[0];
    if (next !== undefined) this.#now = next - this.#random.integer(0, 1);
  }

  async #consume(): Promise<void> {
    const now = this.#now * 1e3;
    const groups = Array.from({ length: this.#random.pick([1, 1, 2, 3]) }, () => this.#group());
    const reply = await this.#redis.consume(groups, now);
    this.#forget(reply.expired);
    for (const [index, { claims, peek }] of groups.entries()) {
      const ruled = this.#decide(claims, peek);
      this.#compare({ claims: claims.map(({ tier, cost }) => [tier, cost]), peek }, reply.result[index], ruled);
      const charged = this.#expected(claims, peek);
      this.#compare(
        { charges: claims.map(({ tier }) => tier) },
        ruled.map((ruling) => ruling.charged),
        charged,
      );
      for (const [place, ruling] of ruled.entries()) {
        const each = claims[place]!;
        const spent = this.#spent.get(each.key);
        if (ruling.charged > 0 && spent) this.#receipts.push({ receipt: toReceipt(each, ruling, now), spent });
      }
    }
  }

  #group(): Group {
    const random = this.#random;
    const cost = random.pick([1, 1, 2, 5, 60]);
    const each = [...this.#rates, ...this.#balances];
    if (this.#areUnits) return { claims: each.map((one) => one.claim), peek: false };
    const all = each.filter(() => random.chance(0.9));
    const sharing = random.chance(0.6) ? this.#sharing(random.pick([3, 8, 30, 60])) : [];
    if (sharing.length > 0) return { claims: sharing, peek: false };
    const claims = all.map((one) => ({ ...one.claim, cost: random.chance(0.95) ? cost : 0 }));
    const shadow = random.chance(0.1);
    const some = claims.map((one) => (shadow && one.tier === 'day' ? { ...one, shadow } : one));
    return { claims: some.length === 0 ? [this.#rates[0]!.claim] : some, peek: random.chance(0.1) };
  }

  /** A rate, and a balance that pays the rest of a cost. */
  #sharing(cost: number): readonly Claim[] {
    const balances = this.#balances.filter((each) => splits(each.claim.policy));
    const rates = this.#rates.filter(({ claim: { tier } }) =>
      balances.some((each) => coveredBy(each.claim.policy)!.includes(tier)),
    );
    return [...rates, ...balances].map((each) => ({ ...each.claim, cost }));
  }

  #decide(claims: readonly Claim[], peek: boolean): readonly Ruling[] {
    const candidates = claims.map((each) => candidate(each, this.#states.get(each.key)));
    if (peek) peekGroup(candidates, this.#now * 1e3);
    else consumeGroup(candidates, this.#now * 1e3);
    for (const each of candidates) if (each.changed) this.#states.set(each.claim.key, each.state);
    return candidates.map(({ ruling }) => ruling!);
  }

  /** What the model charges each claim. */
  #expected(claims: readonly Claim[], peek: boolean): readonly number[] {
    this.#spent.clear();
    const fits = claims.map((each) => this.#fits(each));
    const isCovering = ({ policy }: Claim) => coveredBy(policy) !== undefined;
    const denying = claims.filter((each, place) => !fits[place] && !each.shadow && !isCovering(each));
    const covers = (each: Claim, { tier }: Claim) => coveredBy(each.policy)?.includes(tier) === true;
    const included = (each: Claim) => {
      const covered = denying.find((other) => covers(each, other));
      return covered !== undefined && splits(each.policy) && covered.cost === each.cost ? this.#leftOf(covered) : 0;
    };
    const pays = (each: Claim, place: number) => {
      const part = included(each);
      return fits[place] || (part > 0 && this.#fits({ ...each, cost: each.cost - part }));
    };
    const payer =
      denying.length === 0
        ? undefined
        : claims.find((each, place) => pays(each, place) && denying.every((other) => covers(each, other)));
    const isAdmitted = denying.length === 0 || payer !== undefined;
    const part = payer === undefined ? 0 : included(payer);
    if (!peek)
      this.paid[part > 0 ? 'split' : payer === undefined ? (isAdmitted ? 'included' : 'none') : 'credits'] += 1;
    return claims.map((each, place) => {
      const isCharged = isCovering(each) ? each === payer : payer === undefined || !covers(payer, each);
      const isShared = part > 0 && payer !== undefined && (each === payer || covers(payer, each));
      const cost = isShared ? (each === payer ? each.cost - part : part) : each.cost;
      if (!peek && isAdmitted && (isShared || (isCharged && fits[place])) && cost > 0) {
        this.#charge({ ...each, cost });
        return cost;
      }
      if (!peek) this.#redate(each);
      return 0;
    });
  }

  /** The most units that fit a rate. */
  #leftOf(each: Claim): number {
    let cost = each.cost - 1;
    while (cost > 0 && !this.#fits({ ...each, cost })) cost -= 1;
    return cost;
  }

  #fits({ key, cost }: Claim): boolean {
    if (cost === 0) return true;
    const account = this.#balances.find((each) => each.claim.key === key);
    if (account) return BigInt(cost) <= account.model.leftAt(BigInt(this.#now));
    const { model, state } = this.#rates.find((each) => each.claim.key === key)!;
    const now = this.#ticks(model);
    return BigInt(cost) <= model.capacity && model.fits(model.redated(state, now), now, BigInt(cost));
  }

  #charge({ key, cost }: Claim): void {
    const account = this.#balances.find((each) => each.claim.key === key);
    if (account) {
      this.#spent.set(key, account.model.spend(BigInt(cost), BigInt(this.#now)));
      return;
    }
    const rate = this.#rates.find((each) => each.claim.key === key)!;
    const now = this.#ticks(rate.model);
    rate.state = rate.model.charge(rate.model.redated(rate.state, now), now, BigInt(cost), '');
  }

  /** Also a denied request dates back what is ahead of the clock, and writes what has ended. */
  #redate({ key }: Claim): void {
    this.#balances.find((each) => each.claim.key === key)?.model.touch(BigInt(this.#now));
    const rate = this.#rates.find((each) => each.claim.key === key);
    if (rate?.state === undefined) return;
    const now = this.#ticks(rate.model);
    if (rate.model.isAhead(rate.state, now)) rate.state = rate.model.redated(rate.state, now);
  }

  #ticks({ tick }: Model): bigint {
    return (BigInt(this.#now) * 1_000n) / tick;
  }

  async #credit(): Promise<void> {
    const random = this.#random;
    const account = random.pick(this.#balances);
    const room = MAX_BALANCE - Number(account.model.left);
    if (random.chance(0.05)) return this.#creditMany(account);
    const units = random.chance(0.05)
      ? Math.max(1, room + random.pick([0, 1, 1]))
      : random.pick([1, 5, 50, random.magnitude(1, 2 ** 52)]);
    const debit = random.chance(0.2);
    // Some repeat.
    await this.#add(account, { units: debit ? -units : units, id: `id-${random.integer(1, IDS)}`, ...this.#terms() });
  }

  /** When units end, and the order of their grant. */
  #terms(): Pick<Credit, 'expiresAt' | 'order'> {
    const random = this.#random;
    const expiresAt = random.chance(0.4) ? 0 : this.#now + random.pick(ENDS) + random.integer(0, 2);
    if (expiresAt > 0) this.#ends.push(expiresAt);
    return { expiresAt, order: random.pick(ORDERS) };
  }

  /** More credits than an account stores, and then some of them again; or more grants than it holds. */
  async #creditMany(account: Balance): Promise<void> {
    const isOfGrants = this.#random.chance(0.5);
    for (let id = 1; id <= (isOfGrants ? 20 : IDS); id += 1) {
      this.#now += this.#random.integer(0, 1);
      const expiresAt = isOfGrants ? this.#now + HOUR + id : 0;
      await this.#add(account, { units: 1, id: `id-${isOfGrants ? `${this.#now} ${id}` : id}`, expiresAt });
    }
    this.#latest = Math.max(this.#latest, this.#now);
    for (let again = 0; again < 10; again += 1) {
      await this.#add(account, { units: 1, id: `id-${this.#random.integer(1, IDS)}` });
    }
  }

  async #add({ claim: owner, model }: Balance, added: Credit): Promise<void> {
    const credited = { ...added, tells: tellingOf(owner.policy) !== undefined };
    const reply = await this.#redis.credit(owner.key, credited, this.#now * 1e3);
    this.#forget(reply.expired);
    const after = credit(this.#account(owner), credited, this.#now);
    if (after !== undefined) this.#states.set(owner.key, after.state);
    const replied = reply.result.map((each, place) => (place === 4 && !credited.tells ? null : each));
    this.#compare({ credit: credited }, replied, repliedBy(after));
    const { units, expiresAt = 0, order = 50 } = added;
    const ends = expiresAt === 0 ? undefined : BigInt(expiresAt);
    const modelled = model.credit(BigInt(units), { order: BigInt(order), ends }, added.id, BigInt(this.#now));
    this.#compare({ credit: credited, model: true }, reply.result.slice(0, 4), modelledBy(modelled));
  }

  /** Shows all that is stored, and what it has become of all that was credited. */
  async #touch(): Promise<void> {
    const account = this.#random.pick(this.#balances);
    if (this.#random.chance(0.5)) await this.#end(account);
    else await this.#add(account, { units: 0, id: '' });
    const { model } = account;
    const sum = Object.values(model.posted).reduce((all, units) => all + units, 0n);
    this.#compare({ conserved: true }, Number(sum - model.spentInAll), Number(model.left));
  }

  /** As an hourly run does. */
  async #end({ claim: owner, model }: Balance): Promise<void> {
    const { key, policy } = owner;
    const tells = tellingOf(policy) !== undefined;
    const { result, expired } = await this.#redis.endGrants(key, tells, this.#now * 1e3);
    this.#forget(expired);
    const step = balanceActs['end-grants']!;
    const after = step(this.#states.get(key) as Account | undefined, endAct(tells).args, this.#now);
    if (after.state !== undefined) this.#states.set(key, after.state);
    this.#compare({ ends: tells }, tells ? result : result.slice(0, 2), tells ? after.reply : after.reply.slice(0, 2));
    const ended = -model.posted.expiry;
    model.touch(BigInt(this.#now));
    const modelled = [Number(model.left), Number(-model.posted.expiry - ended)];
    this.#compare({ ends: tells, model: true }, result.slice(0, 2), modelled);
  }

  async #reconcile({ claim: owner, model } = this.#random.pick(this.#balances)): Promise<void> {
    const units = this.#random.pick([0, 3, 30, 300]);
    const hour = hourOf(this.#now);
    const spent = model.hours.filter((each) => each > hour - HOURS + 8);
    const since = this.#random.pick([hour + 1, hour, hour - this.#random.integer(0, 40), ...spent.slice(-4)]);
    const reply = await this.#redis.reconcile(owner.key, { units, since }, this.#now * 1e3);
    this.#forget(reply.expired);
    const account = reconcile(this.#account(owner), { units, since }, this.#now);
    this.#states.set(owner.key, account);
    this.#compare({ reconcile: units, since }, reply.result, leftIn(account));
    const modelled = model.reconcile(BigInt(units), since, BigInt(this.#now));
    this.#compare({ reconcile: units, since, model: true }, reply.result, Number(modelled));
  }

  async #refund(): Promise<void> {
    const { receipt, spent } = this.#receipts.splice(this.#random.integer(0, this.#receipts.length), 1)[0] ?? {};
    const account = this.#balances.find((each) => each.claim.key === receipt?.key);
    if (receipt === undefined || account === undefined) return;
    const units = this.#random.integer(1, receipt.units);
    const part = { ...receipt, units };
    const reply = await this.#redis.refund([part], this.#now * 1e3);
    this.#forget(reply.expired);
    const stored = this.#states.get(receipt.key);
    const { state, given } =
      stored === undefined
        ? { state: stored, given: 0 }
        : algorithmOf(receipt.policy).refund(stored, this.#now, receipt.policy, part);
    if (given > 0) this.#states.set(receipt.key, state);
    this.#compare({ refund: units }, reply.result, [given]);
    const modelled = account.model.refund(BigInt(units), spent!, {
      charged: BigInt(receipt.at),
      now: BigInt(this.#now),
    });
    this.#compare({ refund: units, model: true }, reply.result, [Number(modelled)]);
    // It shows in which hour the refund counts.
    if (this.#random.chance(0.3)) await this.#reconcile(account);
  }

  #account({ key }: Claim): Account {
    return (this.#states.get(key) as Account | undefined) ?? EMPTY;
  }

  #forget(keys: readonly string[]): void {
    for (const key of keys) {
      this.#states.delete(key);
      this.#balances.find((each) => each.claim.key === key)?.model.forget();
      const rate = this.#rates.find((each) => each.claim.key === key);
      if (rate) rate.state = undefined;
    }
  }

  #compare(event: object, one: unknown, other: unknown): void {
    if (JSON.stringify(one) !== JSON.stringify(other)) this.differences.push({ ...event, one, other });
  }
}

/** What credit.lua replies for the same, but for marks that nobody tells. */
function repliedBy(after: CreditedState<Account> | undefined): readonly unknown[] {
  if (after === undefined) return [-1];
  const { balance: left, isNew, units = 0, rest = 0, full, low, posted, postings = [] } = after.credited;
  if (full !== undefined) return [-2, full.endsAt, full.units];
  return [left, Number(isNew), units, rest, low ?? null, ...(posted === undefined ? [] : [posted, ...postings])];
}

function modelledBy(credited: ModelCredit): readonly number[] {
  if (credited === 'too much') return [-1];
  if ('endsNext' in credited) return [-2, Number(credited.endsNext ?? 0n), Number(credited.left ?? 0n)];
  const { left, isNew, units, rest } = credited;
  return [Number(left), Number(isNew), Number(units), Number(rest)];
}
