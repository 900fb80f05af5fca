import { RecentTop } from '@sluice/core/operations';
/** A digest has this length. What follows it in an item is its label. */
const DIGEST_LENGTH = 22;
/** Characters of a digest that are shown. */
const SHOWN = 8;
const ENTRIES = 20;
const NONE = { identities: [], totalOf: () => 0 };
/** The identities that tiers see most, in the last 30 to 60 seconds. */
export class TopIdentities {
    #clock;
    #tiers = new Map();
    /** @param clock milliseconds since the start */
    constructor(clock) {
        this.#clock = clock;
    }
    count({ tier, digest, label = '' }) {
        let top = this.#tiers.get(tier);
        if (top === undefined)
            this.#tiers.set(tier, (top = new RecentTop(this.#clock)));
        top.count(digest + label);
    }
    /**
     * The most frequent of all tiers, the most frequent first.
     *
     * @param others what other processes have counted
     */
    entries({ identities, totalOf } = NONE) {
        const all = new Map();
        for (const each of [...this.frequent(Infinity), ...identities]) {
            const key = `${each.tier} ${each.digest}`;
            const known = all.get(key);
            const label = known?.label ?? each.label;
            const count = each.count + (known?.count ?? 0);
            const error = each.error + (known?.error ?? 0);
            all.set(key, { ...each, label, count, error });
        }
        return first(all.values(), ENTRIES).map(({ tier, digest, label, count, error }) => {
            const share = (count - error) / (this.total(tier) + totalOf(tier));
            return { tier, digest: digest.slice(0, SHOWN), ...(label && { label }), count, error, share };
        });
    }
    /** The most frequent of all tiers, with their digests. */
    frequent(length) {
        const all = [...this.#tiers].flatMap(([tier, top]) => top.top(length).map(({ item, count, error }) => {
            return { tier, digest: item.slice(0, DIGEST_LENGTH), label: item.slice(DIGEST_LENGTH), count, error };
        }));
        return first(all, length);
    }
    /** All that was counted in a tier. */
    total(tier) {
        return this.#tiers.get(tier)?.total ?? 0;
    }
    /** The whole digest of an entry. Undefined if it is not among the most frequent any more. */
    digestOf(tier, shown) {
        const found = this.frequent(Infinity).find((each) => each.tier === tier && each.digest.startsWith(shown));
        return found?.digest;
    }
}
/** Those with the highest counts that are certain: a new item of a list has the count that it took over. */
function first(identities, length) {
    const certain = [...identities].filter(({ count, error }) => count > error);
    return certain.toSorted((one, other) => other.count - other.error - (one.count - one.error)).slice(0, length);
}
