import type { MaybePromise } from '@sluice/core/internal';
import type { KeptRow, KeptRows } from '../usage/kept-rows.js';
import type { UsageRow } from '../usage/usage-row.js';
import type { BillingTime } from './billing-time.js';
import type { HourOwners } from './hour-owners.js';
import { messageOf } from '../usage/message-of.js';
import { type BillingAnswer, errorOf, refusal, send } from './request.js';
import type { StripeMeters } from './stripe-meters.js';
import { urlOf } from './url-row.js';

/** Stripe refuses older events. */
const OLDEST_MS = 35 * 24 * 3_600_000;
/** The lock of the export lasts a minute. Events that are sent later could replace those of the next holder. */
const BATCH_MS = 40_000;
/** Requests at the same time. */
const REQUESTS = 8;
/** Failures in a row after which the rest of a batch is not tried. */
const FAILURES = 10;
/** What Stripe answers to an identifier that it has had within 24 hours. It has no code. */
const IS_KNOWN = /^An event already exists with identifier/;

/** What sinks of an account have in common. */
export interface StripeAccount {
  readonly key: string;
  readonly url: string;
  readonly meterOf: (row: UsageRow) => string | undefined;
  readonly customer: (row: UsageRow) => MaybePromise<string | undefined>;
  /** Of all rows that share the hour. Undefined: no rows do. */
  readonly units: ((row: UsageRow) => MaybePromise<number>) | undefined;
  readonly meters: StripeMeters;
  readonly owners: HourOwners;
}

interface BatchContext {
  readonly time: BillingTime;
  readonly signal: AbortSignal;
}

/** One batch of rows on its way to Stripe, which takes one event a request. */
export class StripeBatch {
  readonly #account: StripeAccount;
  readonly #context: BatchContext;
  readonly #kept: KeptRow[] = [];
  readonly #end: number;
  /** Why no more rows are sent. */
  #stopped: string | undefined;
  #failures = 0;
  /** Of meters, as this batch has learnt them. */
  readonly #problems = new Map<string, Promise<string | undefined>>();

  constructor(account: StripeAccount, context: BatchContext) {
    this.#account = account;
    this.#context = context;
    this.#end = context.time.now() + BATCH_MS;
  }

  async send(rows: readonly UsageRow[]): Promise<KeptRows> {
    const waiting = rows.values();
    const work = async () => {
      for (const row of waiting) {
        const reason = await this.#sendRow(row).catch(messageOf);
        if (reason !== undefined) this.#kept.push({ id: row.id, reason });
      }
    };
    await Promise.all(Array.from({ length: REQUESTS }, work));
    return { kept: this.#kept };
  }

  /** Why a row stays due. Undefined if Stripe has it, or does not bill it. */
  async #sendRow(row: UsageRow): Promise<string | undefined> {
    const { meterOf, customer, owners, units: unitsOf } = this.#account;
    const meter = meterOf(row);
    if (meter === undefined) return undefined;
    // The last second of the hour, because a subscription may begin within the hour with its first request.
    const timestamp = row.to / 1e3 - 1;
    if (this.#context.time.now() - timestamp * 1e3 > OLDEST_MS)
      return 'Stripe takes no event that is older than 35 days: bill it by an invoice item';
    const id = await customer(row);
    if (id === undefined) return 'no customer of Stripe is known for it yet';
    if (this.#stopped !== undefined) return this.#stopped;
    const problem = await this.#problemOf(meter);
    if (problem !== undefined) return problem;
    if (unitsOf === undefined && !owners.take(`${meter} ${id} ${row.from}`, row.id)) return shared(meter, id);
    const units = await (unitsOf ?? unitsOfRow)(row);
    return this.#post({
      event_name: meter,
      timestamp: String(timestamp),
      'payload[stripe_customer_id]': id,
      'payload[value]': String(units),
      // Other units of an hour are another event, also where they come again within the export.
      identifier: `${row.id}-${row.revision}-${units}`,
    });
  }

  #problemOf(meter: string): Promise<string | undefined> {
    const known = this.#problems.get(meter);
    const problem = known ?? this.#account.meters.problemOf(meter, (path) => this.#request('GET', path));
    this.#problems.set(meter, problem);
    return problem;
  }

  async #post(event: Record<string, string>): Promise<string | undefined> {
    const { time, signal } = this.#context;
    const body = new URLSearchParams(event).toString();
    for (;;) {
      if (this.#stopped === undefined && time.now() >= this.#end) this.#stopped = 'the batch has taken 40 s';
      if (this.#stopped !== undefined) return this.#stopped;
      const answer = await this.#request('POST', '/v1/billing/meter_events', body);
      if (answer.status !== 429) return this.#read(answer);
      const wait = (answer.retryAfter ?? 1) * 1e3;
      if (time.now() + wait >= this.#end) this.#stopped = refusal('Stripe', answer);
      else await time.wait(wait, signal);
    }
  }

  #read(answer: BillingAnswer): string | undefined {
    const { status } = answer;
    if (status === 200 || (status === 400 && IS_KNOWN.test(errorOf(answer)))) {
      this.#failures = 0;
      return undefined;
    }
    const reason = refusal('Stripe', answer);
    const isFailure = status === 0 || status >= 500;
    if (isFailure) this.#failures += 1;
    // A key that Stripe refuses once, it refuses for each row.
    if (status === 401 || status === 403 || this.#failures >= FAILURES) this.#stopped = reason;
    return reason;
  }

  #request(method: 'GET' | 'POST', path: string, body?: string): Promise<BillingAnswer> {
    const { key, url } = this.#account;
    const content = body !== undefined && {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    return send({ url: urlOf(url, path), method, key, signal: this.#context.signal, ...content });
  }
}

function unitsOfRow({ units }: UsageRow): number {
  return units;
}

function shared(meter: string, customer: string): string {
  return `another row has this hour of ${customer} on the meter ${meter}, where the last event replaces the others: give each tier a meter of its own, or add up the rows of a customer in the option units`;
}
