"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.byIp = byIp;
const proceed_js_1 = require("../../model/proceed.js");
const recent_js_1 = require("../../model/recent.js");
const unshared_js_1 = require("../../model/unshared.js");
const warning_js_1 = require("../../events/warning.js");
const passage_js_1 = require("../passage.js");
const proxies_js_1 = require("../proxies.js");
const address_js_1 = require("./address.js");
const identity_options_js_1 = require("./identity-options.js");
/** Those whose address cannot be read share one budget: none is no answer, and one each would be no limit. */
const NOBODY = identityOf('unknown');
/** Addresses of which the identity is remembered: it is the same object each time, so whoever asks again is known by it. */
const KNOWN = 16_384;
// One for all limiters of a subnet, for they all ask for the same clients.
const identitiesByPrefix = new Map();
/**
 * Identifies a client by its address: IPv4 alone, also where IPv6 maps it, IPv6 by its network. Kind `ip`.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
function byIp(options = {}) {
    const reader = (0, identity_options_js_1.readIdentityOptions)('byIp', options, ['ipv6Subnet', 'from']);
    const prefix = reader.integer('OPTION_INVALID', 'ipv6Subnet', { min: 32, max: 128, otherwise: 64 });
    const from = reader.function('from', options.from);
    const identities = identitiesBy(prefix);
    const identify = (address) => {
        if (address !== undefined)
            return identities.get(address) ?? remember(identities, address, prefix);
        warnOfUnknown();
        return NOBODY;
    };
    return (subject) => {
        const passage = (0, passage_js_1.passageOf)(subject);
        if (passage)
            passage.countsAddress = true;
        if (from)
            return (0, proceed_js_1.proceed)(from(subject), (told) => identify((0, address_js_1.canonicalAddress)(told)));
        if (!passage && !('ip' in subject))
            (0, proxies_js_1.warnOfUntrusted)(subject);
        // The gate has read the address when the request came; without one it is what can be read now.
        return identify(passage ? passage.address : (0, address_js_1.canonicalAddress)((0, passage_js_1.addressTold)(subject)));
    };
}
function identitiesBy(prefix) {
    const identities = identitiesByPrefix.get(prefix) ?? new recent_js_1.Recent(KNOWN);
    identitiesByPrefix.set(prefix, identities);
    return identities;
}
function remember(identities, address, prefix) {
    const own = (0, unshared_js_1.unshared)(address);
    const identity = identityOf((0, address_js_1.networkOf)(own, prefix));
    identities.set(own, identity);
    return identity;
}
function identityOf(network) {
    return Object.freeze({ kind: 'ip', parts: Object.freeze([network]) });
}
function warnOfUnknown() {
    (0, warning_js_1.warn)('SLUICE_ADDRESS_UNREADABLE', 'byIp: the address of a client cannot be read; all such clients share one budget. On a Unix socket no address is told: set trust proxy, or byIp({ from })');
}
//# sourceMappingURL=ip.js.map