import { type MaybePromise, type OptionRows, readOptions } from '@sluice/core/internal';
import type { BillingSink, UsageRow } from '../usage/usage-row.js';
import { type BillingTime, realTime } from './billing-time.js';
import { HourOwners } from './hour-owners.js';
import { URL_ROW } from './url-row.js';
import { StripeBatch } from './stripe-batch.js';
import { StripeMeters } from './stripe-meters.js';

export interface StripeMeterOptions {
  /** A restricted key with the rights to write meter events and to read meters. */
  readonly key: string;
  /** The event name of the meter, or a function of the row. A row for which it returns undefined is not sent. */
  readonly meter: string | ((row: UsageRow) => string | undefined);
  /** The id of the customer at Stripe, `cus_…`. A row for which it returns undefined stays due. */
  readonly customer: (row: UsageRow) => MaybePromise<string | undefined>;
  /**
   * The units of the customer on the meter in the hour of a row, where several rows share it: a sum over your ledger, which
   * has the rows of this call already. @default the units of the row
   */
  readonly units?: (row: UsageRow) => MaybePromise<number>;
  /** @default 'https://api.stripe.com' */
  readonly url?: string;
}

export const STRIPE_ROWS = {
  key: { is: /^\S+$/, words: 'a key of Stripe, such as process.env.STRIPE_KEY', required: true, secret: true },
  meter: {
    is: /^.{1,100}$/,
    orFunction: true,
    words: 'the event name of a meter, or a function of a row',
    required: true,
  },
  customer: {
    is: 'function',
    words: 'a function of a row, such as ({ label }) => stripeIds.get(label)',
    required: true,
  },
  units: { is: 'function', words: 'a function of a row, such as (row) => table.unitsOf(row)' },
  url: { ...URL_ROW, otherwise: 'https://api.stripe.com' },
} as const satisfies OptionRows;

/**
 * A sink that sends each hour to a meter of Stripe: whole sums, to a meter that is pre-aggregated by hours, where a later
 * event of the hour replaces the one before. So rows may come again.
 *
 * @throws ConfigError
 * @example
 * const sink = stripeMeter({ key: process.env.STRIPE_KEY, meter: 'requests', customer: ({ label }) => stripeIds.get(label) });
 * exportUsage(store, { sink });
 */
export function stripeMeter(options: StripeMeterOptions): BillingSink {
  return stripeSink(options, realTime);
}

/** @param time of tests */
export function stripeSink(options: StripeMeterOptions, time: BillingTime): BillingSink {
  const { key, url } = readOptions('stripeMeter', options, STRIPE_ROWS) as Required<StripeMeterOptions>;
  const { meter, customer, units } = options;
  const meterOf = typeof meter === 'function' ? meter : () => meter;
  const account = { key, url, meterOf, customer, units, meters: new StripeMeters(), owners: new HourOwners() };
  return (rows, { signal }) => new StripeBatch(account, { time, signal }).send(rows);
}
