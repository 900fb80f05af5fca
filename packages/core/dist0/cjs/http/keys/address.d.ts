/**
 * The one spelling of an address: without port, quotes and zone, IPv4 as IPv4 also where IPv6 maps it, IPv6 short and in
 * lower case. Undefined for what is no address. What is mapped is decided by bits and not by notation: the dotted end of
 * `2001:db8::1.2.3.4` makes it no IPv4 address, nor do NAT64 and 6to4 make one of theirs.
 */
export declare function canonicalAddress(told: unknown): string | undefined;
/**
 * The network that an IPv6 address is in, for whoever has one address of it has them all; an IPv4 address stays alone.
 *
 * @param address canonical
 * @param prefix bits
 */
export declare function networkOf(address: string, prefix: number): string;
//# sourceMappingURL=address.d.ts.map