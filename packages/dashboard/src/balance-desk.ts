import { limitersOf, type Key, type LimiterView, type Store } from '@sluice/core';
import { creditsOf } from '@sluice/quotas';
import { authorOf, momentOf } from './change-desk.js';
import type { Caller } from './api/role.js';
import { HttpFailure } from './http-failure.js';
import type { IdentityDesk, Named } from './identity-desk.js';
import type { Balance, Crediting } from './messages.js';
import type { BoundsOfRoles } from './support-bounds.js';

/** A balance that a request names, and what its calls take. */
interface FoundBalance {
  readonly limiter: LimiterView;
  readonly identity: Named['identity'];
  readonly options: ReturnType<typeof authorOf> & {
    readonly tier: string;
    readonly partition?: Key | undefined;
  };
}

/** Changes the balances of identities in the name of a caller. */
export class BalanceDesk {
  readonly #store: Store;
  readonly #identities: IdentityDesk;
  readonly #bounds: BoundsOfRoles;

  constructor(store: Store, identities: IdentityDesk, bounds: BoundsOfRoles) {
    this.#store = store;
    this.#identities = identities;
    this.#bounds = bounds;
  }

  /** @throws HttpFailure 400, 403, 404, 409; UsageError for another number of units under a known id; StoreError */
  async credit(body: Crediting, caller: Caller): Promise<Balance> {
    const { units, expiresAt } = body;
    this.#bounds.checkUnits(caller, units);
    const found = this.#balanceOf(body, caller);
    const end = expiresAt === undefined ? {} : { expiresAt: momentOf('expiresAt', expiresAt) };
    const credits = creditsOf(found.limiter);
    const { balance, isNew } = await credits.creditFor(found.identity, units, { ...found.options, ...end });
    if (!isNew) await this.#checkRepetition('credit', found, end);
    return { balance, isNew };
  }

  /** @throws as `credit` */
  async debit(body: Crediting, caller: Caller): Promise<Balance> {
    const found = this.#balanceOf(body, caller);
    const { balance, isNew, rest } = await creditsOf(found.limiter).debitFor(found.identity, body.units, found.options);
    if (!isNew) await this.#checkRepetition('debit', found, {});
    return { balance, isNew, missing: rest };
  }

  /** The balance compares units alone: its posting also has an end, an author and a reason, while it is among the last 50. */
  async #checkRepetition(
    kind: 'credit' | 'debit',
    { limiter, identity, options }: FoundBalance,
    { expiresAt }: { readonly expiresAt?: number },
  ): Promise<void> {
    const { id, by, reason, tier, partition } = options;
    const owner = { tier, ...(partition !== undefined && { partition }) };
    const postings = await creditsOf(limiter).postingsFor(identity, owner);
    const known = postings.find((posting) => posting.id === id && posting.kind === kind);
    if (known === undefined || (known.by === by && known.reason === reason && known.expiresAt === expiresAt)) return;
    throw new HttpFailure(409, `${kind}: id names another change of this client: write a new id`);
  }

  #balanceOf(body: Crediting, caller: Caller): FoundBalance {
    const { identity, partition } = this.#identities.namedBy(body);
    const { limiter, tier } = this.#tierOf(body.tier);
    if (limiter.isPartitioned && partition === undefined) {
      throw new HttpFailure(400, `${tier} has a balance in each partition: send partition`);
    }
    const own = limiter.isPartitioned ? { partition } : {};
    return { limiter, identity, options: { ...authorOf(body, caller), id: body.id, tier, ...own } };
  }

  #tierOf(name: string | undefined): { readonly limiter: LimiterView; readonly tier: string } {
    const all = limitersOf(this.#store).flatMap((limiter) =>
      limiter.tiers.flatMap((tier) => (tier.policy.algorithm.neverRefills ? [{ limiter, tier: tier.name }] : [])),
    );
    const found = all.filter(({ tier }) => name === undefined || tier === name);
    const names = [...new Set(found.map(({ tier }) => tier))];
    if (names.length === 0) {
      const known = [...new Set(all.map(({ tier }) => tier))].join(', ') || 'none';
      throw new HttpFailure(404, `tier must name a balance: there is ${known}`);
    }
    if (names.length > 1) throw new HttpFailure(400, `send tier: there are balances in ${names.join(', ')}`);
    return found[0]!;
  }
}
