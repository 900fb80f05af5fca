import { limiterWithin } from '../limiter/limiter.js';
import { GATE_OPTIONS, readGateOptions } from './gate-options.js';
import { byIp } from './keys/ip.js';
import { enter, passageOf } from './passage.js';
import { ProxyWatch } from './proxies.js';
import { isPreflight } from './request.js';
import { NOT_COUNTED, Visit } from './visit.js';
/**
 * @param options a limiter, or its options and the gate's together
 * @param trust tells whose word the framework takes for a client's address
 * @throws ConfigError that names the option, the rule and the value
 */
export function createGate(options, trust) {
    const read = readGateOptions(options);
    const { limiter = ownLimiter(read) } = read;
    return new LimiterGate({ limiter, options: read, dialects: read.headers ?? ['x-ratelimit'] }, read.onDenied, trust);
}
function ownLimiter(options) {
    const cost = typeof options.cost === 'number' ? options.cost : undefined;
    return limiterWithin(options, { key: byIp(), cost, besides: GATE_OPTIONS });
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
        this.#watch = trust && new ProxyWatch(trust);
    }
    admit(request, response) {
        if (isPreflight(request))
            return NOT_COUNTED;
        // Before anything is waited for: the address has to be read while the client is there.
        const passage = enter(request, this.#watch);
        return new Visit(this.#terms, request, response, passage).admission();
    }
    decision(request) {
        return passageOf(request)?.counted.findLast(({ gate }) => gate === this.#terms)?.decision;
    }
}
//# sourceMappingURL=gate.js.map