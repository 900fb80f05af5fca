import { newAddress } from '../../support/identities.js';
import { membersOf, remainingOf, statusesOf } from '../../support/responses.js';
import { siteOf, type World } from '../world.js';
import { CAPACITY, costing, costOf, policies } from './policies.js';

/** Digits only, as RFC 9651 writes an Integer: a parser reads 50 and 50.0 as one number. */
const INTEGERS = /^"[^"]+"(?:;[a-z]=(?:0|[1-9]\d{0,14}))+(?:, "[^"]+"(?:;[a-z]=(?:0|[1-9]\d{0,14}))+)*$/;

const LISTS = ['ratelimit', 'ratelimit-policy'] as const;

export function algorithms(world: World): void {
  describe.each(policies)('a limit by %s', (algorithm, tier) => {
    const site = siteOf(world, () => ({
      routes: [{ path: '/', limits: [{ tiers: [tier], headers: ['x-ratelimit', 'draft-11'], cost: costOf }] }],
    }));
    const cost = (units: number, from: string) => ({ ...costing(units), from });

    it('C1 C2 C3 C4 C6 C7 C8 C11 sends its policies and what remains as lists of named integers', async () => {
      const responses = await site.sendTimes(CAPACITY, { from: newAddress() });

      for (const response of responses) {
        const [limits, quotas] = LISTS.map((field) => membersOf(response, field)) as [object[], object[]];
        const [names, known] = [limits, quotas].map((list) => list.map((each) => (each as { name: string }).name));
        expect(LISTS.filter((field) => !INTEGERS.test(response.headers[field]!))).toEqual([]);
        expect([...names!, ...known!].filter((name) => !/^[\x20-\x7e]{1,64}$/.test(name))).toEqual([]);
        expect(known).toEqual(expect.arrayContaining(names!));
        expect([new Set(names).size, new Set(known).size]).toEqual([limits.length, quotas.length]);
        expect(limits.map((member) => Object.keys(member))).toEqual(limits.map(() => ['name', 'r', 't']));
        expect(quotas.map((member) => Object.keys(member))).toEqual(quotas.map(() => ['name', 'q', 'w']));
        expect(quotas).toContainEqual(expect.objectContaining({ q: CAPACITY, w: 3_600 }));
        for (const { r, t } of limits as { r: number; t: number }[]) {
          expect(r).toBeLessThanOrEqual(CAPACITY);
          // Without a unit, t is the wait for the next one.
          if (r > 0) expect(t).toBeLessThanOrEqual(3_600);
        }
      }
    });

    it('C15 C16 reports the limit minus the cost at first, and counts down while nothing comes back', async () => {
      const address = newAddress();

      const responses = await site.sendTimes(CAPACITY, { from: address });
      const costly = await site.send(cost(3, newAddress()));

      const remaining = [...responses, costly].map((response) => membersOf(response, 'ratelimit')[0]!['r']);
      expect(remaining).toEqual([4, 3, 2, 1, 0, CAPACITY - 3]);
      expect(remainingOf([...responses, costly])).toEqual(remaining);
    });

    it('C17 reports a time that the remaining units last for at the rate of the policy', async () => {
      const responses = await site.sendTimes(CAPACITY - 1, { from: newAddress() });

      for (const response of responses) {
        for (const { name, r, t } of membersOf(response, 'ratelimit')) {
          const { q, w } = membersOf(response, 'ratelimit-policy').find((member) => member.name === name)!;
          // A fixed window reports its end instead.
          if (algorithm === 'fixed-window') expect(Number(t)).toBeGreaterThan(3_590);
          else expect(Number(r) * Number(w)).toBeLessThanOrEqual(Number(q) * Number(t));
        }
      }
    });

    it('C21 C22 C23 denies with 429 and one Retry-After that covers t of the policy', async () => {
      const responses = await site.sendTimes(CAPACITY + 1, { from: newAddress() });

      const denied = responses.at(-1)!;
      const wait = denied.headers['retry-after']!;
      expect([denied.status, denied.reason]).toEqual([429, 'Too Many Requests']);
      expect(wait).toMatch(/^[1-9]\d{0,6}$/);
      expect(denied.names.filter((name) => /retry-after/i.test(name)).map((name) => name.toLowerCase())).toEqual([
        'retry-after',
      ]);
      expect(Number(wait)).toBeGreaterThanOrEqual(Number(membersOf(denied, 'ratelimit')[0]!['t']));
    });

    it('C25 reports r=0 and the policy when the cost does not fit the remaining units', async () => {
      const address = newAddress();

      const [, denied] = await site.sendEach([cost(3, address), cost(3, address)]);

      expect(denied!.status).toBe(429);
      expect(membersOf(denied!, 'ratelimit')[0]).toMatchObject({ r: 0 });
      expect(membersOf(denied!, 'ratelimit-policy').map(({ q }) => q)).toContain(CAPACITY);
      expect(remainingOf([denied!])).toEqual([0]);
    });

    it('C39 admits exactly the limit of many concurrent requests', async () => {
      const request = { from: newAddress() };

      const responses = await Promise.all(Array.from({ length: 10 * CAPACITY }, () => site.send(request)));

      const statuses = statusesOf(responses);
      expect(statuses.filter((status) => status === 200)).toHaveLength(CAPACITY);
      expect(statuses.filter((status) => status === 429)).toHaveLength(9 * CAPACITY);
    });
  });
}
