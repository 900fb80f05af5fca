"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.DescribedClaims = void 0;
/** Claims that a script describes, one after the other. */
class DescribedClaims {
    #told;
    #position;
    constructor(told, position) {
        this.#told = told;
        this.#position = position;
    }
    /** The rulings of the next group, or why it could not be decided. */
    next(group, peek) {
        const problem = this.#told[this.#position];
        if (typeof problem !== 'string')
            return this.rulings(group, peek);
        this.#position += 1;
        return problem;
    }
    rulings(group, peek) {
        const numbers = group.map((claim) => this.#numbersOf(claim));
        const admitted = !peek && numbers.every(({ retryAfter }, index) => retryAfter === 0 || group[index].shadow);
        return numbers.map((each, index) => rulingOf(group[index], each, admitted));
    }
    #numbersOf({ policy, countDenied }) {
        const detailed = policy.algorithm === 'leaky-bucket' || policy.algorithm === 'multi-window';
        return {
            remaining: this.#number(),
            retryAfter: this.#number(),
            replenishAfter: this.#number(),
            resetAfter: this.#number(),
            detail: detailed ? this.#number() : undefined,
            charged: countDenied ? this.#number() : undefined,
        };
    }
    #number() {
        this.#position += 1;
        return this.#told[this.#position - 1];
    }
}
exports.DescribedClaims = DescribedClaims;
function rulingOf({ policy, cost }, numbers, admitted) {
    const { remaining, retryAfter, replenishAfter, resetAfter, detail, charged } = numbers;
    return {
        charged: charged ?? (admitted && retryAfter === 0 ? cost : 0),
        limit: policy.algorithm === 'multi-window' ? detail : policy.quota,
        remaining,
        retryAfter,
        replenishAfter,
        resetAfter,
        delay: policy.algorithm === 'leaky-bucket' ? detail : 0,
    };
}
//# sourceMappingURL=described-claims.js.map