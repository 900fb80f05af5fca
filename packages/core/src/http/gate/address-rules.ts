import { channels } from '../../events/channels.js';
import { warn } from '../../events/warning.js';
import { ConfigError } from '../../model/errors.js';
import { show } from '../../options/option-reader.js';
import { canonicalAddress } from '../../lists/address.js';
import { readSeed, type IpList } from '../../lists/ip-list.js';
import { NetworkSet } from '../../lists/network-set.js';

/** The networks of the options `allow` and `deny`: constant ones, or a list that changes. */
export type AddressList = readonly string[] | IpList;

type List = Pick<IpList, 'name' | 'mode' | 'has'>;

/** What the options `allow` and `deny` of a gate say about the addresses of clients. */
export class AddressRules {
  readonly #allow: List | undefined;
  readonly #deny: List | undefined;

  /** @throws ConfigError */
  constructor(owner: string, { allow, deny }: { allow?: AddressList | undefined; deny?: AddressList | undefined }) {
    // An empty text, as of a variable that is not set, is a mistake and not an empty list.
    this.#allow = allow === undefined ? undefined : readList(owner, 'allow', allow);
    this.#deny = deny === undefined ? undefined : readList(owner, 'deny', deny);
  }

  /** `allow`: the request is not counted. `deny`: it is denied. Undefined: the tiers decide. */
  verdict(address: string | undefined): 'allow' | 'deny' | undefined {
    if (typeof address !== 'string') {
      if (this.#deny) warnOfUnknown();
      return undefined;
    }
    if (matches(this.#allow, 'allow', address)) return 'allow';
    return matches(this.#deny, 'deny', address) ? 'deny' : undefined;
  }
}

function readList(owner: string, option: 'allow' | 'deny', given: AddressList): List {
  if (isIpList(given)) return given;
  if (!Array.isArray(given)) {
    const rule = 'must be an array of addresses and networks, or an ipList';
    throw new ConfigError('OPTION_INVALID', option, given, `${owner}: ${option} ${rule}, got ${show(given)}`);
  }
  const networks = new NetworkSet<true>();
  for (const network of readSeed(owner, option, given)) networks.set(network, true);
  const has = (address: string) => {
    const canonical = canonicalAddress(address);
    return canonical !== undefined && networks.has(canonical, () => true);
  };
  return { name: option, mode: 'enforce', has };
}

/** True for a list of any copy of this package. */
function isIpList(given: unknown): given is IpList {
  const { has, add } = Object(given) as Partial<IpList>;
  return typeof has === 'function' && typeof add === 'function' && !(given instanceof Set);
}

function matches(list: List | undefined, rule: 'allow' | 'deny', address: string): boolean {
  if (!list?.has(address)) return false;
  const shadow = list.mode === 'shadow';
  if (channels.listed.hasSubscribers) channels.listed.publish({ list: list.name, rule, shadow });
  return !shadow;
}

function warnOfUnknown(): void {
  warn(
    'SLUICE_DENY_WITHOUT_ADDRESS',
    'rateLimit: the address of a client cannot be read, so deny does not stop it. The tiers count such clients. A Unix socket has no address: set trust proxy (Hono: ip or trustProxy)',
  );
}
