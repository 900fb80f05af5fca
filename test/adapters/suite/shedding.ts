import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpRequest } from '@sluice/http';
import { sentTimes, type Priority } from '@sluice/overload';
import { deadline, deadlineOf, onward, queueDelay } from '@sluice/overload/queues';
import { newAddress } from '../../support/identities.js';
import { demotedShedder, manualShedder, overloadedShedder } from '../../support/manual-loop.js';
import { limitFields, remainingOf, statusesOf } from '../../support/responses.js';
import type { Call } from '../stack.js';
import { openSite, siteOf, type StackSite, type World } from '../world.js';

const hour = { name: 'hour', limit: 5, window: '1h' } as const;
const priority = ({ headers }: HttpRequest) => headers?.['x-priority'] as Priority;

export function shedding(world: World): void {
  describe('a shedder under overload', () => {
    let handled = 0;
    const site = siteOf(world, () => ({
      routes: [
        {
          path: '/',
          limits: [{ ...hour, shed: overloadedShedder<HttpRequest>({ priority }) }],
          handle: () => {
            handled += 1;
            return { status: 200, text: 'served' };
          },
        },
      ],
    }));

    it('refuses with 503, a problem and Retry-After, and charges nothing', async () => {
      const from = newAddress();
      const before = handled;

      const [refused] = await site.sendEach([{ from, headers: { 'x-priority': 'normal' } }]);
      const [critical] = await site.sendEach([{ from, headers: { 'x-priority': 'critical' } }]);

      expect([refused!.status, critical!.status, handled - before]).toEqual([503, 200, 1]);
      expect(limitFields(refused!)).toEqual({ 'retry-after': expect.stringMatching(/^[1-5]$/) });
      expect(refused!.headers['cache-control']).toBe('no-store');
      expect(refused!.headers['content-type']).toContain('application/problem+json');
      expect(JSON.parse(refused!.text)).toMatchObject({
        type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
        status: 503,
      });
      expect(remainingOf([critical!])).toEqual([4]);
    });
  });
}

export function scarcity(world: World): void {
  describe('a shedder with queues', () => {
    const database = queueDelay('database');
    // A busy machine would make a real one refuse.
    const { shed } = manualShedder<HttpRequest>({ priority, features: [database, deadline('10s')] });
    const site = siteOf(world, () => ({
      routes: [
        {
          path: '/',
          limits: [{ ...hour, limit: 1_000, shed }],
          handle: async () => {
            await database.wait(() => Promise.resolve());
            return { status: 200, text: `${onward()['x-priority']} ${deadlineOf().aborted}` };
          },
        },
      ],
    }));

    it('leads from the handler to its request, with many requests at once', async () => {
      const priorities = Array.from({ length: 30 }, (_, index) => ['critical', 'normal', 'sheddable'][index % 3]!);

      const answers = await site.sendEach(priorities.map((is) => ({ headers: { 'x-priority': is } })));

      expect(answers.map(({ text }) => text)).toEqual(priorities.map((is) => `${is} false`));
    });
  });
}

