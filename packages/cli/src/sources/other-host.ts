import type { RedisSource } from './redis-source.js';

/** True if one of the servers is not on this machine. */
export function hasOtherHost(source: RedisSource): boolean {
  return source.primaries().some(({ stream }) => {
    // A Unix socket has no address.
    const { remoteAddress } = stream as { remoteAddress?: string };
    return remoteAddress !== undefined && !isLoopback(remoteAddress);
  });
}

/** True for an address of this machine alone. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(address);
}
