import { peerOption } from './peer-options.js';

describe('peerOption', () => {
  it.each([
    ['max', 'limit', 'is called limit here'],
    ['windowMs', 'window', 'is called window here'],
    ['keyGenerator', 'key', 'is called key here'],
    ['handler', 'onDenied', 'is called onDenied here'],
    ['message', 'body', 'is called body here'],
    ['throttlers', 'tiers', 'is called tiers here'],
    [
      'limiter',
      'algorithm',
      "is not an option here: use algorithm: 'sliding-window', 'fixed-window' or 'token-bucket', with limit and window",
    ],
    [
      'capacity',
      'limit',
      "is not an option here: use algorithm: 'token-bucket' with burst: its capacity, and limit and window: its rate",
    ],
    [
      'refillRate',
      'limit',
      "is not an option here: use limit and window: limit: 10 and window: '1s' refill 10 each second",
    ],
    ['concurrency', 'algorithm', "is not an option here: use algorithm: 'concurrency' with limit"],
    [
      'minTime',
      'algorithm',
      "is not an option here: use algorithm: 'leaky-bucket' with queue, limit: 1 and window: the time between two",
    ],
    ['analytics', 'store', 'has no equivalent: collectMetrics of @sluice/metrics counts'],
    ['failOpen', 'onStoreFailure', "is not an option here: use onStoreFailure: 'allow' for true, 'deny' for false"],
    [
      'default',
      'tiers',
      "is not an option here: use { limit, window }, or tiers: [{ name: 'default', limit, window }] for several limits",
    ],
    ['statusCode', 'onDenied', 'is not an option here: use onDenied, and set the status there'],
    ['skipSuccessfulRequests', 'refundWhen', 'is not an option here: use refundWhen: (status) => status < 400'],
    ['redis', 'store', 'is not an option here: use store: redisStore({ url }), or redisStore(client)'],
    [
      'passOnStoreError',
      'onStoreFailure',
      "is not an option here: use onStoreFailure: 'allow' for true, 'deny' for false",
    ],
  ])('says what replaces %s: %s', (name, ours, answer) => {
    expect(peerOption(name, ['other', ours])).toBe(answer);
  });

  it('is undefined where the replacement is not an option', () => {
    expect(peerOption('handler', ['limit', 'window'])).toBeUndefined();
  });

  it.each(['colour', 'constructor', 'toString', '__proto__'])('is undefined for the unknown name %s', (name) => {
    expect(peerOption(name, ['limit', name])).toBeUndefined();
  });
});
