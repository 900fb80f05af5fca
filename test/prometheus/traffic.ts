import { setTimeout as delay } from 'node:timers/promises';
import { Api } from '../examples/api.js';

/** Between an answer and the next request: a login takes 50 ms of CPU, on the machine that Prometheus runs on. */
const PAUSE_MS = 300;

/** Visitors of an example, with a count of what they have seen. */
export class Traffic {
  /** Answers by status. */
  readonly seen = new Map<number, number>();
  readonly #api: Api;
  #goesOn = true;
  readonly #visits: Promise<void>[];

  /** Starts visitors of all routes with a limit, which send a request soon after each answer. */
  constructor(url: string) {
    this.#api = new Api({ url });
    const key = { 'x-api-key': 'free-key' };
    this.#visits = [
      () => this.#api.get('/public'),
      () => this.#api.get('/search'),
      () => this.#api.get('/items', key),
      () => this.#api.login('ada', 'lovelace'),
      () => this.#api.login('eve', 'guess'),
      () => this.#api.get('/report'),
      () => this.#api.get('/report'),
    ].map((send) => this.#visit(send));
  }

  get answers(): number {
    return [...this.seen.values()].reduce((sum, each) => sum + each, 0);
  }

  /** Resolves when all requests have been answered. */
  async stop(): Promise<void> {
    this.#goesOn = false;
    await Promise.all(this.#visits);
  }

  async #visit(send: () => Promise<Response>): Promise<void> {
    while (this.#goesOn) {
      const response = await send();
      await response.arrayBuffer();
      this.seen.set(response.status, (this.seen.get(response.status) ?? 0) + 1);
      await delay(PAUSE_MS);
    }
  }
}
