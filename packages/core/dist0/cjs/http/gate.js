"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createGate = createGate;
const limiter_js_1 = require("../limiter/limiter.js");
const gate_options_js_1 = require("./gate-options.js");
const ip_js_1 = require("./keys/ip.js");
const passage_js_1 = require("./passage.js");
const proxies_js_1 = require("./proxies.js");
const request_js_1 = require("./request.js");
const visit_js_1 = require("./visit.js");
/**
 * @param options a limiter, or its options and the gate's together
 * @param trust tells whose word the framework takes for a client's address
 * @throws ConfigError that names the option, the rule and the value
 */
function createGate(options, trust) {
    const read = (0, gate_options_js_1.readGateOptions)(options);
    const { limiter = ownLimiter(read) } = read;
    return new LimiterGate({ limiter, options: read, dialects: read.headers ?? ['x-ratelimit'] }, read.onDenied, trust);
}
function ownLimiter(options) {
    const cost = typeof options.cost === 'number' ? options.cost : undefined;
    return (0, limiter_js_1.limiterWithin)(options, { key: (0, ip_js_1.byIp)(), cost, besides: gate_options_js_1.GATE_OPTIONS });
}
class LimiterGate {
    limiter;
    onDenied;
    #terms;
    #watch;
    constructor(terms, onDenied, trust) {
        this.limiter = terms.limiter;
        this.onDenied = onDenied;
        this.#terms = terms;
        this.#watch = trust && new proxies_js_1.ProxyWatch(trust);
    }
    admit(request, response) {
        if ((0, request_js_1.isPreflight)(request))
            return visit_js_1.NOT_COUNTED;
        // Before anything is waited for: the address has to be read while the client is there.
        const passage = (0, passage_js_1.enter)(request, this.#watch);
        return new visit_js_1.Visit(this.#terms, request, response, passage).admission();
    }
    decision(request) {
        return (0, passage_js_1.passageOf)(request)?.counted.findLast(({ gate }) => gate === this.#terms)?.decision;
    }
}
//# sourceMappingURL=gate.js.map