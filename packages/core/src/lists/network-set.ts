import { addressNumber } from './address.js';
import { leadingBits, type Network } from './network.js';

/** The networks of one length. */
interface Level<T> {
  readonly prefix: number;
  readonly items: Map<number | bigint, T>;
}

/** Networks, each with a value. A look-up takes one probe for each prefix length that occurs. */
export class NetworkSet<T> {
  /** Of IPv4 and of IPv6, longest prefix first. */
  readonly #levels: Readonly<Record<4 | 6, Level<T>[]>> = { 4: [], 6: [] };

  set({ family, prefix, bits }: Network, value: T): void {
    const levels = this.#levels[family];
    let level = levels.find((each) => each.prefix === prefix);
    if (level === undefined) {
      level = { prefix, items: new Map() };
      levels.push(level);
      levels.sort((one, other) => other.prefix - one.prefix);
    }
    level.items.set(bits, value);
  }

  delete({ family, prefix, bits }: Network): void {
    const levels = this.#levels[family];
    const at = levels.findIndex((each) => each.prefix === prefix);
    if (at < 0) return;
    levels[at]!.items.delete(bits);
    if (levels[at]!.items.size === 0) levels.splice(at, 1);
  }

  /** True if one of the networks that hold an address has a value that counts. @param address canonical */
  has(address: string, counts: (value: T) => boolean): boolean {
    const number = addressNumber(address);
    const levels = this.#levels[typeof number === 'number' ? 4 : 6];
    for (const { prefix, items } of levels) {
      const value = items.get(leadingBits(number, prefix));
      if (value !== undefined && counts(value)) return true;
    }
    return false;
  }
}
