import { trustProxy } from '@sluice/http';

const OF_PRIVATE_PROXY = '192.0.2.1';
const behindPrivateProxies = trustProxy(['loopback', 'linklocal', 'uniquelocal']);
/** By its text, because a log may have a million of them. */
const IPV4 = /^(?:(?:10|127)\.\d{1,3}|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}$/;
/** What those of IPv6 begin with. */
const MAYBE = /^(?:::|f[cde]|0)/i;

/**
 * True for an address that no client on the internet has, such as that of a balancer.
 *
 * @param address as it is logged: the network of `::1` has other addresses
 */
export function isPrivate(address: string): boolean {
  if (IPV4.test(address)) return true;
  return MAYBE.test(address) && behindPrivateProxies(address, OF_PRIVATE_PROXY) === OF_PRIVATE_PROXY;
}
