import { peerOption } from './peer-options.js';

describe('peerOption', () => {
  it.each([
    ['max', 'limit', 'is called limit here'],
    ['windowMs', 'window', 'is called window here'],
    ['keyGenerator', 'key', 'is called key here'],
    ['handler', 'onDenied', 'is called onDenied here'],
    ['message', 'body', 'is called body here'],
    ['throttlers', 'tiers', 'is called tiers here'],
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
