import {
  type AbleStore,
  type ExportLock,
  keyShape,
  usageKey,
  type UsageLedger,
  usageOwner,
} from '@sluice/core/internal';
import { endAct } from '../credits/balance-acts.js';
import { balancePolicy } from '../credits/balance.js';
import { publishLow } from '../credits/low-balance.js';
import { type LowPolicy, marksBetween, tellingOf } from '../credits/low-marks.js';
import { messageOf } from '../usage/message-of.js';
import type { Balances } from './balances-in.js';

/** A process that dies must not keep others from the balances for long. */
const LOCK_MS = 60_000;
const RENEW_MS = 20_000;
/** Balances at a time. More would keep requests waiting. */
const MAX_CALLS = 32;
const SCOPE = 'ends';
/** Of the keys of all balances. */
const END = `:${keyShape(balancePolicy({}))}`;

interface PassContext {
  readonly prefix: string;
  readonly policies: Balances;
  readonly holder: string;
  readonly isClosed: () => boolean;
}

/** One look at all balances under a prefix. */
export class EndsPass {
  /** Balances that it has looked at, and units that had ended in them. */
  balances = 0;
  units = 0;
  /** Milliseconds since a pass of any process began that has looked at all balances. Infinity: none has. */
  age = Infinity;
  /** Why balances were left out. */
  problem: string | undefined;
  readonly #store: AbleStore;
  readonly #ledger: UsageLedger;
  readonly #context: PassContext;

  constructor(store: AbleStore, ledger: UsageLedger, context: PassContext) {
    this.#store = store;
    this.#ledger = ledger;
    this.#context = context;
  }

  /** @param youngest milliseconds: does nothing after a pass that is younger */
  async run(youngest: number): Promise<void> {
    try {
      const lock = await this.#lock(LOCK_MS);
      this.age = lock.completed > 0 ? lock.now - lock.completed : Infinity;
      if (lock.number > 0) await this.#runLocked(lock, youngest);
    } catch (error) {
      this.problem = messageOf(error);
    }
  }

  async #runLocked(lock: ExportLock, youngest: number): Promise<void> {
    let completed = 0;
    try {
      if (this.age >= youngest && (await this.#endAll(lock))) completed = lock.now;
    } finally {
      await this.#lock(0, completed);
    }
    if (completed > 0) this.age = 0;
  }

  async #lock(milliseconds: number, completed = 0): Promise<ExportLock> {
    const { prefix, holder } = this.#context;
    return this.#ledger.lock(prefix, { holder, scope: SCOPE, milliseconds, completed });
  }

  /** False if it has ended before it has looked at everything. */
  async #endAll(lock: ExportLock): Promise<boolean> {
    let lockedAt = performance.now();
    for await (const page of this.#store.keys!(`${this.#context.prefix}:{`, END)) {
      for (let at = 0; at < page.length; at += MAX_CALLS) {
        if (this.#context.isClosed()) return false;
        if (performance.now() - lockedAt >= RENEW_MS) {
          if ((await this.#lock(LOCK_MS)).number !== lock.number) return false;
          lockedAt = performance.now();
        }
        await this.#endSome(page.slice(at, at + MAX_CALLS));
      }
    }
    return true;
  }

  /** A key that cannot be read keeps no other balance from its postings. @throws the error of all of them */
  async #endSome(keys: readonly string[]): Promise<void> {
    const results = await Promise.allSettled(keys.map((key) => this.#end(key)));
    const errors = results.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    if (errors.length === 0) return;
    if (errors.length === keys.length && keys.length > 1) throw errors[0];
    this.problem ??= messageOf(errors[0]);
  }

  async #end(key: string): Promise<void> {
    const tier = usageOwner(usageKey(key))?.tier;
    if (tier === undefined) return;
    // A tier that no limiter has any more tells no marks.
    const policy = (this.#context.policies.get(tier) ?? balancePolicy({})) as LowPolicy;
    const reply = await this.#store.act!({ key, policy }, endAct(tellingOf(policy) !== undefined));
    const [balance, units, low] = reply as readonly [number, number, number];
    this.balances += 1;
    this.units += units;
    const cause = units > 0 ? 'ended' : 'taken';
    for (const mark of marksBetween(policy, balance, low)) {
      publishLow({ tier, key, policy, mark, balance, cause }, undefined);
    }
  }
}
