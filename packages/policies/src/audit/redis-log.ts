import { StoreError, type Store } from '@sluice/core';
import { ScriptClient } from '../scripts/script-client.js';
import { actIn, openAct, repeatedAct, type Act } from './act.js';
import { ActOutbox, STORE_KEY } from './act-outbox.js';
import { forgetScript, readActsScript, storeActsScript } from './act-scripts.js';
import { actsKey, type ActStore, type Done, type Forgetting } from './act-store.js';

/** The acts on a store in Redis. */
export class RedisLog implements ActStore {
  readonly #client: ScriptClient;
  readonly #outbox: ActOutbox;

  constructor(store: Store) {
    this.#client = new ScriptClient('auditLog', store);
    this.#outbox = new ActOutbox(this.#client);
  }

  add(act: Act): void {
    this.#outbox.add(act);
  }

  sent(): Promise<void> {
    return this.#outbox.sent();
  }

  async all(): Promise<readonly Act[]> {
    const rows = (await this.#client.run(storeActsScript, [STORE_KEY], [])) as readonly string[];
    return rows.toReversed().flatMap((row) => actIn(row) ?? []);
  }

  async of(key: string): Promise<readonly Act[]> {
    const rows = (await this.#client.run(readActsScript, [key], [])) as readonly string[];
    return rows.flatMap((row) => actIn(row) ?? []);
  }

  async forget({ owner, keys, act }: Forgetting): Promise<Done | undefined> {
    const all = [actsKey(owner), ...keys.flatMap((key) => [key, `${key}:notes`])];
    const reply = await this.#client.run(forgetScript, all, [act.id, openAct(act)]);
    const [row, count] = reply as readonly [string, number];
    if (row === '') return undefined;
    const done = actIn(row);
    if (count < 0) return { act: repeatedAct('forget', done, act), isNew: false };
    if (done === undefined) throw new StoreError('STORE_UNAVAILABLE', 'audit: Redis has returned no act');
    return { act: done, isNew: true };
  }
}