export function stamps(world: World): void {
  describe('a shedder that reads when a proxy has sent a request', () => {
    const sent = { header: 'x-request-start', from: ['loopback', 'uniquelocal'] };
    const trusting = manualShedder<HttpRequest>({ features: [sentTimes(sent)] });
    // The peer is on this machine, whatever the header of a proxy says.
    const others = manualShedder<HttpRequest>({ features: [sentTimes({ ...sent, from: ['203.0.113.0/24'] })] });
    const unixOnly = manualShedder<HttpRequest>({ features: [sentTimes({ ...sent, from: 'unix' })] });
    const site = siteOf(world, () => ({
      routes: [
        { path: '/trusted', limits: [{ ...hour, limit: 100, shed: trusting.shed }] },
        { path: '/other', limits: [{ ...hour, name: 'other', limit: 100, shed: others.shed }] },
        { path: '/unix', limits: [{ ...hour, name: 'unix', limit: 100, shed: unixOnly.shed }] },
      ],
    }));

    it('counts what a request has waited since, if its peer is such a proxy, and not what it claims to be', async () => {
      const statuses = {
        trusted: await statusesBetween(site, '/trusted', trusting),
        other: await statusesBetween(site, '/other', others),
      };

      expect(statuses).toEqual({ trusted: [200, 503, 200], other: [200, 200, 200] });
    });

    it('believes each peer of a Unix socket, which has no address, where the proxy uses one', async () => {
      const unix = manualShedder<HttpRequest>({ features: [sentTimes({ ...sent, from: 'unix' })] });
      const networks = manualShedder<HttpRequest>({ features: [sentTimes(sent)] });
      const folder = await mkdtemp(join(tmpdir(), 'sluice-socket-'));
      const routes = [
        { path: '/unix', limits: [{ ...hour, limit: 100, shed: unix.shed }] },
        { path: '/networks', limits: [{ ...hour, name: 'networks', limit: 100, shed: networks.shed }] },
      ];
      const onSocket = await openSite(world.stack, {
        store: world.newStore(),
        socketPath: join(folder, 'socket'),
        routes,
      });

      const statuses = {
        unix: await statusesBetween(onSocket, '/unix', unix),
        networks: await statusesBetween(onSocket, '/networks', networks),
      };
      await onSocket.close();
      await rm(folder, { recursive: true });

      expect(statuses).toEqual({ unix: [200, 503, 200], networks: [200, 200, 200] });
    });

    it('does not believe a peer that has an address, where the proxy uses a Unix socket', async () => {
      expect(await statusesBetween(site, '/unix', unixOnly)).toEqual([200, 200, 200]);
    });
  });
}

/** Under some load: what a request gets that has waited for 900 ms by its time, between two that have not waited. */
async function statusesBetween(
  site: StackSite,
  path: string,
  { loop, shed }: ReturnType<typeof manualShedder<HttpRequest>>,
): Promise<readonly number[]> {
  const send = async (age: number) => {
    const stamp = `t=${((1_700_000_000_000 + loop.now() - age) / 1_000).toFixed(3)}`;
    const { status } = await site.send({ path, from: '203.0.113.7', headers: { 'x-request-start': stamp } });
    return status;
  };
  await send(0);
  while (shed.level === 0) loop.tick(100);
  return [await send(0), await send(900), await send(0)];
}

const show = ({ decision }: Call) => ({ status: 200, text: String(decision?.demotedBy) });

export function demotion(world: World): void {
  describe('a tier that demotes', () => {
    const tiers = [
      { name: 'share', limit: 2, window: '1d', mode: 'demote' },
      { name: 'enforced', limit: 4, window: '1h' },
    ] as const;
    const site = siteOf(world, () => ({
      routes: [
        { path: '/calm', limits: [{ tiers, shed: overloadedShedder<HttpRequest>({ mode: 'off' }) }], handle: show },
        {
          path: '/busy',
          limits: [{ tiers: tiers.map((tier) => ({ ...tier, name: `busy-${tier.name}` })), shed: demotedShedder() }],
          handle: show,
        },
      ],
    }));

    it('denies nothing while there is room, and says in the decision what it would deny', async () => {
      const answers = await site.sendTimes(5, { path: '/calm', from: newAddress() });

      expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 429]);
      expect(answers.slice(0, 4).map(({ text }) => text)).toEqual(['undefined', 'undefined', 'share', 'share']);
      expect(remainingOf(answers)).toEqual([3, 2, 1, 0, 0]);
    });

    it('lets what it would deny be refused under overload, and does not charge it', async () => {
      const answers = await site.sendTimes(6, { path: '/busy', from: newAddress() });

      expect(statusesOf(answers)).toEqual([200, 200, 503, 503, 503, 503]);
      expect(answers[2]!.headers['retry-after']).toMatch(/^[1-5]$/);
    });
  });
}
