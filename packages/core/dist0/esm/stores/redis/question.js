import { algorithmOf } from '../../algorithms/index.js';
// To write the numbers anew for each call takes longer than to find them.
const written = new WeakMap();
/** A policy as the scripts read it. */
export function policyArguments(policy) {
    const known = written.get(policy);
    if (known)
        return known;
    const made = [algorithmOf(policy).code, policy.numbers.length, ...policy.numbers].map(String);
    written.set(policy, made);
    return made;
}
/** A reply of integers and error texts, also as a client gives it that has every number as a string. */
export function toldBy(reply) {
    const told = reply;
    if (told.every(isNumber))
        return told;
    return told.map((each) => {
        if (typeof each === 'number')
            return each;
        if (typeof each !== 'string')
            return toldBy(each);
        const number = Number(each);
        return Number.isNaN(number) ? each : number;
    });
}
function isNumber(told) {
    return typeof told === 'number';
}
//# sourceMappingURL=question.js.map