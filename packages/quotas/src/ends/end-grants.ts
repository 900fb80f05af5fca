// ends/ looks at balances once an hour, so that what has ended becomes a posting. A store enters, and notices of low balances
// leave. It imports credits and usage.
import { randomBytes } from 'node:crypto';
import {
  type AbleStore,
  type Duration,
  type ExportLock,
  keyShape,
  limitersOf,
  OptionReader,
  type OptionRows,
  type Policy,
  type Store,
  usageKey,
  type UsageLedger,
  usageOwner,
} from '@sluice/core/internal';
import { usageLedgerOf } from '../usage/usage-ledgers.js';
import { messageOf } from '../usage/message-of.js';
import { endAct } from '../credits/balance-acts.js';
import { balancePolicy } from '../credits/balance.js';
import { publishLow } from '../credits/low-balance.js';
import { type LowPolicy, marksBetween, tellingOf } from '../credits/low-marks.js';

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
  /** Why balances were left out of the last run. */
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

/** A process that dies must not keep others from the balances for long. */
const LOCK_MS = 60_000;
const RENEW_MS = 20_000;
/** After a failure, and while another process has the lock. */
const RETRY_MS = 60_000;
/** Balances at a time. More would keep requests waiting. */
const MAX_CALLS = 32;
const SCOPE = 'ends';
/** Of the keys of all balances. */
const END = `:${keyShape(balancePolicy({}))}`;

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
    this.#status = { ...this.#status, age: 0, problem: undefined };
    for (const [prefix, policies] of balancesIn(this.#store)) {
      let age = Infinity;
      try {
        age = await this.#runIn(prefix, policies, youngest);
      } catch (error) {
        this.#status = { ...this.#status, problem: messageOf(error) };
      }
      this.#status = { ...this.#status, age: Math.max(this.#status.age, age) };
    }
    const { age } = this.#status;
    const next = age === Infinity ? RETRY_MS : Math.max(EVERY.min / 1e3, this.#every - age);
    this.#schedule(Math.min(this.#every, next));
    return this.#status;
  }

  /** @returns the age of the last whole run */
  async #runIn(prefix: string, policies: ReadonlyMap<string, Policy>, youngest: number): Promise<number> {
    const lock = await this.#lock(prefix, LOCK_MS);
    if (lock.number === 0) return ageOf(lock);
    let completed = 0;
    try {
      if (ageOf(lock) >= youngest && (await this.#endAll(prefix, policies, lock))) completed = lock.now;
    } finally {
      await this.#lock(prefix, 0, completed);
    }
    return completed > 0 ? 0 : ageOf(lock);
  }

  async #lock(prefix: string, milliseconds: number, completed = 0): Promise<ExportLock> {
    return this.#ledger.lock(prefix, { holder: this.#holder, scope: SCOPE, milliseconds, completed });
  }

  /** False if it has ended before it has looked at everything. */
  async #endAll(prefix: string, policies: ReadonlyMap<string, Policy>, lock: ExportLock): Promise<boolean> {
    let lockedAt = performance.now();
    for await (const page of this.#store.keys!(`${prefix}:{`, END)) {
      for (let at = 0; at < page.length; at += MAX_CALLS) {
        if (this.#isClosed) return false;
        if (performance.now() - lockedAt >= RENEW_MS) {
          if ((await this.#lock(prefix, LOCK_MS)).number !== lock.number) return false;
          lockedAt = performance.now();
        }
        await Promise.all(page.slice(at, at + MAX_CALLS).map((key) => this.#end(key, policies)));
      }
    }
    return true;
  }

  async #end(key: string, policies: ReadonlyMap<string, Policy>): Promise<void> {
    const tier = usageOwner(usageKey(key))?.tier;
    if (tier === undefined) return;
    // A tier that no limiter has any more tells no marks.
    const policy = (policies.get(tier) ?? balancePolicy({})) as LowPolicy;
    const reply = await this.#store.act!({ key, policy }, endAct(tellingOf(policy) !== undefined));
    const [balance, units, low] = reply as readonly [number, number, number];
    const { balances, units: before } = this.#status;
    this.#status = { ...this.#status, balances: balances + 1, units: before + units };
    const cause = units > 0 ? 'ended' : 'taken';
    for (const mark of marksBetween(policy, balance, low)) {
      publishLow({ tier, key, policy, mark, balance, cause }, undefined);
    }
  }
}

/** The policies of the balances of all limiters by the names of their tiers, under each prefix. */
function balancesIn(store: Store): ReadonlyMap<string, ReadonlyMap<string, Policy>> {
  const all = new Map<string, Map<string, Policy>>();
  for (const { prefix, tiers } of limitersOf(store)) {
    const known = all.get(prefix) ?? new Map<string, Policy>();
    for (const { name, policy } of tiers) {
      if (policy.algorithm.neverRefills)
        known.set(name, tellingOf(policy) === undefined ? (known.get(name) ?? policy) : policy);
    }
    if (known.size > 0) all.set(prefix, known);
  }
  return all;
}

function ageOf({ completed, now }: ExportLock): number {
  return completed > 0 ? now - completed : Infinity;
}
