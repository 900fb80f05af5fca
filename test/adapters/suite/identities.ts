import { byApiKey, byHeader, byIp, byJwtSubject, compose, type HttpRequest } from '@sluice/core';
import { newAddress, newName } from '../visitors.js';
import { left } from '../told.js';
import { siteOf, type World } from '../world.js';

const hour = { limit: 5, window: '1h' } as const;

/** Verified already, so far as this test goes. */
const claims = ({ headers }: HttpRequest) =>
  headers?.['x-subject'] === undefined ? undefined : { iss: headers['x-issuer'], sub: headers['x-subject'] };

const subject = (sub: string, iss = 'here') => ({ 'X-Subject': sub, 'X-Issuer': iss });

export function identities(world: World): void {
  describe('identities', () => {
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

    it('are the address of the client where nothing else is said', async () => {
      const [ada, bob] = [newAddress(), newAddress()];

      const answers = [
        await site.ask({ path: '/address', from: ada }),
        await site.ask({ path: '/address', from: ada }),
        await site.ask({ path: '/address', from: bob }),
      ];

      expect(left(answers)).toEqual([4, 3, 4]);
    });

    it('are one address in every spelling, and one network of IPv6', async () => {
      const address = newAddress();
      const spellings = [address, `::ffff:${address}`, `::FFFF:${address}`];
      const network = `2001:db8:${process.pid.toString(16)}:1`;
      const hosts = [`${network}::1`, `${network.toUpperCase()}:0:0:0:2`, `${network}:a:b:c:d`];

      const answers = [];
      for (const from of [...spellings, ...hosts]) answers.push(await site.ask({ path: '/address', from }));

      expect(left(answers)).toEqual([4, 3, 2, 4, 3, 2]);
    });

    it('are the nearest address that the trusted proxy has not told itself', async () => {
      const address = newAddress();

      const answers = [];
      for (const claimed of [newAddress(), newAddress()]) {
        answers.push(await site.ask({ path: '/address', from: `${claimed}, ${address}` }));
      }

      expect(left(answers)).toEqual([4, 3]);
    });

    it('are the peer where no proxy is trusted, whatever is forwarded', async () => {
      const answers = [];
      for (const from of [newAddress(), newAddress(), '::1'])
        answers.push(await direct.ask({ path: '/address', from }));

      const [first] = left(answers);
      expect(left(answers)).toEqual([first, first! - 1, first! - 2]);
    });

    it('are API keys, from wherever they are used', async () => {
      const [one, other] = [newName(), newName()];

      const answers = [];
      for (const key of [one, one, other]) {
        answers.push(await site.ask({ path: '/key', from: newAddress(), headers: { 'X-Api-Key': key } }));
      }

      expect(left(answers)).toEqual([4, 3, 4]);
    });

    it('are API keys in a header without its scheme, or else in the query', async () => {
      const key = newName();

      const answers = [
        await site.ask({ path: '/field', headers: { Authorization: `Bearer ${key}` } }),
        await site.ask({ path: '/field', headers: { Authorization: `bearer  ${key}` } }),
        await site.ask({ path: `/field?key=${key}` }),
      ];

      expect(left(answers)).toEqual([4, 3, 2]);
    });

    it('fall back to the address, in a keyspace of its own', async () => {
      const address = newAddress();

      const answers = [
        await site.ask({ path: '/key', from: address }),
        await site.ask({ path: '/key', from: address, headers: { 'X-Api-Key': '' } }),
        await site.ask({ path: '/key', from: address, headers: { 'X-Api-Key': address } }),
      ];

      expect(left(answers)).toEqual([4, 3, 4]);
    });

    it('are the subjects of claims that were verified before, each of its issuer', async () => {
      const [ada, bob] = [newName(), newName()];

      const answers = [];
      for (const headers of [subject(ada), subject(ada), subject(bob), subject(ada, 'elsewhere')]) {
        answers.push(await site.ask({ path: '/subject', from: newAddress(), headers }));
      }

      expect(left(answers)).toEqual([4, 3, 4, 4]);
    });

    it('are the address of who has no claims, or of whose claims nobody has verified', async () => {
      const address = newAddress();
      const token = `e30.${Buffer.from(`{"sub":"${newName()}"}`).toString('base64url')}.`;

      const answers = [
        await site.ask({ path: '/subject', from: address }),
        await site.ask({ path: '/subject', from: address, headers: subject('') }),
        await site.ask({ path: '/unverified', from: address, headers: { Authorization: `Bearer ${token}` } }),
        await site.ask({ path: '/unverified', from: address, headers: subject(newName()) }),
      ];

      expect(left(answers)).toEqual([4, 3, 4, 3]);
    });

    it('are headers, several together, or what a function says', async () => {
      const [address, name] = [newAddress(), newName()];
      const ask = (path: string, from: string, headers: Record<string, string>) => site.ask({ path, from, headers });

      const tenants = [
        await ask('/tenant', newAddress(), { 'X-Tenant': name }),
        await ask('/tenant', newAddress(), { 'X-Tenant': name }),
      ];
      const pairs = [
        await ask('/pair', address, { 'X-Api-Key': name }),
        await ask('/pair', address, { 'X-Api-Key': newName() }),
        await ask('/pair', newAddress(), { 'X-Api-Key': name }),
        await ask('/pair', address, { 'X-Api-Key': name }),
      ];
      const named = [
        await ask('/function', newAddress(), { 'X-Name': name }),
        await ask('/function', newAddress(), { 'X-Name': name }),
      ];

      expect([left(tenants), left(pairs), left(named)]).toEqual([
        [4, 3],
        [4, 4, 4, 3],
        [4, 3],
      ]);
    });
  });
}
