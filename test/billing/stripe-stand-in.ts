import { type Reply, StandIn, type StandInRequest } from './stand-in.js';

export interface StandInMeter {
  readonly event_name: string;
  /** `null`: each event counts. */
  readonly event_time_window: 'hour' | 'day' | null;
  readonly default_aggregation: { readonly formula: 'sum' | 'count' | 'last' };
}

interface StandInEvent {
  readonly meter: string;
  readonly customer: string;
  readonly timestamp: number;
  readonly value: number;
}

const DAY = 86_400_000;
const HOUR = 3_600;

/**
 * Answers as Stripe does to meter events: an identifier counts once in 24 hours, an event is at most 35 days old, and of an
 * hour of a meter that is pre-aggregated by hours the last event counts. Stripe finds some of these faults only after its
 * answer; here each is refused with it.
 */
export class StripeStandIn extends StandIn {
  readonly key = 'rk_test_of_the_stand_in';
  readonly customers = new Set<string>();
  readonly meters = new Map<string, StandInMeter>();
  /** Milliseconds since 1970. */
  clock: () => number;
  readonly #events: StandInEvent[] = [];
  readonly #identifiers = new Map<string, number>();

  constructor(clock: () => number) {
    super((request) => this.#serve(request), {
      ...invalid('Request rate limit exceeded.', 429, 'rate_limit_error'),
      headers: { 'retry-after': '2' },
    });
    this.clock = clock;
  }

  addMeter(event_name: string, event_time_window: StandInMeter['event_time_window'] = 'hour', formula = 'sum'): void {
    this.meters.set(event_name, { event_name, event_time_window, default_aggregation: { formula } } as StandInMeter);
  }

  /** What an invoice would have, over all time. */
  unitsOf(customer: string, meter: string): number {
    const own = this.#events.filter((event) => event.customer === customer && event.meter === meter);
    if (this.meters.get(meter)!.event_time_window === null) return sum(own);
    return sum([...new Map(own.map((event) => [Math.floor(event.timestamp / HOUR), event])).values()]);
  }

  #serve({ method, path, headers, body }: StandInRequest): Reply {
    if (headers.authorization !== `Bearer ${this.key}`)
      return invalid(`Invalid API Key provided: ${headers.authorization}`, 401);
    if (method === 'GET' && path.startsWith('/v1/billing/meters?'))
      return { status: 200, body: { object: 'list', data: [...this.meters.values()], has_more: false } };
    if (method !== 'POST' || path !== '/v1/billing/meter_events')
      return invalid(`Unrecognized request URL (${method}: ${path}).`, 404);
    if (headers['content-type'] !== 'application/x-www-form-urlencoded') return invalid('Invalid request body.');
    return this.#take(new URLSearchParams(body));
  }

  #take(form: URLSearchParams): Reply {
    const [meter, identifier] = [form.get('event_name') ?? '', form.get('identifier') ?? ''];
    const [customer, value] = [form.get('payload[stripe_customer_id]') ?? '', form.get('payload[value]') ?? ''];
    const timestamp = Number(form.get('timestamp'));
    const now = this.clock();
    if (meter === '' || meter.length > 100) return invalid('Invalid string: event_name');
    if (!this.meters.has(meter)) return invalid(`No active meter found with event name ${meter}.`);
    if (!this.customers.has(customer)) return invalid(`No such customer: '${customer}'`);
    if (!/^-?\d{1,15}$/.test(value)) return invalid(`Invalid value: ${value}`);
    if (!Number.isInteger(timestamp)) return invalid(`Invalid integer: ${form.get('timestamp')}`);
    if (timestamp * 1e3 < now - 35 * DAY) return invalid('The timestamp must be within the past 35 calendar days.');
    if (timestamp * 1e3 > now + 300_000) return invalid('The timestamp must be at most 5 minutes in the future.');
    if (identifier === '' || identifier.length > 100) return invalid('Invalid string: identifier');
    if (now - (this.#identifiers.get(identifier) ?? -DAY) < DAY)
      return invalid(`An event already exists with identifier ${identifier}.`);
    this.#identifiers.set(identifier, now);
    this.#events.push({ meter, customer, timestamp, value: Number(value) });
    return { status: 200, body: { object: 'billing.meter_event', event_name: meter, identifier, timestamp } };
  }
}

function invalid(message: string, status = 400, type = 'invalid_request_error'): Reply {
  return { status, body: { error: { message, type } } };
}

function sum(events: readonly StandInEvent[]): number {
  return events.reduce((total, { value }) => total + value, 0);
}
