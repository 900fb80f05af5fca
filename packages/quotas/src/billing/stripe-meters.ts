import { type BillingAnswer, refusal } from './request.js';

/** A meter of Stripe, as far as it matters here. */
interface Meter {
  readonly id: string;
  readonly event_name: string;
  readonly event_time_window: string | null;
  readonly default_aggregation: { readonly formula: string };
}

interface Page {
  readonly data: readonly Meter[];
  readonly has_more: boolean;
}

type Get = (path: string) => Promise<BillingAnswer>;

/**
 * The active meters of an account. Only a meter that is pre-aggregated by hours and sums them may get rows: any other meter
 * would add each revision of an hour to the ones before.
 */
export class StripeMeters {
  readonly #right = new Set<string>();
  /** A request that is on its way. */
  #reading: Promise<readonly Meter[] | string> | undefined;

  /** Why a meter cannot get rows. Undefined if it can, which is asked once. */
  async problemOf(eventName: string, get: Get): Promise<string | undefined> {
    if (this.#right.has(eventName)) return undefined;
    this.#reading ??= allMeters(get).finally(() => (this.#reading = undefined));
    const meters = await this.#reading;
    if (typeof meters === 'string') return meters;
    const meter = meters.find((each) => each.event_name === eventName);
    const problem = problemOf(eventName, meter);
    if (problem === undefined) this.#right.add(eventName);
    return problem;
  }
}

/** All active meters, or why they cannot be read. */
async function allMeters(get: Get): Promise<readonly Meter[] | string> {
  const meters: Meter[] = [];
  let after = '';
  for (;;) {
    const answer = await get(`/v1/billing/meters?status=active&limit=100${after}`);
    if (answer.status !== 200) {
      const hint = answer.status === 403 ? ' The key needs the right to read meters.' : '';
      return refusal('Stripe', answer) + hint;
    }
    const { data, has_more: hasMore } = JSON.parse(answer.body) as Page;
    meters.push(...data);
    if (!hasMore || data.length === 0) return meters;
    after = `&starting_after=${encodeURIComponent(data.at(-1)!.id)}`;
  }
}

function problemOf(eventName: string, meter: Meter | undefined): string | undefined {
  const remedy = 'create one with event_time_window=hour and default_aggregation[formula]=sum';
  if (meter === undefined) return `Stripe has no active meter with the event name ${eventName}: ${remedy}`;
  const { event_time_window: window, default_aggregation: aggregation } = meter;
  if (window === 'hour' && aggregation.formula === 'sum') return undefined;
  const wrong = window === 'hour' ? `has the formula ${aggregation.formula}` : 'is not pre-aggregated by hours';
  return `the meter ${eventName} ${wrong}, so that its bill would be wrong: ${remedy}`;
}
