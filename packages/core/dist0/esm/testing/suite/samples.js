/** Units that each sample holds. */
export const HELD = 5;
/** Every algorithm, as policies of five units of which none comes back while a test runs. */
export const SAMPLES = {
    'fixed-window': { algorithm: 'fixed-window', limit: HELD, window: '1h' },
    'sliding-window': { limit: HELD, window: '1h' },
    'sliding-window of 60 slots': { limit: HELD, window: '1h', precision: 60 },
    'sliding-window, strict': { limit: HELD, window: '1h', strict: true },
    'sliding-window-log': { algorithm: 'sliding-window-log', limit: HELD, window: '1h' },
    'token-bucket': { algorithm: 'token-bucket', limit: 1, window: '1h', burst: HELD },
    'token-bucket whose rate does not divide its window': {
        algorithm: 'token-bucket',
        limit: 7,
        window: '1d',
        burst: HELD,
    },
    'leaky-bucket as a meter': { algorithm: 'leaky-bucket', limit: 1, window: '1h', burst: HELD },
    'leaky-bucket as a queue': { algorithm: 'leaky-bucket', limit: 1, window: '1h', queue: HELD - 1 },
    'multi-window': {
        algorithm: 'multi-window',
        windows: [
            { limit: HELD, window: '1h' },
            { limit: HELD + 3, window: '3h' },
        ],
    },
};
//# sourceMappingURL=samples.js.map