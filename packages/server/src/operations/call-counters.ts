import { Counter, type Registry } from 'prom-client';

/** Counts the calls of the service: limits have metrics of their own. */
export class CallCounters {
  readonly #calls: Counter<'protocol' | 'result'>;

  constructor(registry: Registry) {
    this.#calls = new Counter({
      name: 'sluice_server_calls_total',
      help: 'Calls of the rate-limit service, by protocol and result.',
      labelNames: ['protocol', 'result'],
      registers: [registry],
    });
  }

  /** @param result `ok`, `over_limit`, or the number of an error */
  count(protocol: 'grpc' | 'http', result: string): void {
    this.#calls.inc({ protocol, result });
  }
}
