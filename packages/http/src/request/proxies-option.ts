import { canonicalAddress } from '../networks/address.js';
import { networksOption } from '../networks/networks-option.js';
import { NetworkSet } from '../networks/network-set.js';

/** Networks that have no clients on the internet, by the names that Express and Fastify know. */
const NAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/**
 * Tells the proxies that an option names.
 *
 * @param given addresses and networks, or `loopback`, `linklocal`, `uniquelocal`
 * @throws ConfigError OPTION_INVALID
 */
export function proxiesOption(
  owner: string,
  option: string,
  given: readonly string[],
): (address: string | undefined) => boolean {
  const networks = new NetworkSet();
  // One for each item first, so that an error names the place of its item.
  const first = given.map((each) => NAMED.get(each)?.[0] ?? each);
  const others = given.flatMap((each) => NAMED.get(each)?.slice(1) ?? []);
  for (const network of networksOption(owner, option, [...first, ...others])) networks.add(network);
  return (address) => {
    const canonical = canonicalAddress(address);
    return canonical !== undefined && networks.has(canonical);
  };
}
