import type { StoredItem } from '../stores/store.js';
import { NetworkSet } from './network-set.js';
import { readNetwork, type Network } from './network.js';

/** What is known of a network: of its last change. */
interface Known {
  readonly number: number;
  /** The last pass in which the store had it. */
  seenIn: number;
}

export interface Entry extends Known {
  readonly network: Network;
  readonly note: string;
  /** Milliseconds since 1970 by the clock of the store; 0: for good. */
  readonly until: number;
  /** Milliseconds of `performance.now()`. */
  readonly expiresAt: number;
}

/** Removals that are remembered. The store drops those that are older. */
const MAX_REMOVALS = 5_000;
/** Networks of a sweep after which other work runs: a sweep of 100 000 takes 30 to 50 ms of CPU. */
const SWEPT_AT_ONCE = 2_000;

/** The networks of a list in this process, and the removals that it knows. Of two changes the one of the larger number counts. */
export class ListedNetworks {
  readonly #entries = new NetworkSet<Entry>();
  /** The last one at the end. */
  readonly #removals = new Map<string, Known>();

  get size(): number {
    return this.#entries.size;
  }

  entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  lists(name: string): boolean {
    return this.#entryOf(name) !== undefined;
  }

  /** Whether a network that has not ended holds an address. @param address canonical */
  has(address: string): boolean {
    const now = performance.now();
    return this.#entries.has(address, ({ expiresAt }) => expiresAt > now);
  }

  /** At most so many networks that have ended, by name. */
  ended(most: number): readonly string[] {
    const now = performance.now();
    const ended: string[] = [];
    for (const { network, expiresAt } of this.#entries.values()) {
      if (expiresAt > now) continue;
      ended.push(network.text);
      if (ended.length === most) break;
    }
    return ended;
  }

  /**
   * Takes over a change. False if a later one is known: the store has lost it.
   *
   * @param now by the clock that `until` is of
   * @param pass of the reading that found it
   */
  apply(item: StoredItem, now: number, pass: number): boolean {
    const { name, number, until } = item;
    const network = readNetwork(name);
    // Another program has written to the key.
    if (typeof network === 'string') return true;
    const entry = this.#entries.get(network);
    const known = entry ?? this.#removals.get(network.text);
    if (known !== undefined && known.number >= number) {
      known.seenIn = pass;
      return known.number === number;
    }
    if (until === undefined) {
      this.#entries.delete(network);
      this.#remember(network.text, { number, seenIn: pass });
      return true;
    }
    if (known !== entry) this.#removals.delete(network.text);
    const expiresAt = until === 0 ? Infinity : performance.now() + until - now;
    this.#entries.set(network, { network, number, note: item.note, until, expiresAt, seenIn: pass });
    return true;
  }

  /**
   * Drops what the store did not have in a pass and has forgotten, and resolves with what it has never had. Requests are
   * answered meanwhile.
   *
   * @param floor the store has dropped removals with this number and below
   */
  async sweep(pass: number, floor: number): Promise<readonly StoredItem[]> {
    const lost: StoredItem[] = [];
    let swept = 0;
    for (const { number, seenIn, network, until, note } of this.#entries.values()) {
      swept += 1;
      if (swept % SWEPT_AT_ONCE === 0) await new Promise(setImmediate);
      if (seenIn === pass) continue;
      if (number > floor) lost.push({ name: network.text, number, until, note });
      else this.#entries.delete(network);
    }
    for (const [name, { number, seenIn }] of this.#removals) {
      if (seenIn === pass) continue;
      if (number > floor) lost.push({ name, number, until: undefined, note: '' });
      else this.#removals.delete(name);
    }
    return lost;
  }

  /** The last change of a network that is known. */
  item(name: string): StoredItem {
    const entry = this.#entryOf(name);
    if (entry) return { name, number: entry.number, until: entry.until, note: entry.note };
    return { name, number: this.#removals.get(name)!.number, until: undefined, note: '' };
  }

  #entryOf(name: string): Entry | undefined {
    const network = readNetwork(name);
    return typeof network === 'string' ? undefined : this.#entries.get(network);
  }

  #remember(name: string, removal: Known): void {
    this.#removals.delete(name);
    this.#removals.set(name, removal);
    if (this.#removals.size <= MAX_REMOVALS) return;
    for (const oldest of this.#removals.keys()) {
      this.#removals.delete(oldest);
      return;
    }
  }
}
