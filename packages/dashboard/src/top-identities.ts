import type { Track } from '@sluice/core';
import { RecentTop } from '@sluice/core/operations';
import type { TopEntry } from './messages.js';

/** A digest has this length. What follows it in an item is its label. */
const DIGEST_LENGTH = 22;
/** Characters of a digest that are shown. */
const SHOWN = 8;
const ENTRIES = 20;

/** The identities that tiers see most, in the last 30 to 60 seconds. */
export class TopIdentities {
  readonly #clock: () => number;
  readonly #tiers = new Map<string, RecentTop>();

  /** @param clock milliseconds since the start */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  count({ tier, digest, label = '' }: Track): void {
    let top = this.#tiers.get(tier);
    if (top === undefined) this.#tiers.set(tier, (top = new RecentTop(this.#clock)));
    top.count(digest + label);
  }

  /** The most frequent of all tiers, the most frequent first. */
  entries(): readonly TopEntry[] {
    const all = [...this.#tiers].flatMap(([tier, top]) => {
      const { total } = top;
      return top.top(ENTRIES).map(({ item, count, error }): TopEntry => {
        const label = item.slice(DIGEST_LENGTH);
        const named = label === '' ? {} : { label };
        return { tier, digest: item.slice(0, SHOWN), ...named, count, error, share: (count - error) / total };
      });
    });
    const certain = all.filter(({ count, error }) => count > error);
    return certain.toSorted((one, other) => other.count - other.error - (one.count - one.error)).slice(0, ENTRIES);
  }

  /** The whole digest of an entry. Undefined if it is not among the most frequent any more. */
  digestOf(tier: string, shown: string): string | undefined {
    const item = this.#tiers
      .get(tier)
      ?.top(Infinity)
      .find((each) => each.item.startsWith(shown));
    return item?.item.slice(0, DIGEST_LENGTH);
  }
}
