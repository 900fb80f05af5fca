import { proceed } from '../../model/proceed.js';
import { Recent } from '../../model/recent.js';
import { unshared } from '../../model/unshared.js';
import { warn } from '../../events/warning.js';
import { addressTold, passageOf } from '../passage.js';
import { warnOfUntrusted } from '../proxies.js';
import { canonicalAddress, networkOf } from './address.js';
import { readIdentityOptions } from './identity-options.js';
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
export function byIp(options = {}) {
    const reader = readIdentityOptions('byIp', options, ['ipv6Subnet', 'from']);
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
        const passage = passageOf(subject);
        if (passage)
            passage.countsAddress = true;
        if (from)
            return proceed(from(subject), (told) => identify(canonicalAddress(told)));
        if (!passage && !('ip' in subject))
            warnOfUntrusted(subject);
        // The gate has read the address when the request came; without one it is what can be read now.
        return identify(passage ? passage.address : canonicalAddress(addressTold(subject)));
    };
}
function identitiesBy(prefix) {
    const identities = identitiesByPrefix.get(prefix) ?? new Recent(KNOWN);
    identitiesByPrefix.set(prefix, identities);
    return identities;
}
function remember(identities, address, prefix) {
    const own = unshared(address);
    const identity = identityOf(networkOf(own, prefix));
    identities.set(own, identity);
    return identity;
}
function identityOf(network) {
    return Object.freeze({ kind: 'ip', parts: Object.freeze([network]) });
}
function warnOfUnknown() {
    warn('SLUICE_ADDRESS_UNREADABLE', 'byIp: the address of a client cannot be read; all such clients share one budget. On a Unix socket no address is told: set trust proxy, or byIp({ from })');
}
//# sourceMappingURL=ip.js.map