"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.samePolicy = samePolicy;
exports.policyText = policyText;
const texts = new WeakMap();
/** True when two policies decide alike. */
function samePolicy(one, other) {
    return one === other || policyText(one) === policyText(other);
}
/** Text that is the same only for policies that decide alike. */
function policyText(policy) {
    const known = texts.get(policy);
    if (known !== undefined)
        return known;
    const text = `${policy.dimensions} ${policy.numbers.join()}`;
    texts.set(policy, text);
    return text;
}
//# sourceMappingURL=policy.js.map