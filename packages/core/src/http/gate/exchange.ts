import { callUserFunction } from '../../limiter/claims/call-user-function.js';
import type { Limiter } from '../../limiter/limiter.js';
import { warn } from '../../events/warning.js';
import { unavailable, type Decision } from '../../model/decision.js';
import { isSluiceError, UsageError } from '../../model/errors.js';
import { isPromise } from '../../async/maybe-promise.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { chain } from '../../async/deferred.js';
import type { Admission } from './admission.js';
import { ownBody, problemBody, type Body } from '../problem/body.js';
import type { HeaderFormat } from '../headers/header-format.js';
import { dialects, type Field } from '../headers/header-formats.js';
import { expose } from '../headers/expose-headers.js';
import { retryAfterOf } from '../headers/retry-after.js';
import { QuotaReport, violatedQuotas } from '../headers/quota-report.js';
import type { Denied, GateOptions } from './gate-options.js';
import type { GateResponse } from '../response.js';
import { refundQuietly } from './refund-quietly.js';
import type { RequestState } from './request-state.js';
import { problemOf } from '../problem/problem.js';
import { headerOf, type HttpRequest } from '../request.js';
import { wait } from './wait-for-turn.js';

/** What a gate does with every request. */
export interface GateConfig<S> {
  readonly limiter: Limiter<S>;
  readonly options: GateOptions<S, unknown>;
  readonly dialects: readonly HeaderFormat[];
}

/** A request that is none of the gate's business goes on. */
export const NOT_COUNTED: Admission = { state: 'admitted', decision: undefined };
const ENDED: Admission = { state: 'ended' };
const OWNER = 'rateLimit';
const NO_COST = `${OWNER}: the function cost must return an integer of at least 0, got undefined`;

/** A request at one gate. */
export class Exchange<S extends HttpRequest> {
  readonly #terms: GateConfig<S>;
  readonly #request: S;
  readonly #response: GateResponse;
  readonly #passage: RequestState;

  constructor(terms: GateConfig<S>, request: S, response: GateResponse, passage: RequestState) {
    this.#terms = terms;
    this.#request = request;
    this.#response = response;
    this.#passage = passage;
  }

  admission(): MaybePromise<Admission> {
    const { skip, cost } = this.#terms.options;
    if (skip !== undefined || typeof cost === 'function') this.#passage.captureAddress();
    if (skip === undefined) return this.#count();
    return chain(callUserFunction(OWNER, 'skip', skip, this.#request), (skipped) =>
      skipped ? NOT_COUNTED : this.#count(),
    );
  }

  #count(): MaybePromise<Admission> {
    const { cost } = this.#terms.options;
    const asked = typeof cost === 'function' ? callUserFunction(OWNER, 'cost', cost, this.#request) : (cost ?? 1);
    if (typeof asked === 'number') return this.#decide(asked);
    return isPromise(asked) ? Promise.resolve(asked).then((units) => this.#decide(units)) : this.#decide(asked);
  }

  #decide(units: unknown): MaybePromise<Admission> {
    if (units === undefined) return Promise.reject(new UsageError('COST_INVALID', NO_COST));
    // Most requests cost one unit, which needs no word.
    const decided = this.#terms.limiter.consume(this.#request, units === 1 ? undefined : { cost: units as number });
    if (!isPromise(decided)) return this.#admit(decided);
    return Promise.resolve(decided).then(
      (decision) => this.#admit(decision),
      (error: unknown) => this.#admit(decisionWithoutStore(error)),
    );
  }

  #admit(decision: Decision): MaybePromise<Admission> {
    const { limiter, options, dialects: told } = this.#terms;
    this.#passage.count({ gate: this.#terms, limiter, decision, dialects: told });
    const { headersSent } = this.#response;
    // Somebody has answered while the store was asked, a timeout perhaps.
    if (headersSent && this.#response.writableEnded) return this.#abandon(decision);
    if (!headersSent) this.#writeHeaders(decision);
    if (!decision.allowed) return headersSent ? this.#abortResponse() : this.#deny(decision);

    if (options.refundWhen) this.#response.once('finish', () => void this.#refundByStatus(decision));
    return decision.delay > 0 ? this.#queue(decision) : { state: 'admitted', decision };
  }

  #writeHeaders(decision: Decision): void {
    const fields = this.#fields(decision);
    for (const field of fields) this.#response.setHeader(field[0], field[1]);
    if (this.#request.headers?.origin === undefined) return;
    expose(
      this.#response,
      fields.map(([name]) => name),
    );
  }

  #fields(decision: Decision): readonly Field[] {
    const standing = QuotaReport.of(this.#passage.announced);
    const told = standing ? fieldsIn(this.#passage.dialects, standing) : [];
    if (decision.allowed || decision.reason === 'never') return told;
    return [...told, ['Retry-After', String(retryAfterOf(this.#passage))]];
  }

  /** The client has a status already, and is kept from the rest. */
  #abortResponse(): Admission {
    this.#response.end();
    return ENDED;
  }

  #deny(decision: Decision): Admission {
    // A 429 must not be stored (RFC 6585), and not every cache knows that.
    this.#response.setHeader('Cache-Control', 'no-store');
    const problem = problemOf(decision, violatedQuotas(this.#passage.counted));
    return {
      state: 'denied',
      decision,
      problem,
      body: () => this.#body({ request: this.#request, decision, problem }),
    };
  }

  #body(denied: Denied<S>): MaybePromise<Body> {
    const { body } = this.#terms.options;
    if (body === undefined) return problemBody(denied.problem, headerOf(denied.request, 'accept'));
    return chain(
      typeof body === 'function'
        ? callUserFunction(OWNER, 'body', body as (denied: Denied<S>) => unknown, denied)
        : body,
      ownBody,
    );
  }

  /** Waits for the request's turn. */
  async #queue(decision: Decision): Promise<Admission> {
    return (await wait(decision.delay, this.#response, this.#request.socket))
      ? { state: 'admitted', decision }
      : this.#abandon(decision);
  }

  /** Who does not go on gives up a place in a queue, and nothing else: looking is not free. */
  async #abandon(decision: Decision): Promise<Admission> {
    const queues = decision.outcomes.filter((outcome) => outcome.delay > 0);
    const places = Object.fromEntries(queues.map(({ tier }) => [tier, Number.MAX_SAFE_INTEGER]));
    if (queues.length > 0) await refundQuietly(() => this.#terms.limiter.refund(decision, places));
    return ENDED;
  }

  async #refundByStatus(decision: Decision): Promise<void> {
    // Node finishes a response also when its client has left, if nothing was left to be sent but its end.
    if (this.#response.destroyed) return;
    const { limiter, options } = this.#terms;
    const refundWhen = options.refundWhen!;
    await refundQuietly(async () => {
      const status = this.#response.statusCode;
      if (await callUserFunction(OWNER, 'refundWhen', (request: S) => refundWhen(status, request), this.#request)) {
        await limiter.refund(decision);
      }
    });
  }
}

function fieldsIn(names: readonly HeaderFormat[], standing: QuotaReport): readonly Field[] {
  const now = Date.now();
  // Nearly always there is one.
  if (names.length === 1) return dialects[names[0]!].fields(standing, now);
  return names.flatMap((name) => dialects[name].fields(standing, now));
}

/** A store that was closed under its limiter is no reason to let everybody in, nor to fail as if the request were at fault. */
function decisionWithoutStore(error: unknown): Decision {
  if (!isSluiceError(error) || error.name !== 'StoreError') throw error;
  warn('SLUICE_STORE_CLOSED', `rateLimit: requests are answered with 503, for ${error.message}`);
  return unavailable();
}
