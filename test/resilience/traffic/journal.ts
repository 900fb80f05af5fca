import { subscribe, type SluiceEvents } from '../../../packages/core/src/events/events.js';
import { IDENTITY } from './traffic.js';

/** An error reply: Redis refused, and counted nothing. */
const REFUSED = /^[A-Z]{2,} /;

/** Errors of a server or process that was too busy. */
const TOO_SLOW = /within [\d.]+ ms$|circuit breaker open/;

/** Collects events until `stop`. */
export class Journal {
  readonly breaker: SluiceEvents['sluice:breaker'][] = [];
  readonly configFaults: SluiceEvents['sluice:config-fault'][] = [];
  readonly calls = { answered: 0, failed: 0, late: 0 };
  lateReplies = 0;
  /** Requests that were decided without Redis for another reason than a slow Redis. */
  degraded = 0;
  /** Requests without a reply. Redis may have counted each once. */
  unsure = 0;
  /** Events that contain an identity. */
  readonly leaks: string[] = [];
  readonly #ends: (() => void)[];

  constructor() {
    this.#ends = [
      this.#on('sluice:decision', () => undefined),
      this.#on('sluice:store-call', (event) => this.#noteCall(event)),
      this.#on('sluice:breaker', (event) => void this.breaker.push(event)),
      this.#on('sluice:late-reply', () => void (this.lateReplies += 1)),
      this.#on('sluice:degraded', ({ message }) => void (this.degraded += TOO_SLOW.test(message) ? 0 : 1)),
      this.#on('sluice:config-fault', (event) => void this.configFaults.push(event)),
    ];
  }

  get openings(): number {
    return this.breaker.filter(({ state }) => state === 'open').length;
  }

  /** Openings of the breaker for another reason than a slow Redis. */
  get openingsByError(): number {
    return this.breaker.filter(({ state, problem = '' }) => state === 'open' && !TOO_SLOW.test(problem)).length;
  }

  stop(): void {
    for (const end of this.#ends) end();
  }

  #on<Name extends keyof SluiceEvents>(name: Name, note: (event: SluiceEvents[Name]) => void): () => void {
    return subscribe(name, (event) => {
      const text = JSON.stringify(event);
      if (text.includes(IDENTITY)) this.leaks.push(text);
      note(event);
    });
  }

  #noteCall({ outcome, groups, problem = '' }: SluiceEvents['sluice:store-call']): void {
    this.calls[outcome] += 1;
    const mayHaveRun = outcome === 'late' || (outcome === 'failed' && !REFUSED.test(problem));
    if (mayHaveRun) this.unsure += groups;
  }
}
