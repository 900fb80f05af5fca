import { createLimiter, type Decision, type Limiter, type Store, type Tier } from '@sluice/core';
import { balance, creditsOf, usage, usageOf } from '@sluice/quotas';
import { digestOf, identityText } from '../../../packages/core/src/limiter/keys/store-keys.js';
import { HOUR_MS } from '../../../packages/core/src/model/usage.js';
import type { Place } from '../places.js';
import { isBalanceOptions } from '../quota.js';
import type { BillKind, Customer } from './bill-kinds.js';
import type { Owner, Units } from './billed.js';

const TIER = 'billed';
const CREDITS = 'credits';

/** A request that was admitted, and not corrected. */
interface Kept {
  readonly limiter: Limiter<Customer>;
  readonly decision: Decision;
  readonly customer: Customer;
  readonly owner: Owner;
  readonly hour: number;
}

/** The limiters of one kind of tier, and what its customers have to pay for, as their requests know it. */
export class BillWorld {
  readonly prefix: string;
  /** What each customer has kept, by the number of the hour. */
  readonly kept = new Map<Owner, Map<number, number>>();
  readonly #kind: BillKind;
  readonly #place: Place;
  readonly #owners = new Map<string, Owner>();
  readonly #open: Kept[] = [];
  readonly #funded = new Set<string>();
  #limiter: Limiter<Customer>;
  #shape = 0;
  #store: Store;

  constructor(kind: BillKind, place: Place, prefix: string) {
    this.#kind = kind;
    this.#place = place;
    this.prefix = prefix;
    this.#store = place.newStore();
    this.#limiter = this.#create();
  }

  async ask(user: number, cost: number): Promise<void> {
    const customer = this.#customer(user, cost);
    await this.#fund(customer);
    const limiter = this.#limiter;
    const decision = await limiter.consume(customer);
    // A tier in shadow is charged where its limit allows it.
    const outcome = decision.outcomes.find(({ tier }) => tier === this.#name);
    if (!decision.allowed || (outcome?.shadow === true && !outcome.allowed)) return;
    const owner = this.#ownerOf(customer, decision.paidBy ?? this.#name);
    this.#count(owner, this.#hour, cost);
    this.#open.push({ limiter, decision, customer, owner, hour: this.#hour });
  }

  /** @param units what the request costs in the end. Undefined: it is refunded */
  async correct(which: number, units: number | undefined): Promise<void> {
    if (this.#open.length === 0) return;
    const [kept] = this.#open.splice(which % this.#open.length, 1);
    const { limiter, decision, owner, hour, customer } = kept!;
    const { cost } = customer;
    // A balance pays no later part of a request.
    const target = Math.min(units ?? 0, this.#kind.credits === undefined ? Infinity : cost);
    if (units === undefined) await limiter.refund(decision);
    const added = units === undefined ? 0 : await limiter.settle(decision, { [owner.tier]: target });
    if (target < cost) this.#count(owner, hour, target - cost);
    else this.#count(owner, this.#hour, added);
  }

  /** Puts the tier into another shape, as a new release of the application does. The requests of the old one may end later. */
  async reshape(to: number): Promise<void> {
    const store = this.#place.newStore();
    // One process has one tier of a name.
    if (store === this.#store) await this.#limiter.close();
    this.#store = store;
    this.#shape = to % this.#kind.shapes.length;
    this.#limiter = this.#create();
  }

  /** What the tiers of the moment have counted of a customer, by hours. */
  async read(user: number): Promise<Units> {
    const customer = this.#customer(user, 0);
    const counted: Record<string, number> = {};
    for (const { tier, hours } of await usageOf(this.#limiter).read(customer)) {
      for (const { from, units } of hours) counted[`${tier} ${from / HOUR_MS}`] = units;
    }
    return counted;
  }

  /** What `read` should answer. */
  expected(user: number): Units {
    const customer = this.#customer(user, 0);
    const counted: Record<string, number> = {};
    for (const tier of [this.#name, CREDITS]) {
      for (const [hour, units] of this.kept.get(this.#ownerOf(customer, tier)) ?? []) {
        if (units !== 0) counted[`${tier} ${hour}`] = units;
      }
    }
    return counted;
  }

  get #hour(): number {
    return Math.floor(this.#place.clock() / HOUR_MS);
  }

  get #name(): string {
    return this.#kind.shapes[this.#shape]!.name ?? TIER;
  }

  #create(): Limiter<Customer> {
    const { shapes, partitioned, labelled, credits, plans } = this.#kind;
    const shape = shapes[this.#shape]!;
    const own = {
      key: ({ user }: Customer) => user,
      cost: ({ cost }: Customer) => cost,
      usage: usage(),
      ...(labelled && { label: labelOf }),
    };
    const tier = { name: TIER, ...own, ...shape } as Tier<Customer>;
    const isBalance = isBalanceOptions(shape);
    const payer = { name: CREDITS, ...own, algorithm: balance({ covers: [tier.name!] }) } as Tier<Customer>;
    const tiers = credits === undefined || isBalance ? [tier] : [tier, payer];
    return createLimiter<Customer>({
      store: this.#store,
      prefix: this.prefix,
      tiers: plans ? () => tiers : tiers,
      ...(partitioned && { partition: ({ organization }: Customer) => organization }),
    });
  }

  async #fund(customer: Customer): Promise<void> {
    const { credits, shapes } = this.#kind;
    const id = `${customer.organization} ${customer.user}`;
    if (credits === undefined || this.#funded.has(id)) return;
    this.#funded.add(id);
    const tier = isBalanceOptions(shapes[0]!) ? TIER : CREDITS;
    await creditsOf(this.#limiter).credit(customer, credits, { id, tier });
  }

  #count(owner: Owner, hour: number, units: number): void {
    const hours = this.kept.get(owner) ?? new Map<number, number>();
    this.kept.set(owner, hours.set(hour, (hours.get(hour) ?? 0) + units));
  }

  /** One object for each. */
  #ownerOf(customer: Customer, tier: string): Owner {
    const { partitioned, labelled } = this.#kind;
    const owner = {
      tier,
      partition: partitioned && digestOf(identityText(customer.organization)),
      digest: digestOf(identityText(customer.user)),
      label: labelled && labelOf(customer),
    };
    const name = JSON.stringify(owner);
    const known = this.#owners.get(name) ?? owner;
    this.#owners.set(name, known);
    return known;
  }

  /** Customers of one name, where they are partitioned. */
  #customer(user: number, cost: number): Customer {
    const name = this.#kind.partitioned ? 'root' : `user ${user}`;
    return { user: name, organization: `organization ${user}`, cost };
  }
}

function labelOf({ user, organization }: Customer): string {
  return `${user} of ${organization}`;
}
