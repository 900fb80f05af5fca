import { createLimiter, type Decision, type Limiter, type Store } from '../../../packages/core/src/index.js';
import { balance } from '@sluice/quotas';

export interface Caller {
  readonly user: string;
}

export const INCLUDED = 60;
export const CREDIT = 40;
export const ada = { user: 'ada' };

/** A limiter of a month, and of credits that cover it. */
export function limiterOn(store: Store): Limiter<Caller> {
  const key = ({ user }: Caller) => user;
  return createLimiter<Caller>({
    store,
    onStoreFailure: 'deny',
    tiers: [
      { name: 'month', key, algorithm: 'fixed-window', limit: INCLUDED, window: '1d' },
      { name: 'credits', key, algorithm: balance({ covers: ['month'] }), onStoreFailure: 'deny' },
    ],
  });
}

/** What a process knows of its requests. */
export class CreditJournal {
  charged = 0;
  refunded = 0;
  /** Units that Redis may have charged or given back, although no answer came. */
  readonly unknown = { charges: 0, refunds: 0 };

  async add(limiter: Limiter<Caller>, decision: Decision): Promise<void> {
    if (decision.reason === 'unavailable') this.unknown.charges += 1;
    if (!decision.allowed) return;
    this.charged += 1;
    if (this.charged % 5 > 0) return;
    const given = await limiter.refund(decision);
    this.refunded += given;
    this.unknown.refunds += 1 - given;
  }

  /** @param credited units. @returns how many more units Redis has counted than requests keep: 0 where each got an answer */
  async excess(limiter: Limiter<Caller>, credited: number): Promise<number> {
    const [month, credits] = await limiter.inspect(ada);
    const used = INCLUDED - month!.outcome.remaining + (credited - credits!.outcome.remaining);
    return used - (this.charged - this.refunded);
  }
}
