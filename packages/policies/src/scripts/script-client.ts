// scripts/ runs Lua on the client of a store, beside the checks of its limiters. Scripts and keys enter, and replies leave. It
// imports no other room.
import { ConfigError, StoreError, type Store } from '@sluice/core';
import { type Wire, wireOf } from '@sluice/metrics/operations';
import type { RedisScript } from './redis-script.js';

/** Milliseconds that a call may take. No request waits for it. */
const DEADLINE_MS = 2_000;
const LOOK_MS = 20;
/** Of a client whose server is away. A process that starts then does not wait. */
const LOST = ['unready', 'reconnecting', 'end'];

/** What clients of all stores have. A type of `@sluice/redis` would make programs in memory depend on it. */
interface RedisClient {
  readonly status?: string;
  evalsha(sha: string, numberOfKeys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  eval(source: string, numberOfKeys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
}

/** Runs scripts on the client of a store, beside its checks. */
export class ScriptClient {
  readonly #client: RedisClient;
  readonly #wire: Wire;

  /** @throws ConfigError for a store that is not in Redis */
  constructor(owner: string, store: Store) {
    const wire = wireOf(Object(store) as Store);
    if (wire === undefined) {
      throw new ConfigError('OPTION_INVALID', 'store', undefined, `${owner}: store must be a redisStore`);
    }
    this.#client = wire.client as RedisClient;
    this.#wire = wire;
  }

  /** @throws StoreError STORE_UNAVAILABLE, as a rejection. The script may have run if no reply came */
  async run(
    { source, sha }: RedisScript,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    await this.#connected();
    const mistake = this.#wire.mistake();
    if (mistake !== undefined) throw unavailable(mistake.message, mistake);
    const call = async () => {
      try {
        return await this.#client.evalsha(sha, keys.length, ...keys, ...args);
      } catch (error) {
        // A server that was restarted has no scripts.
        if (!this.#wire.problemOf(error).message.startsWith('NOSCRIPT')) throw error;
        return await this.#client.eval(source, keys.length, ...keys, ...args);
      }
    };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unavailable(`no reply within ${DEADLINE_MS} ms`)), DEADLINE_MS).unref();
    });
    try {
      return await Promise.race([call(), late]);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      const problem = this.#wire.problemOf(error);
      throw unavailable(problem.message, problem);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A client connects soon after it was made. @throws StoreError */
  async #connected(): Promise<void> {
    const giveUpAt = performance.now() + DEADLINE_MS;
    while (!this.#isReady()) {
      const isAway = LOST.includes(this.#client.status!);
      if (isAway || performance.now() > giveUpAt) throw unavailable(this.#whyNot());
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  #whyNot(): string {
    const isForgotten = this.#client.status === 'wait';
    return isForgotten ? 'the client is not connected: await client.connect() first' : 'there is no connection';
  }

  #isReady(): boolean {
    return (this.#client.status ?? 'ready') === 'ready';
  }
}

function unavailable(reason: string, cause?: unknown): StoreError {
  return new StoreError('STORE_UNAVAILABLE', `policies: Redis cannot be reached: ${reason}`, { cause });
}
