"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.trialsOf = trialsOf;
const node_crypto_1 = require("node:crypto");
const policy_options_js_1 = require("../../algorithms/policy-options.js");
function trialsOf(runner, makeStore) {
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
    const tag = `suite:{${(0, node_crypto_1.randomUUID)()}}`;
    return (tier, options, more) => ({
        tier,
        key: `${tag}:${tier}:xx000`,
        policy: (0, policy_options_js_1.definePolicy)(options),
        cost: 1,
        shadow: false,
        countDenied: false,
        record: undefined,
        ...more,
    });
}
//# sourceMappingURL=trial.js.map