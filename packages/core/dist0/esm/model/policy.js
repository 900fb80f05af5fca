const texts = new WeakMap();
/** True when two policies decide alike. */
export function samePolicy(one, other) {
    return one === other || policyText(one) === policyText(other);
}
/** Text that is the same only for policies that decide alike. */
export function policyText(policy) {
    const known = texts.get(policy);
    if (known !== undefined)
        return known;
    const text = `${policy.dimensions} ${policy.numbers.join()}`;
    texts.set(policy, text);
    return text;
}
//# sourceMappingURL=policy.js.map