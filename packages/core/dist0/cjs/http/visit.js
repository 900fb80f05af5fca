"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Visit = exports.NOT_COUNTED = void 0;
const attempt_js_1 = require("../limiter/attempt.js");
const warning_js_1 = require("../events/warning.js");
const decision_js_1 = require("../model/decision.js");
const errors_js_1 = require("../model/errors.js");
const is_promise_js_1 = require("../model/is-promise.js");
const proceed_js_1 = require("../model/proceed.js");
const body_js_1 = require("./body.js");
const dialect_js_1 = require("./fields/dialect.js");
const expose_js_1 = require("./fields/expose.js");
const retry_after_js_1 = require("./fields/retry-after.js");
const standing_js_1 = require("./fields/standing.js");
const give_back_js_1 = require("./give-back.js");
const problem_js_1 = require("./problem.js");
const request_js_1 = require("./request.js");
const wait_js_1 = require("./wait.js");
/** A request that is none of the gate's business goes on. */
exports.NOT_COUNTED = { state: 'admitted', decision: undefined };
const OVER = { state: 'over' };
const OWNER = 'rateLimit';
const NO_COST = `${OWNER}: the function cost must return an integer of at least 0, got undefined`;
/** A request at one gate. */
class Visit {
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
        return (0, proceed_js_1.proceed)((0, attempt_js_1.attempt)(OWNER, 'skip', skip, this.#request), (skipped) => (skipped ? exports.NOT_COUNTED : this.#count()));
    }
    #count() {
        const { cost } = this.#terms.options;
        const asked = typeof cost === 'function' ? (0, attempt_js_1.attempt)(OWNER, 'cost', cost, this.#request) : (cost ?? 1);
        return (0, is_promise_js_1.isPromise)(asked) ? Promise.resolve(asked).then((units) => this.#decide(units)) : this.#decide(asked);
    }
    #decide(units) {
        if (units === undefined)
            return Promise.reject(new errors_js_1.UsageError('COST_INVALID', NO_COST));
        const decided = this.#terms.limiter.consume(this.#request, { cost: units });
        if (!(0, is_promise_js_1.isPromise)(decided))
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
        if ((0, request_js_1.headerOf)(this.#request, 'origin') === undefined)
            return;
        (0, expose_js_1.expose)(this.#response, fields.map(([name]) => name));
    }
    #fields(decision) {
        const standing = standing_js_1.Standing.of(this.#passage.announced);
        const told = standing ? fieldsIn(this.#passage.dialects, standing) : [];
        if (decision.allowed || decision.reason === 'never')
            return told;
        return [...told, ['Retry-After', String((0, retry_after_js_1.retryAfterOf)(this.#passage))]];
    }
    /** The client has a status already, and is kept from the rest. */
    #cut() {
        this.#response.end();
        return OVER;
    }
    #deny(decision) {
        // A 429 must not be stored (RFC 6585), and not every cache knows that.
        this.#response.setHeader('Cache-Control', 'no-store');
        const problem = (0, problem_js_1.problemOf)(decision, (0, standing_js_1.violatedQuotas)(this.#passage.counted));
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
            return (0, body_js_1.problemBody)(denied.problem, (0, request_js_1.headerOf)(denied.request, 'accept'));
        return (0, proceed_js_1.proceed)(typeof body === 'function' ? (0, attempt_js_1.attempt)(OWNER, 'body', body, denied) : body, body_js_1.ownBody);
    }
    /** Waits for the request's turn. */
    async #queue(decision) {
        return (await (0, wait_js_1.wait)(decision.delay, this.#response, this.#request.socket))
            ? { state: 'admitted', decision }
            : this.#leave(decision);
    }
    /** Who does not go on gives up a place in a queue, and nothing else: looking is not free. */
    async #leave(decision) {
        const queues = decision.outcomes.filter((outcome) => outcome.delay > 0);
        const places = Object.fromEntries(queues.map(({ tier }) => [tier, Number.MAX_SAFE_INTEGER]));
        if (queues.length > 0)
            await (0, give_back_js_1.giveBack)(() => this.#terms.limiter.refund(decision, places));
        return OVER;
    }
    async #refundByStatus(decision) {
        // Node finishes a response also when its client has left, if nothing was left to be sent but its end.
        if (this.#response.destroyed)
            return;
        const { limiter, options } = this.#terms;
        const refundWhen = options.refundWhen;
        await (0, give_back_js_1.giveBack)(async () => {
            const status = this.#response.statusCode;
            if (await (0, attempt_js_1.attempt)(OWNER, 'refundWhen', (request) => refundWhen(status, request), this.#request)) {
                await limiter.refund(decision);
            }
        });
    }
}
exports.Visit = Visit;
function fieldsIn(names, standing) {
    const now = Date.now();
    // Nearly always there is one.
    if (names.length === 1)
        return dialect_js_1.dialects[names[0]].fields(standing, now);
    return names.flatMap((name) => dialect_js_1.dialects[name].fields(standing, now));
}
/** A store that was closed under its limiter is no reason to let everybody in, nor to fail as if the request were at fault. */
function decisionWithoutStore(error) {
    if (!(0, errors_js_1.isSluiceError)(error) || error.name !== 'StoreError')
        throw error;
    (0, warning_js_1.warn)('SLUICE_STORE_CLOSED', `rateLimit: requests are answered with 503, for ${error.message}`);
    return (0, decision_js_1.unavailable)();
}
//# sourceMappingURL=visit.js.map