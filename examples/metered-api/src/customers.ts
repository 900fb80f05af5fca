import type { Tier } from '@sluice/express';
import { balance, notices, usage } from '@sluice/quotas';

export interface Customer {
  readonly id: string;
  readonly plan: 'free' | 'pro';
  /** Its month begins at midnight there. */
  readonly timeZone: string;
  /** The first day of its month. */
  readonly billingDay: number;
}

const UNITS = { free: 20, pro: 100_000 };

/** By API key. */
export const customers: ReadonlyMap<string, Customer> = new Map([
  ['free-key', { id: 'ada', plan: 'free', timeZone: 'Europe/Berlin', billingDay: 1 }],
  ['pro-key', { id: 'acme', plan: 'pro', timeZone: 'America/New_York', billingDay: 15 }],
]);

export const customersById: ReadonlyMap<string, Customer> = new Map(
  [...customers.values()].map((customer) => [customer.id, customer]),
);

/** A month in another time zone is another count, so that its tier has another name. */
export const monthOf = ({ timeZone }: Customer) => `month in ${timeZone}`;

// Tiers of one name share their functions.
const id = (customer: Customer) => customer.id;
const billingDay = (customer: Customer) => customer.billingDay;

export const CREDITS = 'credits';

const plans = new Map<string, readonly Tier<Customer>[]>();

/** The tiers of a plan in a time zone: one array for all of its customers. */
export function tiersOf(customer: Customer): readonly Tier<Customer>[] {
  const { plan, timeZone } = customer;
  const name = `${plan} ${timeZone}`;
  const known = plans.get(name);
  if (known !== undefined) return known;
  const tiers: readonly Tier<Customer>[] = [
    {
      name: monthOf(customer),
      key: id,
      label: id,
      algorithm: 'fixed-window',
      limit: UNITS[plan],
      period: 'month',
      timeZone,
      startsOn: billingDay,
      notices: notices(0.75, 0.9, 1),
      usage: usage(),
    },
    // Pays in the place of the month that is used up.
    { name: CREDITS, key: id, label: id, algorithm: balance({ covers: [monthOf(customer)] }), usage: usage() },
    { name: 'second', key: id, limit: 50, window: '1s' },
  ];
  plans.set(name, tiers);
  return tiers;
}

/** All plans, so that operators and the export know their tiers before a request has used them. */
export const allPlans = [...customers.values()].map(tiersOf);
