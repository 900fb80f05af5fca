import { ConfigError, createLimiter, type Limiter } from '@sluice/core';
import { show, type SharedLimiterOptions } from '@sluice/core/adapter';
import { placedIn, type PolicyDocument } from './document/read-document.js';

/** The limiters of a process whose tiers a document has. */
export class LiveLimiters<S> {
  #document: PolicyDocument<S>;
  readonly #limiters = new Map<string, Limiter<S>>();

  constructor(document: PolicyDocument<S>) {
    this.#document = document;
  }

  get document(): PolicyDocument<S> {
    return this.#document;
  }

  /** @throws ConfigError */
  create(name: string, options: SharedLimiterOptions<S>): Limiter<S> {
    const tiers = this.#document.limiters.get(name);
    if (tiers === undefined) {
      const names = [...this.#document.limiters.keys()].join(', ');
      throw invalid(name, `must be a limiter of ${this.#document.source.name}: it has ${names}, got ${show(name)}`);
    }
    if (this.#limiters.has(name))
      throw invalid(name, `must be asked for once, because its budgets are one: pass it on`);
    const limiter = createLimiter<S>({ ...options, tiers });
    this.#limiters.set(name, limiter);
    return limiter;
  }

  /** Puts a document in force on all limiters in one turn, or on none. @throws ConfigError with the place in the document */
  replace(document: PolicyDocument<S>): void {
    const prepared = [...this.#limiters].map(([name, limiter]) => {
      const tiers = document.limiters.get(name);
      if (tiers === undefined) {
        throw document.source.fail(['limiters'], `policies: limiters must have "${name}", which this process uses`);
      }
      try {
        return limiter.prepare(tiers);
      } catch (cause) {
        if (!(cause instanceof ConfigError)) throw cause;
        throw placedIn([...document.entries.values()], cause);
      }
    });
    for (const each of prepared) each.commit();
    this.#document = document;
  }
}

function invalid(name: unknown, rule: string): ConfigError {
  return new ConfigError('OPTION_INVALID', 'name', name, `policies.limiter: name ${rule}`);
}
