import { algorithmName } from '../algorithms/policy-options.js';
import { ConfigError } from '../model/errors.js';
import { ON_STORE_FAILURE } from '../model/on-store-failure.js';
import { show } from '../model/option-reader.js';
import { readTierOptions } from './option-names.js';
const SHARED = ['store', 'partition', 'prefix', 'secret', 'onStoreFailure', 'share', 'denyCache'];
/** Checks what is not about tiers. @throws ConfigError */
export function checkLimiterOptions(options, besides = []) {
    if (typeof options !== 'object' || options === null) {
        throw new ConfigError('OPTION_INVALID', 'options', options, `limiter: options must be an object, got ${show(options)}`);
    }
    const reader = readTierOptions('limiter', options, algorithmName(options, 'limiter'), [
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
    reader.choice('onStoreFailure', ON_STORE_FAILURE, 'local');
    if (typeof share !== 'number' || !(share > 0 && share <= 1)) {
        throw reader.fail('OPTION_INVALID', 'share', 'must be a number above 0 and at most 1, such as 1 / 3');
    }
    if (typeof prefix !== 'string' || !/^[\x21-\x7e]{1,32}$/.test(prefix) || /[{}]/.test(prefix)) {
        throw reader.fail('OPTION_INVALID', 'prefix', 'must be 1 to 32 printable ASCII characters without braces and spaces');
    }
    if (secret !== undefined && (typeof secret !== 'string' || secret === '')) {
        // The value is not shown: it is a secret, or was meant to be one.
        throw new ConfigError('OPTION_INVALID', 'secret', undefined, 'limiter: secret must be a non-empty text');
    }
}
//# sourceMappingURL=limiter-options.js.map