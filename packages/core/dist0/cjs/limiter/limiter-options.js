"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.checkLimiterOptions = checkLimiterOptions;
const policy_options_js_1 = require("../algorithms/policy-options.js");
const errors_js_1 = require("../model/errors.js");
const on_store_failure_js_1 = require("../model/on-store-failure.js");
const option_reader_js_1 = require("../model/option-reader.js");
const option_names_js_1 = require("./option-names.js");
const SHARED = ['store', 'partition', 'prefix', 'secret', 'onStoreFailure', 'share', 'denyCache'];
/** Checks what is not about tiers. @throws ConfigError */
function checkLimiterOptions(options, besides = []) {
    if (typeof options !== 'object' || options === null) {
        throw new errors_js_1.ConfigError('OPTION_INVALID', 'options', options, `limiter: options must be an object, got ${(0, option_reader_js_1.show)(options)}`);
    }
    const reader = (0, option_names_js_1.readTierOptions)('limiter', options, (0, policy_options_js_1.algorithmName)(options, 'limiter'), [
        ...SHARED,
        'tiers',
        ...besides,
    ]);
    const beside = Object.keys(options).find((name) => ![...SHARED, 'tiers', ...besides].includes(name) && reader.has(name));
    if (reader.has('tiers') && beside !== undefined) {
        throw reader.fail('OPTION_INVALID', beside, 'belongs to a tier: write it inside tiers, or leave tiers out');
    }
    const { store, partition, prefix = 'rl', secret, share = 1 } = options;
    if (store !== undefined && (typeof store?.consume !== 'function' || 'settle' in store)) {
        throw reader.fail('OPTION_INVALID', 'store', 'must be a store, such as memoryStore() or redisStore(client)');
    }
    if (partition !== undefined && typeof partition !== 'function') {
        throw reader.fail('OPTION_INVALID', 'partition', 'must be a function of the subject');
    }
    reader.choice('denyCache', [true, false], true);
    reader.choice('onStoreFailure', on_store_failure_js_1.ON_STORE_FAILURE, 'local');
    if (typeof share !== 'number' || !(share > 0 && share <= 1)) {
        throw reader.fail('OPTION_INVALID', 'share', 'must be a number above 0 and at most 1, such as 1 / 3');
    }
    if (typeof prefix !== 'string' || !/^[\x21-\x7e]{1,32}$/.test(prefix) || /[{}]/.test(prefix)) {
        throw reader.fail('OPTION_INVALID', 'prefix', 'must be 1 to 32 printable ASCII characters without braces and spaces');
    }
    if (secret !== undefined && (typeof secret !== 'string' || secret === '')) {
        // The value is not shown: it is a secret, or was meant to be one.
        throw new errors_js_1.ConfigError('OPTION_INVALID', 'secret', undefined, 'limiter: secret must be a non-empty text');
    }
}
//# sourceMappingURL=limiter-options.js.map