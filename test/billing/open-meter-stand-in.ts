import { type Reply, StandIn, type StandInRequest } from './stand-in.js';

interface CloudEvent {
  readonly specversion: string;
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly data: { readonly units: unknown };
}

/**
 * Answers as OpenMeter does to events: an id of a source counts once in 32 days, and a meter with the aggregation SUM adds the
 * numbers at `$.units`. It takes an event whose value is no number, and does not count it.
 */
export class OpenMeterStandIn extends StandIn {
  readonly token = 'om_test_of_the_stand_in';
  readonly events: CloudEvent[] = [];
  readonly #ids = new Set<string>();

  constructor() {
    super((request) => this.#serve(request), problem(429, 'Too many requests'));
  }

  unitsOf(subject: string, type: string): number {
    const own = this.events.filter((event) => event.subject === subject && event.type === type);
    // A value is a number, or a text of one.
    const values = own.map(({ data: { units } }) => (typeof units === 'string' ? Number.parseFloat(units) : units));
    return values.reduce<number>((sum, value) => sum + (Number.isFinite(value) ? (value as number) : 0), 0);
  }

  #serve({ method, path, headers, body }: StandInRequest): Reply {
    if (headers.authorization !== `Bearer ${this.token}`) return problem(401, `Unknown token ${headers.authorization}`);
    if (method !== 'POST' || path !== '/api/v1/events') return problem(404, 'Not found');
    if (headers['content-type'] !== 'application/cloudevents-batch+json') return problem(400, 'invalid content type');
    const events = eventsIn(body);
    if (events === undefined) return problem(400, 'invalid JSON');
    const wrong = events.find(
      ({ specversion, time, ...event }) =>
        specversion !== '1.0' ||
        !TIME.test(time) ||
        ['id', 'source', 'type', 'subject'].some((name) => !event[name as 'id']),
    );
    if (wrong !== undefined || events.length === 0) return problem(400, `invalid event: ${JSON.stringify(wrong)}`);
    for (const event of events) {
      const id = JSON.stringify([event.source, event.id]);
      if (!this.#ids.has(id)) this.events.push(event);
      this.#ids.add(id);
    }
    return { status: 204 };
  }
}

/** Of RFC 3339. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function eventsIn(body: string): readonly CloudEvent[] | undefined {
  try {
    const events: unknown = JSON.parse(body);
    return Array.isArray(events) ? (events as readonly CloudEvent[]) : undefined;
  } catch {
    return undefined;
  }
}

function problem(status: number, detail: string): Reply {
  return { status, body: { type: 'about:blank', title: 'Error', status, detail } };
}
