import type { ProxyTrust } from '../proxies.js';
/** What the option `trustProxy` of a Fastify instance says. */
export declare function fastifyTrust(server: object): ProxyTrust;
//# sourceMappingURL=trust.d.ts.map