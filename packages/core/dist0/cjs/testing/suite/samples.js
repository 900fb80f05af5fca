"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.SAMPLES = exports.HELD = void 0;
/** Units that each sample holds. */
exports.HELD = 5;
/** Every algorithm, as policies of five units of which none comes back while a test runs. */
exports.SAMPLES = {
    'fixed-window': { algorithm: 'fixed-window', limit: exports.HELD, window: '1h' },
    'sliding-window': { limit: exports.HELD, window: '1h' },
    'sliding-window of 60 slots': { limit: exports.HELD, window: '1h', precision: 60 },
    'sliding-window, strict': { limit: exports.HELD, window: '1h', strict: true },
    'sliding-window-log': { algorithm: 'sliding-window-log', limit: exports.HELD, window: '1h' },
    'token-bucket': { algorithm: 'token-bucket', limit: 1, window: '1h', burst: exports.HELD },
    'token-bucket whose rate does not divide its window': {
        algorithm: 'token-bucket',
        limit: 7,
        window: '1d',
        burst: exports.HELD,
    },
    'leaky-bucket as a meter': { algorithm: 'leaky-bucket', limit: 1, window: '1h', burst: exports.HELD },
    'leaky-bucket as a queue': { algorithm: 'leaky-bucket', limit: 1, window: '1h', queue: exports.HELD - 1 },
    'multi-window': {
        algorithm: 'multi-window',
        windows: [
            { limit: exports.HELD, window: '1h' },
            { limit: exports.HELD + 3, window: '3h' },
        ],
    },
};
//# sourceMappingURL=samples.js.map