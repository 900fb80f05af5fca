import { randomUUID } from 'node:crypto';
import { NO_POSITION, type ListPosition, type ListStore, type StoredItem } from '@sluice/core/internal';
import type { ListedNetworks } from './listed-networks.js';
import { Turn } from './turn.js';

/** Items that one call writes back. */
const RESTORED_ITEMS = 200;
/** A reading that begins again this often goes on with the next refresh. */
const MAX_PASSES = 3;

/**
 * The copy of a stored list in this process. It reads the list in pages of at most 4 kB, then only what changes. It
 * writes back what the store has lost.
 */
export class ListCopy {
  readonly #store: ListStore;
  readonly #key: string;
  readonly #networks: ListedNetworks;
  readonly #onPage: () => void;
  readonly #restorer = randomUUID();
  #position = NO_POSITION;
  /** Of a reading of the whole list. It marks what the store has. */
  #pass = 0;
  /** The whole list is being read. */
  #isWhole = false;
  /** What the store has an earlier change of. */
  readonly #behind = new Set<string>();
  #isComplete = false;
  /** The largest floor of a list that was read to its end. */
  #floor = 0;
  #isClosed = false;

  /** @param onPage called for each page */
  constructor(store: ListStore, key: string, networks: ListedNetworks, onPage: () => void = () => {}) {
    this.#store = store;
    this.#key = key;
    this.#networks = networks;
    this.#onPage = onPage;
  }

  /** It has been read to its end once. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** For changes of this process. */
  get pass(): number {
    return this.#pass;
  }

  /** The next refresh reads the whole list: a server that is back may have lost changes. */
  readAgain(): void {
    this.#position = NO_POSITION;
  }

  /** It reads no further page. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Reads what has changed.
   *
   * @returns what it has lost: networks and removals. Undefined if the list could not be read to its end yet
   */
  async refresh(): Promise<readonly StoredItem[] | undefined> {
    const lastPass = this.#pass + MAX_PASSES;
    let after = this.#position;
    let reading = this.#store.readList(this.#key, after);
    for (;;) {
      const page = await reading;
      if (this.#isClosed) return undefined;
      this.#onPage();
      if (!isSame(page.from, after)) this.#begin();
      // The connection was lost in the meantime.
      const isReset = this.#position !== after;
      // What a process writes back has no order, so that the list is read when it has ended.
      const isPostponed = page.isRestoring || this.#pass > lastPass;
      if (isPostponed) this.readAgain();
      // A list that has never changed has no state that could be lost, until this process adds to it.
      else if (!isReset) this.#position = page.position.epoch === 0 ? NO_POSITION : page.position;
      after = this.#position;
      const goesOn = !isPostponed && (isReset || page.hasMore);
      // Redis reads the next page while this process works on this one.
      if (goesOn) {
        reading = this.#store.readList(this.#key, after);
        // It may fail while this process still works on this page.
        reading.catch(() => undefined);
      }
      const turn = new Turn();
      for (const item of page.items) {
        if (turn.isOver) await turn.next();
        if (this.#isClosed) return undefined;
        if (!this.#networks.apply(item, page.now, this.#pass)) this.#behind.add(item.name);
      }
      if (isPostponed) return undefined;
      if (!goesOn) return this.#end(page.floor);
    }
  }

  /** Writes back what the store has lost. The next refresh reads the whole list again. */
  async restore(lost: readonly StoredItem[]): Promise<void> {
    for (let at = 0; at < lost.length; at += RESTORED_ITEMS) {
      const items = lost.slice(at, at + RESTORED_ITEMS);
      const isLast = at + RESTORED_ITEMS >= lost.length;
      const page = { restorer: this.#restorer, items, ...(isLast && { floor: this.#floor }) };
      // Another process writes back, and the next refresh shows what that one did not have.
      if (this.#isClosed || !(await this.#store.restoreList(this.#key, page))) return;
    }
  }

  #begin(): void {
    this.#pass += 1;
    this.#isWhole = true;
    this.#behind.clear();
  }

  /** @param floor the store has dropped removals with this number and below */
  async #end(floor: number): Promise<readonly StoredItem[]> {
    const earlier = [...this.#behind].flatMap((name) => this.#networks.item(name) ?? []);
    const lost = this.#isWhole ? [...earlier, ...(await this.#networks.sweep(this.#pass, floor))] : earlier;
    this.#isComplete = true;
    this.#floor = Math.max(this.#floor, floor);
    this.#isWhole = false;
    this.#behind.clear();
    if (lost.length > 0) this.readAgain();
    return lost;
  }
}

function isSame(one: ListPosition, other: ListPosition): boolean {
  return one.epoch === other.epoch && one.added === other.added && one.removed === other.removed;
}
