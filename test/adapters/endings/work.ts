import { byIp, createLimiter, memoryStore, type HttpRequest, type Limiter } from '@sluice/http';
import { until } from '../../support/until.js';

export const LIMIT = 3;

/** A limiter of three requests in flight, and handlers that work until they are ended, whatever their clients do. */
export class Work {
  readonly limiter: Limiter<HttpRequest>;
  /** Requests that the limiter has decided. */
  arrived = 0;
  /** The most handlers that worked at the same time. */
  most = 0;
  #atWork = 0;
  #ends: (() => void)[] = [];

  constructor() {
    const ofAddress = byIp();
    const key = (request: HttpRequest) => {
      this.arrived += 1;
      return ofAddress(request);
    };
    const tier = { name: 'running', key, algorithm: 'concurrency', limit: LIMIT } as const;
    this.limiter = createLimiter<HttpRequest>({ store: memoryStore(), tiers: [tier] });
  }

  async handle(): Promise<void> {
    this.#atWork += 1;
    this.most = Math.max(this.most, this.#atWork);
    await new Promise<void>((resolve) => this.#ends.push(resolve));
    this.#atWork -= 1;
  }

  async held(): Promise<number> {
    const [inspection] = await this.limiter.inspect({ ip: '127.0.0.1' });
    return LIMIT - inspection!.outcome.remaining;
  }

  /** Ends the handlers at work, also those that begin meanwhile, until nothing is held. */
  async end(): Promise<void> {
    await until(async () => {
      for (const end of this.#ends.splice(0)) end();
      return (await this.held()) === 0;
    });
  }
}
