import { addressNumber } from './address.js';
import { leadingBits, type Network } from './network.js';
import { SteadyMap } from './steady-map.js';

/** The networks of one length. */
interface Level<T> {
  readonly prefix: number;
  readonly items: SteadyMap<T>;
}

/** Networks, each with a value. A look-up takes one probe for each prefix length that occurs. */
export class NetworkSet<T> {
  /** Of IPv4 and of IPv6, longest prefix first. */
  readonly #levels: Readonly<Record<4 | 6, Level<T>[]>> = { 4: [], 6: [] };
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(network: Network): T | undefined {
    return this.#levelOf(network)?.items.get(keyOf(network.bits));
  }

  set(network: Network, value: T): void {
    const { items } = this.#levelOf(network) ?? this.#addLevel(network);
    const before = items.size;
    items.set(keyOf(network.bits), value);
    this.#size += items.size - before;
  }

  delete(network: Network): void {
    const level = this.#levelOf(network);
    if (level === undefined) return;
    const { items } = level;
    const before = items.size;
    items.delete(keyOf(network.bits));
    this.#size -= before - items.size;
    if (items.size > 0) return;
    const levels = this.#levels[network.family];
    levels.splice(levels.indexOf(level), 1);
  }

  *values(): IterableIterator<T> {
    for (const { items } of [...this.#levels[4], ...this.#levels[6]]) yield* items.values();
  }

  /** True if one of the networks that hold an address has a value that counts. @param address canonical */
  has(address: string, counts: (value: T) => boolean): boolean {
    const number = addressNumber(address);
    const levels = this.#levels[typeof number === 'number' ? 4 : 6];
    for (const { prefix, items } of levels) {
      const value = items.get(keyOf(leadingBits(number, prefix)));
      if (value !== undefined && counts(value)) return true;
    }
    return false;
  }

  #levelOf({ family, prefix }: Network): Level<T> | undefined {
    return this.#levels[family].find((each) => each.prefix === prefix);
  }

  #addLevel({ family, prefix }: Network): Level<T> {
    const level = { prefix, items: new SteadyMap<T>() };
    this.#levels[family].push(level);
    this.#levels[family].sort((one, other) => other.prefix - one.prefix);
    return level;
  }
}

/** V8 hashes the low 64 bits alone, and hosts of many networks end with the same bits. No two numbers get one key. */
function keyOf(bits: number | bigint): number | bigint {
  return typeof bits === 'number' ? bits : bits ^ (bits >> 64n);
}
