import { type IdentityDigest, type Key, type Limiter, limiterBehind, type LimiterView } from '@sluice/core/internal';
import { BalanceCalls, type CreditResult, type DebitResult } from './balance-calls.js';
import type { BalanceChoice, CreditOptions, DebitOptions, IdentityChoice, ReconcileOptions } from './call-options.js';
import type { Posting } from './posting.js';

/** The balances of the subjects of a limiter. */
export interface Credits<S> {
  /**
   * Adds units to the balance of a subject, once for each id: a call that is repeated, also in another process, adds nothing.
   * The last 64 ids of a balance are known, each for 30 days. It is not repeated when the store fails: repeat it yourself.
   * Another number of units under a known id is an error. Units with one end and one order are one grant, and a balance holds 16.
   *
   * @param units 1 to 2^52, which is also the most that a balance holds
   * @returns what the balance holds now, and whether the id was new
   * @throws UsageError, as a rejection, without a tier with a balance, or for wrong arguments
   * @throws StoreError, as a rejection, when the store fails: the units may have been added, so call again with the same id
   * @example const { balance } = await creditsOf(limiter).credit({ customer: 'acme' }, 50_000, { id: invoice.id });
   */
  credit(subject: Partial<S>, units: number, options: CreditOptions): Promise<CreditResult>;
  /**
   * Takes units from the balance of a subject, such as those of a payment that was charged back: down to 0, once for each id.
   *
   * @param units 1 to 2^52
   * @returns what the balance holds now, and the rest that it did not have
   * @throws UsageError, StoreError, as `credit` does
   * @example const { rest } = await creditsOf(limiter).debit({ customer: 'acme' }, 50_000, { id: dispute.id });
   */
  debit(subject: Partial<S>, units: number, options: DebitOptions): Promise<DebitResult>;
  /**
   * Sets the balance of a subject to what your ledger has: after the store has lost data, or against drift. What was spent from
   * `asOf` on is subtracted, as far as the store knows it. Credits are not: the ledger has all of them. Units that are missing
   * become units without an end; units that are too many are taken as a request would spend them.
   *
   * @param units 0 to 2^52: all credits, less debits, what has ended, and what was spent before `asOf`
   * @returns the units that the balance holds then
   * @throws UsageError, as a rejection, without a tier with a balance, or for wrong arguments
   * @throws StoreError, as a rejection, when the store fails
   * @example
   * const asOf = new Date('2026-11-26T14:00:00Z');
   * await creditsOf(limiter).reconcile({ customer: 'acme' }, await ledger.balance('acme', asOf), { asOf });
   */
  reconcile(subject: Partial<S>, units: number, options: ReconcileOptions): Promise<number>;
  /**
   * The last 50 changes of the balance of a subject that no request has made, newest first. What has ended since the last
   * request becomes a posting first, and a balance that is low by that gives its notice: call it from an hourly job, if that must
   * not wait for the next request.
   *
   * @throws UsageError, StoreError, as `credit` does
   * @example const [last] = await creditsOf(limiter).postings({ customer: 'acme' });
   */
  postings(subject: Partial<S>, options?: BalanceChoice): Promise<readonly Posting[]>;
  /**
   * `credit` for an identity, without a subject: for support desks.
   *
   * @param identity what the key function of the tier returns for it
   * @example await creditsOf(limiter).creditFor('acme', 5_000, { id: 'ticket-4711', by: 'ada', reason: 'outage' });
   */
  creditFor(
    identity: Key | IdentityDigest,
    units: number,
    options: CreditOptions & IdentityChoice,
  ): Promise<CreditResult>;
  /** The same of `debit`. */
  debitFor(identity: Key | IdentityDigest, units: number, options: DebitOptions & IdentityChoice): Promise<DebitResult>;
  /** The same of `postings`. */
  postingsFor(identity: Key | IdentityDigest, options?: BalanceChoice & IdentityChoice): Promise<readonly Posting[]>;
}

/**
 * The balances of a limiter with a tier of the algorithm `balance()`.
 *
 * @param limiter what `createLimiter` has returned, or one of `limitersOf`
 * @throws UsageError for another value
 * @example await creditsOf(limiter).credit({ customer: 'acme' }, 50_000, { id: invoice.id });
 */
export function creditsOf<S>(limiter: Limiter<S> | LimiterView): Credits<S> {
  const calls = new BalanceCalls<S>(limiterBehind('creditsOf', limiter).requests);
  return {
    credit: (subject, units, options) => calls.credit({ subject }, units, options),
    debit: (subject, units, options) => calls.debit({ subject }, units, options),
    reconcile: (subject, units, options) => calls.reconcile({ subject }, units, options),
    postings: (subject, options) => calls.postings({ subject }, options),
    creditFor: (identity, units, options) => calls.credit({ identity }, units, options),
    debitFor: (identity, units, options) => calls.debit({ identity }, units, options),
    postingsFor: (identity, options) => calls.postings({ identity }, options),
  };
}
