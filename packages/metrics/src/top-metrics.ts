import type { Track } from '@sluice/core/internal';
import type { NumberPoint } from './point.js';
import { RecentTop } from './recent-top.js';

/** How concentrated the denials of each tier are. Digests are counted, and none of them is shown. */
export class TopMetrics {
  readonly #ranks: number;
  readonly #clock: () => number;
  readonly #tiers = new Map<string, RecentTop>();

  constructor(ranks: number, clock: () => number) {
    this.#ranks = ranks;
    this.#clock = clock;
  }

  /** @param tier its name in metrics */
  countDenied(tier: string, { digest }: Track): void {
    this.show(tier);
    this.#tiers.get(tier)!.count(digest);
  }

  show(tier: string): void {
    if (!this.#tiers.has(tier)) this.#tiers.set(tier, new RecentTop(this.#clock));
  }

  points(): readonly NumberPoint[] {
    return [...this.#tiers].flatMap(([tier, denied]) => {
      const { total } = denied;
      const top = denied.top(this.#ranks);
      return Array.from({ length: this.#ranks }, (_, index) => {
        const { count, error } = top[index] ?? { count: 0, error: 0 };
        const attributes = { 'sluice.tier': tier, 'sluice.rank': String(index + 1) };
        // What is certain: an identity that the counters have missed would seem frequent.
        return { attributes, value: total === 0 ? 0 : (count - error) / total };
      });
    });
  }
}
