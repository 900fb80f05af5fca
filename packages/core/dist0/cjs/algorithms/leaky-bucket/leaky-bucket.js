"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.leakyBucket = void 0;
const token_bucket_js_1 = require("../token-bucket/token-bucket.js");
/**
 * As a meter, the token bucket seen from the other side: level + cost <= burst. As a queue, a bucket of queue + 1
 * places whose requests wait until the one before them has left.
 */
exports.leakyBucket = {
    ...token_bucket_js_1.tokenBucket,
    name: 'leaky-bucket',
    code: 'lb',
    options: ['limit', 'window', 'burst', 'queue'],
    define(options) {
        const queued = options.has('queue');
        if (!queued)
            return meterPolicy((0, token_bucket_js_1.defineBucket)(options, 'leaky-bucket', { name: 'burst', code: 'BURST_INVALID' }));
        if (options.has('burst'))
            throw options.fail('BURST_INVALID', 'burst', 'cannot stand beside queue: choose one');
        const policy = (0, token_bucket_js_1.defineBucket)(options, 'leaky-bucket', { name: 'queue', code: 'QUEUE_INVALID', besides: 1 });
        return Object.freeze({ ...policy, queued, numbers: [...policy.numbers, 1] });
    },
    describe(tat, now, policy, asked) {
        const description = token_bucket_js_1.tokenBucket.describe(tat, now, policy, asked);
        if (!policy.queued || asked.retryAfter !== 0)
            return description;
        // Whoever is charged waits for those before it; whoever only looks would wait for all that are there.
        const before = token_bucket_js_1.tokenBucket.refund(tat, now, policy, { units: asked.charged, at: now, until: Infinity });
        return { ...description, delay: token_bucket_js_1.tokenBucket.describe(before.state, now, policy, asked).resetAfter };
    },
    refund(stored, now, policy, charge) {
        // A place that others stand behind passes unused.
        if (policy.queued && token_bucket_js_1.tokenBucket.expiresAt(stored, policy) !== charge.until)
            return { state: stored, given: 0 };
        return token_bucket_js_1.tokenBucket.refund(stored, now, policy, charge);
    },
};
function meterPolicy(policy) {
    return Object.freeze({ ...policy, queued: false, numbers: [...policy.numbers, 0] });
}
//# sourceMappingURL=leaky-bucket.js.map