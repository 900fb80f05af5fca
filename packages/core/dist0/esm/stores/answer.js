import { toOutcome } from '../model/outcome.js';
import { toReceipt } from '../model/receipt.js';
/**
 * What a store says of a group of claims that were ruled on.
 *
 * @param now when, in microseconds of the store's clock
 * @param asked when it was asked, in milliseconds of `performance.now()`
 */
export function toAnswer(group, rulings, now, source, asked) {
    const { outcomes, receipts } = group.length === 1 ? sayOne(group[0], rulings[0], now) : sayAll(group, rulings, now);
    return asked === undefined ? { outcomes, receipts, source } : { outcomes, receipts, source, asked };
}
/** Most claims are alone, and an array that is written with what is in it is made fastest. */
function sayOne(claim, ruling, now) {
    return { outcomes: [toOutcome(claim, ruling)], receipts: ruling.charged > 0 ? [toReceipt(claim, ruling, now)] : [] };
}
function sayAll(group, rulings, now) {
    const outcomes = [];
    const receipts = [];
    for (let index = 0; index < group.length; index += 1) {
        const claim = group[index];
        const ruling = rulings[index];
        outcomes.push(toOutcome(claim, ruling));
        if (ruling.charged > 0)
            receipts.push(toReceipt(claim, ruling, now));
    }
    return { outcomes, receipts };
}
//# sourceMappingURL=answer.js.map