import { attempt } from '../limiter/attempt.js';
import { warn } from '../events/warning.js';
import { unavailable } from '../model/decision.js';
import { isSluiceError, UsageError } from '../model/errors.js';
import { isPromise } from '../model/is-promise.js';
import { proceed } from '../model/proceed.js';
import { ownBody, problemBody } from './body.js';
import { dialects } from './fields/dialect.js';
import { expose } from './fields/expose.js';
import { retryAfterOf } from './fields/retry-after.js';
import { Standing, violatedQuotas } from './fields/standing.js';
import { giveBack } from './give-back.js';
import { problemOf } from './problem.js';
import { headerOf } from './request.js';
import { wait } from './wait.js';
/** A request that is none of the gate's business goes on. */
export const NOT_COUNTED = { state: 'admitted', decision: undefined };
const OVER = { state: 'over' };
const OWNER = 'rateLimit';
const NO_COST = `${OWNER}: the function cost must return an integer of at least 0, got undefined`;
/** A request at one gate. */
export class Visit {
    #terms;
    #request;
    #response;
    #passage;
    constructor(terms, request, response, passage) {
        this.#terms = terms;
        this.#request = request;
        this.#response = response;
        this.#passage = passage;
    }
    admission() {
        const { skip } = this.#terms.options;
        if (skip === undefined)
            return this.#count();
        return proceed(attempt(OWNER, 'skip', skip, this.#request), (skipped) => (skipped ? NOT_COUNTED : this.#count()));
    }
    #count() {
        const { cost } = this.#terms.options;
        const asked = typeof cost === 'function' ? attempt(OWNER, 'cost', cost, this.#request) : (cost ?? 1);
        return isPromise(asked) ? Promise.resolve(asked).then((units) => this.#decide(units)) : this.#decide(asked);
    }
    #decide(units) {
        if (units === undefined)
            return Promise.reject(new UsageError('COST_INVALID', NO_COST));
        const decided = this.#terms.limiter.consume(this.#request, { cost: units });
        if (!isPromise(decided))
            return this.#admit(decided);
        return Promise.resolve(decided).then((decision) => this.#admit(decision), (error) => this.#admit(decisionWithoutStore(error)));
    }
    #admit(decision) {
        const { limiter, options, dialects: told } = this.#terms;
        this.#passage.count({ gate: this.#terms, limiter, decision, dialects: told });
        const { headersSent } = this.#response;
        // Somebody has answered while the store was asked, a timeout perhaps.
        if (headersSent && this.#response.writableEnded)
            return this.#leave(decision);
        if (!headersSent)
            this.#tell(decision);
        if (!decision.allowed)
            return headersSent ? this.#cut() : this.#deny(decision);
        if (options.refundWhen)
            this.#response.once('finish', () => void this.#refundByStatus(decision));
        return decision.delay > 0 ? this.#queue(decision) : { state: 'admitted', decision };
    }
    #tell(decision) {
        const fields = this.#fields(decision);
        for (const [name, value] of fields)
            this.#response.setHeader(name, value);
        if (headerOf(this.#request, 'origin') === undefined)
            return;
        expose(this.#response, fields.map(([name]) => name));
    }
    #fields(decision) {
        const standing = Standing.of(this.#passage.announced);
        const told = standing ? fieldsIn(this.#passage.dialects, standing) : [];
        if (decision.allowed || decision.reason === 'never')
            return told;
        return [...told, ['Retry-After', String(retryAfterOf(this.#passage))]];
    }
    /** The client has a status already, and is kept from the rest. */
    #cut() {
        this.#response.end();
        return OVER;
    }
    #deny(decision) {
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
    #body(denied) {
        const { body } = this.#terms.options;
        if (body === undefined)
            return problemBody(denied.problem, headerOf(denied.request, 'accept'));
        return proceed(typeof body === 'function' ? attempt(OWNER, 'body', body, denied) : body, ownBody);
    }
    /** Waits for the request's turn. */
    async #queue(decision) {
        return (await wait(decision.delay, this.#response, this.#request.socket))
            ? { state: 'admitted', decision }
            : this.#leave(decision);
    }
    /** Who does not go on gives up a place in a queue, and nothing else: looking is not free. */
    async #leave(decision) {
        const queues = decision.outcomes.filter((outcome) => outcome.delay > 0);
        const places = Object.fromEntries(queues.map(({ tier }) => [tier, Number.MAX_SAFE_INTEGER]));
        if (queues.length > 0)
            await giveBack(() => this.#terms.limiter.refund(decision, places));
        return OVER;
    }
    async #refundByStatus(decision) {
        // Node finishes a response also when its client has left, if nothing was left to be sent but its end.
        if (this.#response.destroyed)
            return;
        const { limiter, options } = this.#terms;
        const refundWhen = options.refundWhen;
        await giveBack(async () => {
            const status = this.#response.statusCode;
            if (await attempt(OWNER, 'refundWhen', (request) => refundWhen(status, request), this.#request)) {
                await limiter.refund(decision);
            }
        });
    }
}
function fieldsIn(names, standing) {
    const now = Date.now();
    // Nearly always there is one.
    if (names.length === 1)
        return dialects[names[0]].fields(standing, now);
    return names.flatMap((name) => dialects[name].fields(standing, now));
}
/** A store that was closed under its limiter is no reason to let everybody in, nor to fail as if the request were at fault. */
function decisionWithoutStore(error) {
    if (!isSluiceError(error) || error.name !== 'StoreError')
        throw error;
    warn('SLUICE_STORE_CLOSED', `rateLimit: requests are answered with 503, for ${error.message}`);
    return unavailable();
}
//# sourceMappingURL=visit.js.map