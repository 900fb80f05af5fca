const MAX_BYTES = 8_192;
/** A summary of at most 8 KiB: a process with many tiers leaves out those with the fewest decisions. */
export function encodeSummary({ tiers, denied, asking, ...rest }) {
    let lists = { tiers, denied, asking };
    let text = JSON.stringify({ ...rest, ...packed(lists) });
    while (Buffer.byteLength(text) > MAX_BYTES) {
        lists = { tiers: shorter(lists.tiers), denied: shorter(lists.denied), asking: shorter(lists.asking) };
        text = JSON.stringify({ ...rest, ...packed(lists) });
    }
    return text;
}
/** Undefined for a summary of another version. */
export function decodeSummary(text, version) {
    const summary = JSON.parse(text);
    if (summary.version !== version)
        return undefined;
    const identity = ([tier, digest, count, error]) => ({ tier, digest, count, error });
    return {
        ...summary,
        tiers: summary.tiers.map(([name, shadow, within, near, over, never, denied, asking]) => ({
            name,
            shadow: shadow === 1,
            outcomes: { within, near, over, never },
            denied,
            asking,
        })),
        denied: summary.denied.map(identity),
        asking: summary.asking.map(identity),
    };
}
function packed({ tiers, denied, asking }) {
    const identity = ({ tier, digest, count, error }) => [tier, digest, count, error];
    return {
        tiers: tiers.map((tier) => {
            const { within, near, over, never } = tier.outcomes;
            return [tier.name, tier.shadow ? 1 : 0, within, near, over, never, tier.denied, tier.asking];
        }),
        denied: denied.map(identity),
        asking: asking.map(identity),
    };
}
function shorter(list) {
    return list.slice(0, Math.floor(list.length * 0.75));
}
