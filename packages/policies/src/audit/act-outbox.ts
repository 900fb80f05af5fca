import { actText, type Act } from './act.js';
import { addActsScript, STORE_ACTS } from './act-scripts.js';
import type { ScriptClient } from '../scripts/script-client.js';

/** In one slot of a Cluster, and of no prefix: all processes of a store have one list. */
export const STORE_KEY = 'rl:{~audit}:acts';
/** Milliseconds after a failure. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Acts in a call. */
const BATCH = 100;

/**
 * Writes acts to the list of the store after they have happened. The list of the client has had them since the script of the change,
 * so an act that a process takes with it is missing here alone.
 */
export class ActOutbox {
  readonly #client: ScriptClient;
  #waiting: Act[] = [];
  #sending: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pause = FIRST_PAUSE_MS;

  constructor(client: ScriptClient) {
    this.#client = client;
  }

  add(act: Act): void {
    // The list holds no more.
    this.#waiting = [...this.#waiting, act].slice(-STORE_ACTS);
    void this.sent();
  }

  /** Sends what waits. Resolves when that was sent, or could not be: then it is sent again later. */
  async sent(): Promise<void> {
    this.#sending ??= this.#send().finally(() => (this.#sending = undefined));
    await this.#sending;
  }

  async #send(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#waiting.length > 0) {
      const acts = this.#waiting.slice(0, BATCH);
      const args = acts.flatMap((act) => [act.at, actText(act)]);
      try {
        await this.#client.run(addActsScript, [STORE_KEY], args);
      } catch {
        // The store is away, of which its breaker tells.
        this.#timer = setTimeout(() => void this.sent(), this.#pause).unref();
        this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE_MS);
        return;
      }
      this.#pause = FIRST_PAUSE_MS;
      const sent = new Set(acts);
      this.#waiting = this.#waiting.filter((act) => !sent.has(act));
    }
  }
}
