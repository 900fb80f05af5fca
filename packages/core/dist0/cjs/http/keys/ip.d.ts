import type { Identity } from '../../model/identity.js';
import type { MaybePromise } from '../../model/maybe-promise.js';
import type { HttpRequest } from '../request.js';
export interface IpOptions<S> {
    /**
     * Bits of an IPv6 address that tell clients apart, 32 to 128: most are given a /64 and can use all of its addresses;
     * a site may hold a /56 or a /48.
     *
     * @default 64
     */
    ipv6Subnet?: number;
    /**
     * Reads the address from elsewhere, such as from a header that your CDN sets and that nobody else can set.
     *
     * @default the framework's `ip`, or the peer's of a request that no framework has seen
     */
    from?: (subject: S) => MaybePromise<string | undefined>;
}
/**
 * Identifies a client by its address: IPv4 alone, also where IPv6 maps it, IPv6 by its network. Kind `ip`.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
export declare function byIp<S extends HttpRequest>(options?: IpOptions<S>): (subject: S) => MaybePromise<Identity>;
//# sourceMappingURL=ip.d.ts.map