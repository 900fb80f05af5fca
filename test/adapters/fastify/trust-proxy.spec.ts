import { rateLimit } from '@sluice/fastify';
import { fastify, type FastifyServerOptions } from 'fastify';
import { remainingOf } from '../../support/responses.js';
import { siteOpener } from '../../support/site.js';

type TrustProxy = FastifyServerOptions['trustProxy'] | number;

describe('trustProxy of Fastify', () => {
  const open = siteOpener();

  // Some of these settings deserve a warning, which has specs of its own.
  beforeEach(() => jest.spyOn(process, 'emitWarning').mockReturnValue());
  afterEach(() => jest.restoreAllMocks());

  async function remainingFrom(trustProxy: TrustProxy, ...addresses: string[]) {
    const app = fastify({ trustProxy: trustProxy as boolean });
    await app.register(rateLimit, { limit: 9, window: '1h' });
    app.get('/', () => 'served');
    const site = await open(app);
    return remainingOf(await site.sendEach([{}, ...addresses.map((from) => ({ from }))]));
  }

  it.each<[string, TrustProxy]>([
    ['false', false],
    ['another address', '10.0.0.0/8'],
    ['a number', 1],
  ])('C48 set to %s counts the peer, whatever the client claims', async (_what, trustProxy) => {
    const remaining = await remainingFrom(trustProxy, '6.6.6.6', '6.6.6.7, 203.0.113.9', 'evil', '');

    expect(remaining).toEqual([8, 7, 6, 5, 4]);
  });

  it.each<[string, TrustProxy]>([
    ['loopback', 'loopback'],
    ['the address of the peer', '127.0.0.1'],
    ['a network of the peer', ['127.0.0.0/8']],
    ['a function that trusts the peer', (address: string) => address === '127.0.0.1'],
  ])('C48 set to %s counts the address that the peer reports', async (_what, trustProxy) => {
    const remaining = await remainingFrom(
      trustProxy,
      '203.0.113.9',
      '6.6.6.6, 203.0.113.9',
      '6.6.6.7,203.0.113.9',
      '203.0.113.10',
      '203.0.113.9:51234',
    );

    expect(remaining).toEqual([8, 8, 7, 6, 8, 5]);
  });
});
