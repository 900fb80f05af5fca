import { randomUUID } from 'node:crypto';
import { definePolicy } from '../../algorithms/policy-options.js';
export function trialsOf(runner, makeStore) {
    return (sentence, test) => {
        runner.it(sentence, async () => {
            const store = await makeStore();
            try {
                await test(store, freshClaims());
            }
            finally {
                await store.close();
            }
        });
    };
}
function freshClaims() {
    // One hash tag a test, so that a Cluster decides its groups in one place too.
    const tag = `suite:{${randomUUID()}}`;
    return (tier, options, more) => ({
        tier,
        key: `${tag}:${tier}:xx000`,
        policy: definePolicy(options),
        cost: 1,
        shadow: false,
        countDenied: false,
        record: undefined,
        ...more,
    });
}
//# sourceMappingURL=trial.js.map