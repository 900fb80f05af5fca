import { checkCallOptions, type Requests, seekAct, StoreError } from '@sluice/core/internal';
import { MAX_BALANCE } from './account.js';
import { creditAct, creditedBy, reconcileAct } from './balance-acts.js';
import {
  ACT_OPTIONS,
  type BalanceChoice,
  checkUnits,
  type CreditOptions,
  type DebitOptions,
  endOf,
  hourAt,
  type IdentityChoice,
  invalid,
  noteOf,
  orderOf,
  readAct,
  type ReconcileOptions,
} from './call-options.js';
import type { Credit, Credited } from './credit.js';
import { findBalance, type FoundBalance, type Owner } from './find-balance.js';
import { type LowPolicy, marksBetween, tellingOf } from './low-marks.js';
import { type LowCause, publishLow } from './low-balance.js';
import { type Posting, type PostingNote, postingsOf } from './posting.js';
import { actOf } from './posting-act.js';

/** What a credit has done. */
export interface CreditResult {
  /** Units that the balance holds now. */
  readonly balance: number;
  /** False if the id was counted before, so that this call has changed nothing. */
  readonly isNew: boolean;
}

/** What a debit has done. */
export interface DebitResult extends CreditResult {
  /** Units that the balance did not have, now or when the id was counted: yours to collect in another way. */
  readonly rest: number;
}

const DEBIT_OPTIONS = ['id', ...ACT_OPTIONS] as const;
const CREDIT_OPTIONS = [...DEBIT_OPTIONS, 'expiresAt', 'order'] as const;

/** The calls about balances, for a subject or an identity. */
export class BalanceCalls<S> {
  readonly #requests: Requests<S>;

  constructor(requests: Requests<S>) {
    this.#requests = requests;
  }

  async credit(owner: Owner<S>, units: number, options: CreditOptions & IdentityChoice): Promise<CreditResult> {
    checkCallOptions('credit', options, namesFor(owner, CREDIT_OPTIONS));
    checkUnits('credit', units, 1);
    const given = Object(options) as Partial<CreditOptions>;
    const { id, note } = readAct('credit', given);
    const terms = { expiresAt: endOf(given.expiresAt, Date.now()), order: orderOf(given.order) };
    const { balance, isNew } = await this.#change('credit', owner, options, { units, id, note, ...terms });
    return { balance, isNew };
  }

  async debit(owner: Owner<S>, units: number, options: DebitOptions & IdentityChoice): Promise<DebitResult> {
    checkCallOptions('debit', options, namesFor(owner, DEBIT_OPTIONS));
    checkUnits('debit', units, 1);
    const { id, note } = readAct('debit', Object(options) as Partial<DebitOptions>);
    const { balance, isNew, rest = 0 } = await this.#change('debit', owner, options, { units: -units, id, note });
    return { balance, isNew, rest };
  }

