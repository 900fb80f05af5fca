import { statusesOf } from '../../../support/responses.js';
import type { Attack } from '../attack.js';
import { expectAdmitted, expectOneBudget, forged, post } from '../requests.js';

/** Programs about addresses, lists, keys and tokens. */
export const addressAttacks: readonly Attack[] = [
  {
    program: 'address-lists.md#allow-and-deny-addresses',
    sentence: 'The address is the one that [`byIp`](identities.md#addresses) reads, and never an address in a header.',
    tries: 'addresses of `allow` in headers; other addresses in headers from a denied one',
    replaces: ["'203.0.113.0/24'", "'127.0.0.0/8'"],
    serves: `import express from 'express';\nexport const served = express().use(limits);`,
    async holds(site) {
      const claims = ['10.0.0.1', '2001:db8:1::1', '::ffff:10.0.0.1', '198.51.100.7'].map((from) => ({ from }));
      expect(new Set(statusesOf(await site.sendEach([...claims, ...forged()])))).toEqual(new Set([403]));
    },
  },
  {
    program: 'address-lists.md#a-list-that-changes',
    sentence: 'When `add` resolves, the change is in force in this process.',
    tries: 'a blocked address as IPv6 maps it, with a port, in quotes',
    serves: `
await block('198.51.100.7');
export const served = { consume: ({ ip }: { ip: string }) => ({ allowed: !blocked.has(ip) }) };`,
    holds: (site) =>
      expectAdmitted(
        site,
        0,
        ['198.51.100.7', '::ffff:198.51.100.7', '::FFFF:C633:6407', '198.51.100.7:443', '203.0.113.200'].map((ip) =>
          post({ ip }),
        ),
      ),
  },
  {
    program: 'proxies.md#cloudflare',
    sentence: 'Requests without the header share one limit.',
    tries: 'no header, an empty one, text that is no address, two addresses, other headers of proxies',
    serves: `import express from 'express';\nexport const served = express().use(limits);`,
    holds: (site) => {
      const claims = ['', 'made-up', '203.0.113.1, 203.0.113.2', '256.0.0.1', '0313.0.113.7', '1'];
      const others = forged().filter(({ headers }) => !('CF-Connecting-IP' in headers!));
      return expectOneBudget(site, 100, [...others, ...claims.map((ip) => ({ headers: { 'CF-Connecting-IP': ip } }))]);
    },
  },
  {
    program: 'serverless.md#example-aws-lambda',
    sentence: "The address comes from the platform's event, which clients cannot forge.",
    tries: 'the addresses of a /64; an IPv4 address as IPv6 maps it',
    until: 'const event =',
    serves: `
export const served = {
  consume: async ({ ip }: { ip: string }) => {
    const { statusCode } = await handler({ requestContext: { http: { sourceIp: ip } } });
    return { allowed: statusCode === 200 };
  },
};`,
    async holds(site) {
      await expectAdmitted(
        site,
        2,
        ['2001:db8::1', '2001:DB8:0:0::2', '2001:db8::3:4:5:6'].map((ip) => post({ ip })),
      );
      await expectAdmitted(
        site,
        2,
        ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'].map((ip) => post({ ip })),
      );
    },
  },
  {
    program: 'identities.md#api-keys',
    sentence: 'Unknown keys count by address.',
    tries: 'two keys of an account; keys that nothing has verified, each a new one',
    serves: `import express from 'express';\nexport const served = express().use(limits);`,
    async holds(site) {
      const keys = (names: readonly string[]) => names.map((name) => ({ headers: { 'X-API-Key': name } }));
      await expectOneBudget(site, 20, keys(['key-1', 'key-2', ' key-1', 'key-2 ']));
      await expectOneBudget(site, 20, keys(['KEY-1', 'made-up', '__proto__', 'constructor', '']));
    },
  },
];
