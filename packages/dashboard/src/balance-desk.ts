import { limitersOf, type LimiterView, type Store } from '@sluice/core';
import { creditsOf } from '@sluice/quotas';
import { authorOf } from './change-desk.js';
import type { Caller } from './api/role.js';
import { HttpFailure } from './http-failure.js';
import type { IdentityDesk } from './identity-desk.js';
import type { Balance, Crediting } from './messages.js';

const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 86_400_000;

/** Changes the balances of identities in the name of a caller. */
export class BalanceDesk {
  readonly #store: Store;
  readonly #identities: IdentityDesk;

  constructor(store: Store, identities: IdentityDesk) {
    this.#store = store;
    this.#identities = identities;
  }

  /** @throws HttpFailure 400, 404; UsageError for another number of units under a known id; StoreError */
  async credit(body: Crediting, caller: Caller): Promise<Balance> {
    const { units, expiresAt } = body;
    const { limiter, identity, options } = this.#balanceOf(body, caller);
    const end = expiresAt === undefined ? undefined : momentOf(expiresAt);
    return creditsOf(limiter).creditFor(identity, units, { ...options, ...(end !== undefined && { expiresAt: end }) });
  }

  /** @throws as `credit` */
  async debit(body: Crediting, caller: Caller): Promise<Balance> {
    const { limiter, identity, options } = this.#balanceOf(body, caller);
    const { balance, isNew, rest } = await creditsOf(limiter).debitFor(identity, body.units, options);
    return { balance, isNew, missing: rest };
  }

  #balanceOf(body: Crediting, caller: Caller) {
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

/** As `until` of an override: a date is its end in UTC. @throws HttpFailure 400 */
function momentOf(given: number | string): number {
  const moment = typeof given === 'number' ? given : Date.parse(given) + (DAY.test(given) ? DAY_MS : 0);
  if (Number.isSafeInteger(moment)) return moment;
  throw new HttpFailure(400, 'expiresAt must be a moment such as 2027-01-31 or 2027-01-31T12:00:00Z');
}
