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
    return own.reduce((sum, { data: { units } }) => sum + (typeof units === 'number' ? units : 0), 0);
  }

  #serve({ method, path, headers, body }: StandInRequest): Reply {
    if (headers.authorization !== `Bearer ${this.token}`) return problem(401, `Unknown token ${headers.authorization}`);
    if (method !== 'POST' || path !== '/api/v1/events') return problem(404, 'Not found');
    if (headers['content-type'] !== 'application/cloudevents-batch+json') return problem(400, 'invalid content type');
    const events = JSON.parse(body) as readonly CloudEvent[];
    const wrong = events.find(
      ({ specversion, ...event }) =>
        specversion !== '1.0' || ['id', 'source', 'type', 'subject'].some((name) => !event[name as 'id']),
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

function problem(status: number, detail: string): Reply {
  return { status, body: { type: 'about:blank', title: 'Error', status, detail } };
}
