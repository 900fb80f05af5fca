import { trustProxy } from '@sluice/core';

const OF_PRIVATE_PROXY = '192.0.2.1';
const behindPrivateProxies = trustProxy(['loopback', 'linklocal', 'uniquelocal']);
/** What private addresses begin with, because a log may have millions of others. */
const MAYBE = /^(?:10|127|169|172|192)\.|^(?:::|f[cde]|0)/i;

/**
 * True for an address that no client on the internet has, such as that of a balancer.
 *
 * @param address as it is logged: the network of `::1` has other addresses
 */
export function isPrivate(address: string): boolean {
  return MAYBE.test(address) && behindPrivateProxies(address, OF_PRIVATE_PROXY) === OF_PRIVATE_PROXY;
}
