import { byApiKey, byHeader, byIp, byJwtSubject, compose, type HttpRequest } from '@sluice/http';
import { newAddress, newName } from '../../support/identities.js';
import { remainingOf } from '../../support/responses.js';
import { siteOf, type World } from '../world.js';

const hour = { limit: 5, window: '1h' } as const;

/** Stand for claims that were verified. */
const claims = ({ headers }: HttpRequest) =>
  headers?.['x-subject'] === undefined ? undefined : { iss: headers['x-issuer'], sub: headers['x-subject'] };

const subject = (sub: string, iss = 'here') => ({ 'X-Subject': sub, 'X-Issuer': iss });

export function identities(world: World): void {
  describe('an identity', () => {
    const routes = [
      { path: '/address', limits: [{ ...hour, name: 'address' }] },
      { path: '/key', limits: [{ ...hour, name: 'key', key: byApiKey() }] },
      {
        path: '/field',
        limits: [{ ...hour, name: 'field', key: byApiKey({ header: 'authorization', query: 'key' }) }],
      },
      { path: '/subject', claims, authenticated: [{ ...hour, name: 'subject', key: byJwtSubject() }] },
      { path: '/unverified', limits: [{ ...hour, name: 'unverified', key: byJwtSubject() }] },
      { path: '/tenant', limits: [{ ...hour, name: 'tenant', key: byHeader('x-tenant') }] },
      { path: '/pair', limits: [{ ...hour, name: 'pair', key: compose(byIp(), byApiKey()) }] },
      {
        path: '/function',
        limits: [{ ...hour, name: 'function', key: async ({ headers }: HttpRequest) => String(headers?.['x-name']) }],
      },
    ];
    const site = siteOf(world, () => ({ routes }));
    const direct = siteOf(world, () => ({ behindProxy: false, routes }));
    const sendFrom = async (addresses: readonly string[]) =>
      remainingOf(await site.sendEach(addresses.map((from) => ({ path: '/address', from }))));

    it('is the address of the client by default', async () => {
      const [ada, bob] = [newAddress(), newAddress()];

      expect(await sendFrom([ada, ada, bob])).toEqual([4, 3, 4]);
    });

    it('C46 C47 is one address in every spelling, and one /64 network of IPv6', async () => {
      const address = newAddress();
      const network = `2001:db8:${process.pid.toString(16)}:1`;
      const hosts = [`${network}::1`, `${network.toUpperCase()}:0:0:0:2`, `${network}:a:b:c:d`];

      const remaining = await sendFrom([address, `::ffff:${address}`, `::FFFF:${address}`, ...hosts]);

      expect(remaining).toEqual([4, 3, 2, 4, 3, 2]);
    });

    it('C48 is the nearest address that the trusted proxy did not add itself', async () => {
      const address = newAddress();

      expect(await sendFrom([`${newAddress()}, ${address}`, `${newAddress()}, ${address}`])).toEqual([4, 3]);
    });

    it('C48 is the peer without a trusted proxy, whatever is forwarded', async () => {
      const froms = [newAddress(), newAddress(), '::1'];

      const remaining = remainingOf(await direct.sendEach(froms.map((from) => ({ path: '/address', from }))));

      const [first] = remaining;
      expect(remaining).toEqual([first, first! - 1, first! - 2]);
    });

    it('C50 has one budget for every target of a route', async () => {
      const from = newAddress();
      const targets = ['/address', '/address?', '/address?a=b', 'http://evil.example/address'];

      expect(remainingOf(await site.sendEach(targets.map((path) => ({ path, from }))))).toEqual([4, 3, 2, 1]);
    });

    it('is the API key, from any address', async () => {
      const [one, other] = [newName(), newName()];
      const request = (key: string) => ({ path: '/key', from: newAddress(), headers: { 'X-Api-Key': key } });

      expect(remainingOf(await site.sendEach([one, one, other].map(request)))).toEqual([4, 3, 4]);
    });

    it('is the API key in a header without its scheme, or else in the query', async () => {
      const key = newName();

      const responses = await site.sendEach([
        { path: '/field', headers: { Authorization: `Bearer ${key}` } },
        { path: '/field', headers: { Authorization: `bearer  ${key}` } },
        { path: `/field?key=${key}` },
      ]);

      expect(remainingOf(responses)).toEqual([4, 3, 2]);
    });

    it('falls back to the address, apart from an API key of the same text', async () => {
      const address = newAddress();
      const request = { path: '/key', from: address };

      const responses = await site.sendEach([
        request,
        { ...request, headers: { 'X-Api-Key': '' } },
        { ...request, headers: { 'X-Api-Key': address } },
      ]);

      expect(remainingOf(responses)).toEqual([4, 3, 4]);
    });

    it('is the subject of verified claims, for each issuer', async () => {
      const [ada, bob] = [newName(), newName()];
      const each = [subject(ada), subject(ada), subject(bob), subject(ada, 'elsewhere')];

      const responses = await site.sendEach(each.map((headers) => ({ path: '/subject', from: newAddress(), headers })));

      expect(remainingOf(responses)).toEqual([4, 3, 4, 4]);
    });

    it('is the address without verified claims', async () => {
      const from = newAddress();
      const token = `e30.${Buffer.from(`{"sub":"${newName()}"}`).toString('base64url')}.`;

      const responses = await site.sendEach([
        { path: '/subject', from },
        { path: '/subject', from, headers: subject('') },
        { path: '/unverified', from, headers: { Authorization: `Bearer ${token}` } },
        { path: '/unverified', from, headers: subject(newName()) },
      ]);

      expect(remainingOf(responses)).toEqual([4, 3, 4, 3]);
    });

    it('is a header, several identities together, or the result of a function', async () => {
      const [address, name] = [newAddress(), newName()];
      const pair = (from: string, key: string) => ({ path: '/pair', from, headers: { 'X-Api-Key': key } });

      const responses = await site.sendEach([
        { path: '/tenant', headers: { 'X-Tenant': name } },
        { path: '/tenant', headers: { 'X-Tenant': name } },
        pair(address, name),
        pair(address, newName()),
        pair(newAddress(), name),
        pair(address, name),
        { path: '/function', headers: { 'X-Name': name } },
        { path: '/function', headers: { 'X-Name': name } },
      ]);

      expect(remainingOf(responses)).toEqual([4, 3, 4, 4, 4, 3, 4, 3]);
    });
  });
}
