import { nameOf, repeatedAct, type Act, type NewAct } from './act.js';
import { CLIENT_ACTS, STORE_ACTS } from './act-scripts.js';
import { type ActStore, type Done, type Forgetting, actsKey } from './act-store.js';

/** Clients whose acts are remembered. */
const MAX_CLIENTS = 1_000;

/** The acts on a store of this process, which end with it. */
export class MemoryLog implements ActStore {
  #all: readonly Act[] = [];
  readonly #clients = new Map<string, readonly Act[]>();

  add(act: Act): void {
    const name = nameOf(act);
    if (this.#all.some((each) => nameOf(each) === name)) return;
    this.#all = [act, ...this.#all].slice(0, STORE_ACTS);
  }

  async sent(): Promise<void> {}

  // oxlint-disable-next-line typescript/require-await -- that of Redis waits
  async all(): Promise<readonly Act[]> {
    return this.#all;
  }

  // oxlint-disable-next-line typescript/require-await -- that of Redis waits
  async of(key: string): Promise<readonly Act[]> {
    return this.#clients.get(key) ?? [];
  }

  // oxlint-disable-next-line typescript/require-await -- that of Redis waits
  async forget({ owner, keys, act }: Forgetting): Promise<Done | undefined> {
    const key = actsKey(owner);
    const known = this.#clients.get(key)?.find(({ id }) => id === act.id);
    if (known !== undefined) return { act: repeatedAct('forget', known, act), isNew: false };
    return keys.length === 0 ? undefined : { act: this.#record(key, act), isNew: true };
  }

  #record(key: string, newAct: NewAct): Act {
    const act: Act = { ...newAct, at: Date.now() };
    const acts = [act, ...(this.#clients.get(key) ?? [])].slice(0, CLIENT_ACTS);
    this.#clients.delete(key);
    this.#clients.set(key, acts);
    if (this.#clients.size > MAX_CLIENTS) this.#clients.delete(this.#clients.keys().next().value!);
    return act;
  }
}
