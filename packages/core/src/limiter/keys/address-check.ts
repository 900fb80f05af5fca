import { isIPv6 } from 'node:net';

import { warn } from '../../events/warning.js';
import type { Identity } from '../../model/identity.js';

/** The first identities of a tier tell how its key function makes them. */
const MAX_CHECKED = 1_000;

/**
 * The beginnings of addresses that clients have: global and local, of this host, and IPv4 where IPv6 maps it. A network
 * such as `2001:db8::/64` is the remedy, so it does not match. Nor does every text that could be an address: `12::34` may
 * be two numbers.
 */
const LEADING_ADDRESS = /^(?:[23f][\da-f]{3}:|::1|::ffff:)[\da-f:.]*(?![\da-f:.]|\/\d+$)/i;

/** Warns of identities with a raw IPv6 address: a client has as many as its network has addresses. */
export class AddressCheck {
  #checked = 0;

  /** Called for identities that no cache knows. */
  inspect(identity: string | Identity): void {
    if (this.#checked >= MAX_CHECKED) return;
    this.#checked += 1;
    const parts = typeof identity === 'string' ? [identity] : identity.parts;
    if (!parts.some(beginsWithAddress)) return;
    this.#checked = MAX_CHECKED;
    warn(
      'SLUICE_RAW_IPV6_KEY',
      'key: an identity has a raw IPv6 address, and a client can use each of the 2^64 addresses of its network for a new budget. Use byIp(), or compose(byIp(), …) to combine it',
    );
  }
}

function beginsWithAddress(text: string): boolean {
  const found = LEADING_ADDRESS.exec(text);
  return found !== null && isIPv6(found[0]);
}
