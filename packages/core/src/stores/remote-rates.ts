import { chain } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import type { Claim } from '../model/claim.js';
import type { DenyCache } from './deny-cache.js';
import type { Answer, FallbackStore, Reception, RemoteStore, Store } from './store.js';

interface RemoteRatesContext {
  readonly store: Store & Partial<RemoteStore>;
  /** Decides when the store fails. */
  readonly fallback: Pick<FallbackStore, 'recover'>;
  /** Undefined without a deny cache. */
  readonly denials: DenyCache | undefined;
  /** Undefined where no tier has a lease. */
  readonly lease: Lease | undefined;
}

/** What `LeaseStore` does for rates. */
interface Lease {
  candidatesIn(group: readonly Claim[]): readonly Claim[] | undefined;
  serve(group: readonly Claim[], candidates: readonly Claim[]): MaybePromise<Answer>;
}

/**
 * Charges rates in another process where no tier charges denied requests: what the deny cache, the lease and the fallback do
 * for them, without a promise of each.
 */
export class RemoteRates implements Reception {
  readonly #store: Store & Partial<RemoteStore>;
  readonly #fallback: Pick<FallbackStore, 'recover'>;
  readonly #denials: DenyCache | undefined;
  readonly #lease: Lease | undefined;

  constructor({ store, fallback, denials, lease }: RemoteRatesContext) {
    this.#store = store;
    this.#fallback = fallback;
    this.#denials = denials;
    this.#lease = lease;
  }

  consume(group: readonly Claim[]): MaybePromise<Answer> {
    const denials = this.#denials;
    if (denials !== undefined && !denials.isEmpty) {
      const known = denials.answerTo(group);
      if (known !== undefined) return known;
    }
    const candidates = this.#lease?.candidatesIn(group);
    if (candidates !== undefined) {
      return chain(this.#lease!.serve(group, candidates), (answer) => this.onAnswer(group, answer));
    }
    const store = this.#store;
    if (store.decide !== undefined) return store.decide(group, this);
    const outage = store.outageOf?.(group);
    if (outage !== undefined) return this.onError(group, outage);
    const onError = (error: unknown) => this.onError(group, error);
    try {
      return chain(store.consume(group), (answer) => this.onAnswer(group, answer), onError);
    } catch (error) {
      return onError(error);
    }
  }

  onAnswer(group: readonly Claim[], answer: Answer): Answer {
    this.#denials?.remember(group, answer);
    return answer;
  }

  onError(group: readonly Claim[], error: unknown): MaybePromise<Answer> {
    return this.#fallback.recover(error, group);
  }
}
