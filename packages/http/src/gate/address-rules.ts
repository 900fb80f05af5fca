import { channels, warn, type OptionRow } from '@sluice/core/internal';
import { canonicalAddress } from '../networks/address.js';
import type { IpList } from '../networks/ip-list-interface.js';
import { networksOption } from '../networks/networks-option.js';
import { NetworkSet } from '../networks/network-set.js';

/** The networks of the options `allow` and `deny`: constant ones, or a list that changes. */
export type AddressList = readonly string[] | IpList;

type List = Pick<IpList, 'name' | 'mode' | 'has' | 'onStoreFailure' | 'isLoaded' | 'started'>;

/** What the options `allow` and `deny` of a gate say about the addresses of clients. */
export class AddressRules {
  readonly #allow: List | undefined;
  readonly #deny: List | undefined;
  #hasStarted = false;

  /** @throws ConfigError */
  constructor(owner: string, { allow, deny }: { allow?: AddressList | undefined; deny?: AddressList | undefined }) {
    // An empty string, as of a variable that is not set, is a mistake and not an empty list.
    this.#allow = allow === undefined ? undefined : readList(owner, 'allow', allow);
    this.#deny = deny === undefined ? undefined : readList(owner, 'deny', deny);
  }

  /** What requests wait for: the first load of the lists. Undefined once they have waited. */
  started(): Promise<unknown> | undefined {
    if (this.#hasStarted) return undefined;
    const waits = [this.#allow, this.#deny].flatMap((list) => list?.started() ?? []);
    if (waits.length > 0) return Promise.all(waits);
    this.#hasStarted = true;
    return undefined;
  }

  /**
   * `allow`: the request is not counted. `deny`: it is denied. `unavailable`: it is denied, because a list has never
   * been loaded. Undefined: the tiers decide.
   */
  verdict(address: string | undefined): 'allow' | 'deny' | 'unavailable' | undefined {
    if (typeof address !== 'string') {
      if (this.#deny) warnOfUnknown();
      return undefined;
    }
    if (matches(this.#allow, 'allow', address)) return 'allow';
    if (isUnavailable(this.#allow)) return 'unavailable';
    if (matches(this.#deny, 'deny', address)) return 'deny';
    return isUnavailable(this.#deny) ? 'unavailable' : undefined;
  }
}

function readList(owner: string, option: 'allow' | 'deny', given: AddressList): List {
  if (isIpList(given)) return given;
  const networks = new NetworkSet();
  for (const network of networksOption(owner, option, given)) networks.add(network);
  const has = (address: string) => {
    const canonical = canonicalAddress(address);
    return canonical !== undefined && networks.has(canonical);
  };
  return { name: option, mode: 'enforce', has, onStoreFailure: 'allow', isLoaded: true, started: () => undefined };
}

export const ADDRESSES_ROW = {
  is: (given) => isIpList(given) || Array.isArray(given),
  words: 'an array of addresses and networks, or an ipList',
} as const satisfies OptionRow;

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

/** A list that must not be passed before it is loaded. */
function isUnavailable(list: List | undefined): boolean {
  return list?.onStoreFailure === 'deny' && !list.isLoaded && list.mode === 'enforce';
}

function warnOfUnknown(): void {
  warn(
    'SLUICE_DENY_WITHOUT_ADDRESS',
    'rateLimit: the address of a client cannot be read, so deny does not stop it. The tiers count such clients. A Unix socket has no address: set trust proxy (Hono: ip or trustProxy)',
  );
}
