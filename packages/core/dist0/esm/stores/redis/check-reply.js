/** Reads the reply to groups: the server's microseconds, and the rulings of each or why it could not be decided. */
export function readRulings(asked, reply) {
    const values = new Values(numbersOf(reply));
    const now = values.next();
    const rulings = asked.map(({ group, peek }) => {
        if (values.isText())
            return values.next();
        return rulingsOf(group, peek, group.map((claim) => claimNumbers(claim, values)));
    });
    return { now, rulings };
}
function claimNumbers({ policy, countDenied }, values) {
    const detailed = policy.algorithm === 'leaky-bucket' || policy.algorithm === 'multi-window';
    return {
        remaining: values.number(),
        retryAfter: values.number(),
        replenishAfter: values.number(),
        resetAfter: values.number(),
        detail: detailed ? values.number() : undefined,
        charged: countDenied ? values.number() : undefined,
    };
}
function rulingsOf(group, peek, numbers) {
    const admitted = !peek && numbers.every(({ retryAfter }, index) => retryAfter === 0 || group[index].shadow);
    return numbers.map(({ remaining, retryAfter, replenishAfter, resetAfter, detail, charged }, index) => {
        const { policy, cost } = group[index];
        return {
            charged: charged ?? (admitted && retryAfter === 0 ? cost : 0),
            limit: policy.algorithm === 'multi-window' ? detail : policy.quota,
            remaining,
            retryAfter,
            replenishAfter,
            resetAfter,
            delay: policy.algorithm === 'leaky-bucket' ? detail : 0,
        };
    });
}
/** A reply of integers and error texts, also as a client gives it that has every number as a string. */
export function numbersOf(reply) {
    return reply.map((each) => {
        const number = Number(each);
        return Number.isNaN(number) ? each : number;
    });
}
/** Takes the values of a reply one by one. */
class Values {
    #values;
    #position = 0;
    constructor(values) {
        this.#values = values;
    }
    isText() {
        return typeof this.#values[this.#position] === 'string';
    }
    next() {
        this.#position += 1;
        return this.#values[this.#position - 1];
    }
    number() {
        return this.next();
    }
}
//# sourceMappingURL=check-reply.js.map