// audit/ has what people have changed in a store: who, when and why. Acts enter, and lists of them leave. It imports overrides and
// scripts.
import { StoreError, type Store } from '@sluice/core';
import { type FindAct, reportAct, seekAct, storeActs, wireOf } from '@sluice/core/internal';
import { nameOf, type Act } from './act.js';
import { ActSearch } from './act-search.js';
import { STORE_ACTS } from './act-scripts.js';
import { actsKey, type ActStore, type Done, type Forgetting } from './act-store.js';
import { MemoryLog } from './memory-log.js';
import { RedisLog } from './redis-log.js';

/** Which acts are listed. */
export interface ActChoice {
  /** Milliseconds since 1970. @default all */
  readonly since?: number | undefined;
  /** Whose acts. @default anybody's */
  readonly by?: string | undefined;
}

/** The acts on a store. */
export class AuditLog {
  readonly #store: Store;
  readonly acts: ActStore;
  readonly #search: ActSearch;
  /** Acts that this process has reported, by their names. */
  readonly #reported = new Set<string>();

  constructor(store: Store) {
    this.#store = store;
    this.acts = wireOf(store) === undefined ? new MemoryLog() : new RedisLog(store);
    this.#search = new ActSearch((act) => reportAct(store, act));
    storeActs(store, { add: (act) => this.#add(act), seek: (find) => this.#search.seek(find) });
  }

  /** The last 1 000 acts on the store, newest first. */
  async list(choice: ActChoice = {}): Promise<readonly Act[]> {
    return chosen(await this.acts.all(), choice);
  }

  /**
   * An act that has happened, now or before: a repetition has found it. Resolves when it was sent to the list of the store, or is to be
   * sent again later.
   */
  async report(act: Act): Promise<void> {
    reportAct(this.#store, act);
    await this.acts.sent();
  }

  /** Runs a change, and looks for its act where it is stored if no reply says whether it was made. @throws as the change */
  async watched<T>(find: FindAct, change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } catch (error) {
      if (error instanceof StoreError) void seekAct(this.#store, find);
      throw error;
    }
  }

  /**
   * Deletes keys of a client in the name of a person.
   *
   * @returns undefined where nothing was to be deleted
   * @throws StoreError; UsageError for an id that names another act
   */
  async forget(forgetting: Forgetting): Promise<Done | undefined> {
    const { act, owner, reset } = forgetting;
    const find = async () => (await this.acts.of(actsKey(owner))).find(({ id }) => id === act.id);
    const done = await this.watched(find, () => this.acts.forget(forgetting));
    if (done === undefined) return undefined;
    await this.report(done.act);
    // What they have is deleted, but for what layers of this process know of it.
    if (done.isNew) await reset();
    return done;
  }

  /** Resolves when the acts of this process were sent to the list of the store, or are to be sent again later. */
  async sent(): Promise<void> {
    await this.#search.look();
    await this.acts.sent();
  }

  #add(act: Act): boolean {
    this.acts.add(act);
    const name = nameOf(act);
    if (this.#reported.has(name)) return false;
    this.#reported.add(name);
    if (this.#reported.size > STORE_ACTS) this.#reported.delete(this.#reported.values().next().value!);
    return true;
  }
}

const logs = new WeakMap<Store, AuditLog>();

/**
 * The acts of people on a store: overrides, credits, debits, resets, pauses and applied policies. From the first call on, what this process
 * does in the name of a person is added to the list of the store.
 *
 * @example
 * const acts = await auditLog(store).list({ since: Date.now() - 86_400_000 });
 */
export function auditLog(store: Store): AuditLog {
  const known = logs.get(store) ?? new AuditLog(store);
  logs.set(store, known);
  return known;
}

export function chosen(acts: readonly Act[], { since = 0, by }: ActChoice): readonly Act[] {
  return acts.filter((act) => act.at >= since && (by === undefined || act.by === by));
}
