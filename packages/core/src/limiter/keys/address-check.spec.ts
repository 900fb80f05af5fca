import type { Key } from '../../model/identity.js';
import { freshModules } from '../../../../../test/support/fresh-modules.js';

describe('AddressCheck', () => {
  it.each<Key>([
    '2001:db8::1',
    'FE80::1%eth0',
    '::1',
    '::ffff:192.0.2.1',
    '2001:db8::1/login',
    { kind: 'ip', parts: ['2001:db8::1'] },
    { kind: 'ip+path', parts: ['/login', '2001:db8::1'] },
  ])('warns once of an identity with a raw IPv6 address: %j', async (identity) => {
    expect(await warningsOf([identity, identity])).toEqual(['SLUICE_RAW_IPV6_KEY']);
  });

  it.each<Key>([
    '192.0.2.1',
    'ada',
    '12::34',
    '00:1b:44:11:3a:b7',
    '2001:db8::/64',
    { kind: 'ip', parts: ['2001:db8:0:0:0:0:0:0/64'] },
  ])('accepts the identity %j', async (identity) => {
    expect(await warningsOf([identity])).toEqual([]);
  });

  it('stops after 1 000 identities', async () => {
    const users = Array.from({ length: 1_000 }, (_, index) => `user-${index}`);

    expect(await warningsOf([...users, '2001:db8::1'])).toEqual([]);
  });
});

/** The codes of the warnings in a process that counts these identities. */
async function warningsOf(identities: readonly Key[]): Promise<readonly unknown[]> {
  freshModules();
  const { createLimiter } = await import('../limiter.js');
  const emitted = jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);
  const limiter = createLimiter({ key: (identity: Key) => identity, limit: 5, window: '1m' });
  for (const identity of identities) await limiter.consume(identity);
  const codes = emitted.mock.calls.map(([, options]) => (options as unknown as { code: string }).code);
  emitted.mockRestore();
  return codes;
}
