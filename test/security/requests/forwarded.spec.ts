import { onEveryStack, apart, together } from './hostile.js';
import { wordsOf } from './samples.js';

/** No proxy sends these, except a broken one. */
const malformed = [
  ...wordsOf(`
    garbage <script>alert(1)</script> unknown _hidden for=203.0.113.9 mallory@example.com
    %00 {} }{ __proto__ constructor 01.2.3.4 0x1.2.3.4 127.1 1.2.3 1.2.3.4.5 256.1.1.1 1.2.3.4/24
    1.2.3.4:port 1.2.3.4: ::1:: ::: : [] []:80 [ [::1 ::1] [::1]x ::ffff:1.2.3.4:80 ::ffff:1.2.3.256 ::ffff:1.2.3
    2001:db8::g 1:2:3:4:5:6:7:8:9
  `),
  'a'.repeat(64),
  'a'.repeat(65),
  '1'.repeat(10_240),
  '\\u0000',
  '\u00ff\u00fe',
];

/** One IPv4 address. */
const carried = wordsOf(`
  198.51.100.7 198.51.100.7:443 "198.51.100.7" "198.51.100.7:443" [198.51.100.7] ::ffff:198.51.100.7
  ::FFFF:198.51.100.7 ::ffff:c633:6407 ::FfFf:C633:6407 ::0:ffff:c633:6407 0::ffff:198.51.100.7
  0:0:0:0:0:ffff:198.51.100.7 0:0:0:0:0:ffff:c633:6407 0000:0000:0000:0000:0000:ffff:c633:6407
  0000:0000:0000:0000:0000:ffff:198.51.100.7 ::ffff:198.51.100.7%eth0 [::ffff:198.51.100.7]
  [::ffff:198.51.100.7]:443 "[::ffff:c633:6407]:443"
`);

/** Addresses of one /64 network. */
const network = wordsOf(`
  2001:db8:0:7::1 2001:DB8:0:7::1 2001:0db8:0000:0007:0000:0000:0000:0001 2001:db8::7:0:0:0:2
  2001:db8:0:7:ffff:ffff:ffff:ffff 2001:db8:0:7::198.51.100.7 2001:db8:0:7::1%eth0 [2001:db8:0:7::1]
  [2001:db8:0:7::1]:443 "[2001:db8:0:7::1]:443"
`);

/** Addresses with a budget each. */
const different = wordsOf(`
  198.51.100.7 198.51.100.8 ::ffff:198.51.100.9 ::ffff:198.51.100.10 ::198.51.100.7 64:ff9b::198.51.100.7
  2002:c633:6407:: 2001:db8::198.51.100.7 2001:db8:0:1::198.51.100.7 2001:db8:0:2::
`);

const forwarded = (value: string) => ({ lines: [`X-Forwarded-For: ${value}`] });

describe('X-Forwarded-For', () => {
  onEveryStack((world) => {
    it('C48 changes nothing without a trusted proxy', async () => {
      const site = await world.open(undefined, { behindProxy: false });
      const requests = [...malformed, ...carried, ...network, ...different, ''].map(forwarded);

      const spent = await site.spending(requests);

      expect(spent).toEqual(together(requests.length));
      expect(await site.spentBy('127.0.0.1')).toBe(requests.length);
    });

    it('C46 shares one budget for all malformed values', async () => {
      const site = await world.open();

      expect(await site.spending(malformed.map(forwarded))).toEqual(together(malformed.length));
      expect(await site.spentBy('unreadable')).toBe(malformed.length);
    });

    it.each([
      ['an IPv4 address, in IPv6 or alone', carried],
      ['an IPv6 network', network],
    ])('C46 C47 shares one budget for every spelling of %s', async (_what, spellings) => {
      const site = await world.open();

      expect(await site.spending(spellings.map(forwarded))).toEqual(together(spellings.length));
    });

    it('C46 C47 has another budget for every other address', async () => {
      const site = await world.open();

      expect(await site.spending(different.map(forwarded))).toEqual(apart(different.length));
    });

    it('C48 ignores what the client wrote before the proxy', async () => {
      const site = await world.open();
      const spoofed = [...malformed, ...carried, ...network].map((value) => forwarded(`${value}, 203.0.113.9`));
      const lines = malformed.map((value) => ({
        lines: [`X-Forwarded-For: ${value}`, 'x-forwarded-for: 203.0.113.9'],
      }));

      const spent = await site.spending([...spoofed, ...lines]);

      expect(spent).toEqual(together(spoofed.length + lines.length));
      expect(await site.spentBy('203.0.113.9')).toBe(spoofed.length + lines.length);
    });

    it('C48 leaves the address of the peer when it is empty', async () => {
      const site = await world.open();
      const empty = ['', ' ', ',', ' , ', ',,,'];

      expect(await site.spending(empty.map(forwarded))).toEqual(together(empty.length));
      expect(await site.spentBy('127.0.0.1')).toBe(empty.length);
    });

    it('counts though Connection declares it hop-by-hop', async () => {
      const site = await world.open();
      const honest = 'X-Forwarded-For: 203.0.113.9';

      const spent = await site.spending([
        { lines: [honest] },
        { lines: [honest, 'Connection: close, X-Forwarded-For'] },
        { lines: ['Connection: X-Forwarded-For, close', honest] },
        { lines: ['Connection: close, X-RateLimit-Limit, Retry-After', honest] },
      ]);

      expect(spent).toEqual(together(4));
    });

    it('has no other name', async () => {
      const site = await world.open();
      const names = wordsOf(`
        X_Forwarded_For X-Forwarded_For X-Forwarded-For- Forwarded X-Real-IP
        X-Client-IP X-Cluster-Client-IP CF-Connecting-IP True-Client-IP Fastly-Client-IP
      `);
      const requests = names.flatMap((name) =>
        ['198.51.100.1', 'for=198.51.100.2', 'unknown'].map((value) => ({ lines: [`${name}: ${value}`] })),
      );

      expect(await site.spending(requests)).toEqual(together(requests.length));
    });

    it('C48 skips addresses that are trusted themselves', async () => {
      const site = await world.open();
      const inside = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'];

      const spent = await site.spending(inside.map((proxy) => forwarded(`203.0.113.9, ${proxy}`)));

      expect(spent).toEqual(together(inside.length));
    });
  });
});
