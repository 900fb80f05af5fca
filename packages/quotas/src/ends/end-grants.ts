// ends/ looks at balances once an hour, so that what has ended becomes a posting. A store enters, and notices of low balances
// leave. It imports credits and usage.
import { randomBytes } from 'node:crypto';
import {
  type AbleStore,
  type Duration,
  OptionReader,
  type OptionRows,
  type Store,
  type UsageLedger,
} from '@sluice/core/internal';
import { usageLedgerOf } from '../usage/usage-ledgers.js';
import { balancesIn } from './balances-in.js';
import { EndsPass } from './ends-pass.js';

export interface GrantEndsOptions {
  /**
   * How often all processes together look at all balances, from 1 s to 1 day. A process begins within a minute of its start.
   *
   * @default 1 h
   */
  every?: Duration;
}

/** What the runs of this process have found. */
export interface GrantEndsStatus {
  /** Milliseconds since a run of any process began that has looked at all balances, as the last run here has seen it. */
  readonly age: number;
  /** Balances that were looked at, and units that had ended in them. */
  readonly balances: number;
  readonly units: number;
  /** Why the last run has left balances out. */
  readonly problem: string | undefined;
}

/** Looks at balances until it is closed. */
export interface GrantEnds {
  /** Runs now, and resolves when it has looked at all balances, or another process does. */
  run(): Promise<GrantEndsStatus>;
  status(): GrantEndsStatus;
  close(): Promise<void>;
}

const EVERY = { range: '1 s to 1 day', min: 1e6, max: 8.64e10, example: "3600000 or '1h'" } as const;

export const GRANT_ENDS_ROWS = {
  store: {
    is: (store) => usageLedgerOf(Object(store) as Store) !== undefined && typeof Object(store).keys === 'function',
    words: 'memoryStore() or redisStore(…)',
  },
  every: { milliseconds: EVERY, otherwise: '1h' },
} as const satisfies OptionRows;

/** After a failure, and while another process has the lock. */
const RETRY_MS = 60_000;

/**
 * Writes what has ended into the postings of balances that nobody touches, and gives their notices: without it both wait for the
 * next request of the customer. One process of all at a time looks at all balances of the limiters of a store.
 *
 * @param store that limiters have
 * @throws ConfigError OPTION_INVALID
 * @example
 * const ends = endGrants(store);
 * await ends.close();
 */
export function endGrants(store: Store, options: GrantEndsOptions = {}): GrantEnds {
  const reader = new OptionReader('endGrants', { store, ...(Object(options) as object) }, GRANT_ENDS_ROWS);
  const { every } = reader.read(GRANT_ENDS_ROWS);
  return new RunningEnds(store, usageLedgerOf(store)!, every);
}

class RunningEnds implements GrantEnds {
  readonly #store: AbleStore;
  readonly #ledger: UsageLedger;
  readonly #every: number;
  readonly #holder = randomBytes(12).toString('base64url');
  #status: GrantEndsStatus = { age: Infinity, balances: 0, units: 0, problem: undefined };
  #called: Promise<GrantEndsStatus> | undefined;
  #timed: Promise<unknown> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(store: AbleStore, ledger: UsageLedger, every: number) {
    this.#store = store;
    this.#ledger = ledger;
    this.#every = every;
    this.#schedule(Math.random() * Math.min(every, RETRY_MS));
  }

  status(): GrantEndsStatus {
    return this.#status;
  }

  run(): Promise<GrantEndsStatus> {
    // A run of the timer does nothing after that of another process.
    this.#called ??= Promise.resolve(this.#timed)
      .then(() => this.#runAll(0))
      .finally(() => (this.#called = undefined));
    return this.#called;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#timed;
    await this.#called;
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      if (this.#called === undefined) this.#timed = this.#runAll(this.#every).finally(() => (this.#timed = undefined));
    }, delay).unref();
  }

  /** @param youngest milliseconds: leaves out a prefix whose last run is younger */
  async #runAll(youngest: number): Promise<GrantEndsStatus> {
    let [age, problem] = [0, undefined as string | undefined];
    for (const [prefix, policies] of balancesIn(this.#store)) {
      const isClosed = () => this.#isClosed;
      const pass = new EndsPass(this.#store, this.#ledger, { prefix, policies, holder: this.#holder, isClosed });
      await pass.run(youngest);
      const { balances, units } = this.#status;
      this.#status = { ...this.#status, balances: balances + pass.balances, units: units + pass.units };
      age = Math.max(age, pass.age);
      problem ??= pass.problem;
    }
    this.#status = { ...this.#status, age, problem };
    const next = age === Infinity ? RETRY_MS : Math.max(EVERY.min / 1e3, this.#every - age);
    this.#schedule(Math.min(this.#every, next));
    return this.#status;
  }
}