  async reconcile(owner: Owner<S>, units: number, options: ReconcileOptions): Promise<number> {
    checkCallOptions('reconcile', options, ['asOf', ...ACT_OPTIONS]);
    checkUnits('reconcile', units, 0);
    const { asOf, tier, by, reason } = Object(options) as Partial<ReconcileOptions>;
    const since = hourAt(asOf, Date.now());
    const note = noteOf('reconcile', { by, reason });
    const found = await findBalance(this.#requests, owner, { call: 'reconcile', tier });
    const reconcile = async () => this.#requests.store.act!(found, reconcileAct({ units, since, note }));
    const [balance] = await this.#reported(found, 'reconcile', { by }, reconcile);
    // It may be low now.
    if (tellingOf(found.policy) !== undefined) await this.#send(found, { units: 0, id: '' }, 'taken');
    return balance as number;
  }

  async postings(owner: Owner<S>, options: BalanceChoice & IdentityChoice = {}): Promise<readonly Posting[]> {
    checkCallOptions('postings', options, namesFor(owner, ['tier']));
    return this.#postings(await findBalance(this.#requests, owner, { call: 'postings', ...options }));
  }

  async #postings(found: FoundBalance): Promise<readonly Posting[]> {
    const { posted = 0, postings = [] } = (await this.#send(found, { units: 0, id: '' }))!;
    return postingsOf(posted, postings);
  }

  /**
   * Runs a change, and reports it if a person makes it: the posting has the clock of the store. It is looked for, too, if no reply says
   * whether there is one, and for a repetition, whose first reply may have been lost. The change does not fail by it.
   */
  async #reported<T>(
    found: FoundBalance,
    call: Posting['kind'],
    { id, by }: PostingNote,
    change: () => Promise<T>,
  ): Promise<T> {
    if (by === undefined) return change();
    const { store } = this.#requests;
    const isOurs = (each: Posting) => each.kind === call && each.by === by && (id ?? each.id) === each.id;
    const find = async () => actOf(found, (await this.#postings(found)).find(isOurs));
    try {
      const done = await change();
      await seekAct(store, find);
      return done;
    } catch (error) {
      if (error instanceof StoreError) void seekAct(store, find);
      throw error;
    }
  }

  async #change(
    call: 'credit' | 'debit',
    owner: Owner<S>,
    { tier, partition }: BalanceChoice & IdentityChoice,
    change: Credit,
  ): Promise<Credited> {
    const found = await findBalance(this.#requests, owner, { call, tier, partition });
    const note = (change.note ? JSON.parse(change.note) : {}) as PostingNote;
    return this.#reported(found, call, note, async () => {
      const credited = await this.#send(found, change);
      checkCounted(call, change.units, credited);
      return credited;
    });
  }

  /** Reports what the change has made low. */
  async #send(found: FoundBalance, change: Credit, cause = causeOf(change)): Promise<Credited | undefined> {
    const tells = tellingOf(found.policy) !== undefined;
    const told = { ...change, tells };
    const credited = creditedBy(await this.#requests.store.act!(found, creditAct(told)), told);
    const { balance = 0, low = 0 } = credited ?? {};
    const policy = found.policy as LowPolicy;
    for (const mark of marksBetween(policy, balance, low)) {
      publishLow({ tier: found.tier, key: found.key, policy, mark, balance, cause }, undefined);
    }
    return credited;
  }
}

/** Of a low balance: nothing but a debit takes units that have not ended. */
function causeOf({ units }: Credit): LowCause {
  return units < 0 ? 'taken' : 'ended';
}

function namesFor(owner: object, names: readonly string[]): readonly string[] {
  return 'identity' in owner ? [...names, 'partition'] : names;
}

/** @throws UsageError for units that were not counted, unless the same were counted before */
function checkCounted(call: 'credit' | 'debit', units: number, credited?: Credited): asserts credited is Credited {
  if (credited === undefined) {
    throw invalid(`${call}: units must not bring the balance above ${MAX_BALANCE}, got ${units}: nothing was added`);
  }
  const { full, units: counted = units } = credited;
  if (full !== undefined) throw invalid(`credit: ${tooMany(full)}`);
  if (counted === units) return;
  const deed = counted > 0 ? `added ${counted}` : `taken ${-counted}`;
  const remedy = `Write the units of that call, or give another ${call} an id of its own`;
  throw invalid(
    `${call}: this id has ${deed} units before, got ${Math.abs(units)}: nothing was ${call === 'credit' ? 'added' : 'taken'}. ${remedy}`,
  );
}

function tooMany({ endsAt, units }: NonNullable<Credited['full']>): string {
  const next = endsAt > 0 ? `, the next of which has ${units} units and ends at ${new Date(endsAt).toISOString()}` : '';
  const remedy = 'Give it the end and the order of one of them, or call again when one is spent or has ended';
  return `the balance has 16 grants with units${next}: nothing was added. ${remedy}`;
}
