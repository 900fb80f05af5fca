// audit/ has what people have changed in a store: who, when and why. Acts enter, and lists of them leave. It imports overrides and
// scripts.
import type { Store } from '@sluice/core';
import { reportAct, storeActs, wireOf } from '@sluice/core/internal';
import type { Act } from './act.js';
import type { ActStore, Done, Forgetting } from './act-store.js';
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

  constructor(store: Store) {
    this.#store = store;
    this.acts = wireOf(store) === undefined ? new MemoryLog() : new RedisLog(store);
    storeActs(store, (act) => this.acts.add(act));
  }

  /** The last 1 000 acts on the store, newest first. */
  async list(choice: ActChoice = {}): Promise<readonly Act[]> {
    return chosen(await this.acts.all(), choice);
  }

  /** An act that has happened. Resolves when it was sent to the list of the store, or is to be sent again later. */
  async report(act: Act): Promise<void> {
    reportAct(this.#store, act);
    await this.acts.sent();
  }

  /** Deletes keys of a client in the name of a person. @throws StoreError */
  async forget(forgetting: Forgetting): Promise<Done> {
    const done = await this.acts.forget(forgetting);
    if (done.isNew) await this.report(done.act);
    return done;
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
