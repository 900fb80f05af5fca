import { type Key, type MaybePromise, warn } from '@sluice/core/internal';
import { decidedVisitOf, type Visit } from '../visits/visit.js';
import { afterResponse, visitsUntil } from '../visits/visits.js';

/** The first requests without an identity are checked. */
const MAX_CHECKED = 1_000;
/** More than one, because a login has no identity before its handler, and one after it. A denial ends the count. */
const MAX_LATE = 5;

/** Where an identity comes from: what other code of the application has found out about a subject. */
export interface IdentitySource<S, T> {
  /** The first words of warnings: `by('user')`. */
  readonly owner: string;
  /** Of its identities. */
  readonly kind: string;
  readonly read: (subject: S) => MaybePromise<T>;
  readonly identityOf: (value: T) => Key | undefined;
  /** What happens without an identity, for the warning. @default `otherwise` identifies all clients */
  readonly instead?: string;
}

/**
 * Warns of an identity that no request has at its limit, and that requests have when their response is sent: the code
 * that finds it out runs too late. A client without an identity never has one, so anonymous requests give no warning.
 */
export class LateIdentityCheck<S, T> {
  readonly #source: IdentitySource<S, T>;
  #isOver = false;
  #checked = 0;
  #anonymous = 0;
  #late = 0;

  constructor(source: IdentitySource<S, T>) {
    this.#source = source;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Called for an identity that is there in time: the order of the code is right. */
  end(): void {
    this.#isOver = true;
  }

  /** @param visit of the subject. Without a gate nothing tells the end of its response */
  miss(subject: S, visit: Visit | undefined): void {
    if (this.#isOver) return;
    this.#checked += 1;
    if (this.#checked >= MAX_CHECKED) this.#isOver = true;
    if (visit === undefined) return;
    afterResponse(visit, () => {
      const visits = visitsUntil(decidedVisitOf(visit.request) ?? visit);
      if (visits.some(({ decision }) => decision?.allowed === false)) this.#deny();
      else void this.#readAgain(subject);
    });
  }

  /** A limit below `MAX_LATE` denies before so many requests were late. */
  #deny(): void {
    if (this.#late > 0 && this.#anonymous === 0) this.#warn();
  }

  async #readAgain(subject: S): Promise<void> {
    const { read, identityOf } = this.#source;
    try {
      if (identityOf(await read(subject)) === undefined) {
        this.#anonymous += 1;
        return;
      }
    } catch {
      // The function is not written for this moment, and the limit of the request is decided.
      return;
    }
    this.#late += 1;
    if (this.#late >= MAX_LATE) this.#warn();
  }

  #warn(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { owner, instead = 'otherwise identifies all clients' } = this.#source;
    warn(
      'SLUICE_IDENTITY_TOO_LATE',
      `${owner}: the first requests had no identity at their limit, and had one when their response was sent, so that ${instead}. Run the limit after the code that sets the identity. Express and Hono: app.use() it after authentication and body parser. Fastify: hook: 'preHandler', and register it after the hook that authenticates. NestJS: @RateLimit({ at: 'authenticated' }), or the option authenticated of forRoot`,
    );
  }
}
