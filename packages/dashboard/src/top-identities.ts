import { digestIn, RecentTop } from '@sluice/metrics/operations';
import type { TopEntry } from './messages.js';
import type { FrequentIdentity } from './process-summary.js';

/** Between a key and its label. No key has it. */
const SEPARATOR = '\n';
/** Characters of a digest that are shown. */
const SHOWN_LENGTH = 8;
const ENTRIES = 20;
/** Of each tier, for the sum with those of other processes. */
const MERGED = 40;

/** What other processes have counted. */
export interface OtherIdentities {
  readonly identities: readonly (FrequentIdentity & { readonly label?: string })[];
  readonly totalOf: (tier: string) => number;
}

type Known = FrequentIdentity & { readonly label?: string | undefined };

const NONE: OtherIdentities = { identities: [], totalOf: () => 0 };

/** The identities that tiers see most, in the last 30 to 60 seconds. */
export class TopIdentities {
  readonly #clock: () => number;
  readonly #tiers = new Map<string, RecentTop>();

  /** @param clock milliseconds since the start */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** @param key of the store: it is one text for all decisions, so it is found fast */
  count(tier: string, key: string, label: string | undefined): void {
    let top = this.#tiers.get(tier);
    if (top === undefined) this.#tiers.set(tier, (top = new RecentTop(this.#clock)));
    top.count(label === undefined ? key : key + SEPARATOR + label);
  }

  /**
   * The most frequent of all tiers, the most frequent first.
   *
   * @param others what other processes have counted
   */
  entries({ identities, totalOf }: OtherIdentities = NONE): readonly TopEntry[] {
    const all = new Map<string, Known>();
    for (const each of [...this.#each(MERGED), ...identities]) {
      const key = `${each.tier} ${each.digest}`;
      const known = all.get(key);
      const label = known?.label ?? each.label;
      const count = each.count + (known?.count ?? 0);
      const error = each.error + (known?.error ?? 0);
      all.set(key, { ...each, label, count, error });
    }
    return first(all.values(), ENTRIES).map(({ tier, digest, label, count, error }): TopEntry => {
      const share = (count - error) / (this.total(tier) + totalOf(tier));
      return { tier, digest: shownDigest(digest), ...(label && { label }), count, error, share };
    });
  }

  /** The most frequent of all tiers, with their digests. */
  frequent(length: number): readonly Known[] {
    return first(this.#each(length), length);
  }

  /** All that was counted in a tier. */
  total(tier: string): number {
    return this.#tiers.get(tier)?.total ?? 0;
  }

  /** The whole digest of an entry. Undefined if it is not among the most frequent any more. */
  digestOf(tier: string, shown: string): string | undefined {
    return findDigest(this.#each(Infinity), tier, shown);
  }

  /** The most frequent of each tier. */
  #each(length: number): readonly Known[] {
    return [...this.#tiers].flatMap(([tier, top]) =>
      top.top(length).map(({ item, count, error }): Known => {
        const [key = '', ...lines] = item.split(SEPARATOR);
        const label = lines.length === 0 ? undefined : lines.join(SEPARATOR);
        return { tier, digest: digestIn(key, tier), label, count, error };
      }),
    );
  }
}

/** As lists show it. */
export function shownDigest(digest: string): string {
  return digest.slice(0, SHOWN_LENGTH);
}

/** The whole digest of an entry of a list. */
export function findDigest(identities: readonly FrequentIdentity[], tier: string, shown: string): string | undefined {
  return identities.find((each) => each.tier === tier && shownDigest(each.digest) === shown)?.digest;
}

/** Those with the highest counts that are certain: a new item of a list has the count that it took over. */
function first<T extends FrequentIdentity>(identities: Iterable<T>, length: number): readonly T[] {
  const certain = [...identities].filter(({ count, error }) => count > error);
  return certain.toSorted((one, other) => other.count - other.error - (one.count - one.error)).slice(0, length);
}
