import type { StoredItem } from '@sluice/core/internal';
import { Column } from '../networks/column.js';
import { NetworkSet } from '../networks/network-set.js';
import { networkText, readNetwork, type Network } from '../networks/network.js';
import { Turn } from './turn.js';

/** What is known of a network that has left. */
interface Removal {
  readonly number: number;
  /** The last pass in which the store had it. */
  seenIn: number;
}

/** A network that is on the list. */
export interface Entry {
  readonly network: Network;
  readonly note: string;
  /** Milliseconds since 1970 by the clock of the store; 0: for good. */
  readonly until: number;
  /** Milliseconds of `performance.now()`. */
  readonly expiresAt: number;
}

/** Removals that are remembered. The store drops those that are older. */
const MAX_REMOVALS = 5_000;

/** The networks of a list in this process, and the removals that it knows. Of two changes the one of the larger number counts. */
export class ListedNetworks {
  readonly #networks = new NetworkSet();
  /** By row: the number of the last change, the last pass in which the store had it, and what an entry has. */
  readonly #numbers = new Column();
  readonly #seenIn = new Column();
  readonly #until = new Column();
  readonly #expiresAt = new Column();
  /** Few networks have one. */
  readonly #notes = new Map<number, string>();
  /** The last one at the end. */
  readonly #removals = new Map<string, Removal>();

  get size(): number {
    return this.#networks.size;
  }

  *entries(): IterableIterator<Entry> {
    for (const row of this.#networks.rows()) {
      const network = this.#networks.network(row);
      yield { network, note: this.#noteOf(row), until: this.#until.get(row), expiresAt: this.#expiresAt.get(row) };
    }
  }

  lists(name: string): boolean {
    return this.#rowOf(name) >= 0;
  }

  /** Whether a network that has not ended holds an address. @param address canonical */
  has(address: string): boolean {
    const now = performance.now();
    return this.#networks.has(address, (row) => this.#expiresAt.get(row) > now);
  }

  /** At most so many networks that have ended, by name. */
  ended(most: number): readonly string[] {
    const now = performance.now();
    const ended: string[] = [];
    for (const row of this.#networks.rows()) {
      if (this.#expiresAt.get(row) > now) continue;
      ended.push(this.#nameOf(row));
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
    const row = this.#networks.find(network);
    const known = row < 0 ? this.#removals.get(name)?.number : this.#numbers.get(row);
    if (known !== undefined && known >= number) {
      this.#see(name, row, pass);
      return known === number;
    }
    if (until === undefined) {
      if (row >= 0) this.#drop(row);
      this.#remember(name, { number, seenIn: pass });
      return true;
    }
    if (row < 0) this.#removals.delete(name);
    const expiresAt = until === 0 ? Infinity : performance.now() + until - now;
    this.#set(row < 0 ? this.#networks.add(network) : row, { number, note: item.note, until, expiresAt, pass });
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
    const turn = new Turn();
    for (const row of this.#networks.rows()) {
      if (this.#seenIn.get(row) !== pass) {
        if (this.#numbers.get(row) > floor) lost.push(this.#itemOf(row));
        else this.#drop(row);
      }
      // Last: meanwhile a row may lose its network.
      if (turn.isOver) await turn.next();
    }
    for (const [name, { number, seenIn }] of this.#removals) {
      if (seenIn === pass) continue;
      if (number > floor) lost.push({ name, number, until: undefined, note: '' });
      else this.#removals.delete(name);
    }
    return lost;
  }

  /** The last change of a network. Undefined for a removal that is not remembered any more. */
  item(name: string): StoredItem | undefined {
    const row = this.#rowOf(name);
    if (row >= 0) return this.#itemOf(row);
    const removal = this.#removals.get(name);
    return removal && { name, number: removal.number, until: undefined, note: '' };
  }

  #rowOf(name: string): number {
    const network = readNetwork(name);
    return typeof network === 'string' ? -1 : this.#networks.find(network);
  }

  #itemOf(row: number): StoredItem {
    return {
      name: this.#nameOf(row),
      number: this.#numbers.get(row),
      until: this.#until.get(row),
      note: this.#noteOf(row),
    };
  }

  #nameOf(row: number): string {
    return networkText(this.#networks.network(row));
  }

  #noteOf(row: number): string {
    return this.#notes.get(row) ?? '';
  }

  #set(
    row: number,
    { number, note, until, expiresAt, pass }: Omit<Entry, 'network'> & { number: number; pass: number },
  ): void {
    this.#numbers.set(row, number);
    this.#seenIn.set(row, pass);
    this.#until.set(row, until);
    this.#expiresAt.set(row, expiresAt);
    if (note === '') this.#notes.delete(row);
    else this.#notes.set(row, note);
  }

  #see(name: string, row: number, pass: number): void {
    if (row < 0) this.#removals.get(name)!.seenIn = pass;
    else this.#seenIn.set(row, pass);
  }

  #drop(row: number): void {
    this.#networks.delete(row);
    this.#notes.delete(row);
  }

  #remember(name: string, removal: Removal): void {
    this.#removals.delete(name);
    this.#removals.set(name, removal);
    if (this.#removals.size <= MAX_REMOVALS) return;
    for (const oldest of this.#removals.keys()) {
      this.#removals.delete(oldest);
      return;
    }
  }
}
