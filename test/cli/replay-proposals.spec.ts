import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLimiter, memoryStore, type Decision } from '../../packages/core/src/index.js';
import { page } from '../docs/pages.js';
import { combinedLine, exactLine, EXACT_FORMAT, logOf, requests, spread, START, type Logged } from './access-log.js';
import { documentOf, sluice } from './sluice.js';

interface Proposal {
  readonly tier: string;
  readonly by: 'clients' | 'people';
  readonly least: number;
  readonly limit: number;
  readonly denied: number;
  readonly of: number;
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-proposals-'));
const file = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

afterAll(() => rmSync(folder, { recursive: true }));

const PEOPLE = 3_000;
const SCRAPERS = 21;
/** Of 40 browsers. Many addresses with one would be those of one attacker. */
const agentOf = (person: number) => `Mozilla/5.0 (X11; Linux x86_64; rv:${100 + (person % 40)}.0) Gecko Firefox`;
/** People send 1 to 76 requests in one minute, most of them few. Scrapers keep 203 a minute for half an hour. */
const mixed: readonly Logged[] = [
  ...Array.from({ length: PEOPLE }, (_, person) => {
    const count = person < 5 ? 80 + person : Math.max(1, Math.round(76 * (1 - (person - 5) / PEOPLE) ** 6));
    const visit = spread(count, 40, `198.51.${Math.floor(person / 250)}.${person % 250}`);
    return visit.map((each) => ({ ...each, at: each.at + (person % 25) * 60, agent: agentOf(person) }));
  }).flat(),
  ...Array.from({ length: SCRAPERS }, (_, scraper) => spread(203 * 30, 1_800, `203.0.113.${scraper}`)).flat(),
].toSorted((one, other) => one.at - other.at);

/** With a client that comes once a minute, so that the log fills the window of a minute ten times. */
const longer: readonly Logged[] = [
  ...requests,
  ...Array.from({ length: 12 }, (_, minute) => ({ at: minute * 60 + 1, ip: '198.51.100.99' })),
].toSorted((one, other) => one.at - other.at);

/** Clients of the log that a limit a minute denies. */
function deniedAt(limit: number, of: readonly Logged[]): number {
  let now = START;
  const store = memoryStore({ clock: () => now });
  const limiter = createLimiter<Logged>({ store, name: 'live', limit, window: '1m', key: ({ ip }) => ip });
  const denied = of.filter((request) => {
    now = START + request.at * 1e3;
    return !(limiter.consume(request) as Decision).allowed;
  });
  return new Set(denied.map(({ ip }) => ip)).size;
}

describe('the limits that sluice replay proposes', () => {
  it('begin with the lowest that denies less than a share of the clients, by the limiter of the application', async () => {
    const log = file('exact.log', logOf(exactLine, longer));
    const run = documentOf(
      await sluice(['replay', log, '--format', EXACT_FORMAT, '--limits', '20/1m', '--propose', '5%', '--json']),
    ) as { proposals: Proposal[]; clients: number };
    const people = run.proposals.find(({ by }) => by === 'people')!;
    const { least, limit, of, denied } = people;

    expect([of, denied]).toEqual([run.clients, deniedAt(limit, longer)]);
    expect([least, least - 1].map((each) => deniedAt(each, longer) / of < 0.05)).toEqual([true, false]);
    expect(limit).toBeGreaterThanOrEqual(least);
    expect(limit).toBeLessThanOrEqual(1.5 * least);
  });

  it('follow the demand of people where a few programs send much more', async () => {
    const log = file('mixed.log', logOf(exactLine, mixed));
    const { stdout, stderr } = await sluice(['replay', log, '--format', EXACT_FORMAT]);
    const run = documentOf(await sluice(['replay', log, '--format', EXACT_FORMAT, '--json']));
    const [clients, people] = (run['proposals'] as Proposal[]).filter(({ tier }) => tier === '1m');

    expect(run).toMatchObject({ clients: PEOPLE + SCRAPERS, proposeBelow: 0.001 });
    expect(run['traffic']).toMatchObject([
      { kind: 'person', what: 'pages', clients: PEOPLE },
      { kind: 'program', clients: SCRAPERS, evidence: expect.stringContaining('203 a minute') },
    ]);
    expect(clients).toMatchObject({ by: 'clients', of: PEOPLE + SCRAPERS });
    expect(people).toMatchObject({ by: 'people', of: PEOPLE });
    expect(clients!.least).toBeGreaterThan(190);
    // Above 64 the limiter counts in slots, so that the lowest limit is not the busiest window.
    expect(clients!.denied).toBe(deniedAt(clients!.limit, mixed));
    expect(deniedAt(clients!.least - 1, mixed)).toBeGreaterThanOrEqual(0.001 * PEOPLE);
    expect(people!.least).toBeLessThan(85);
    expect(people!.limit).toBeLessThan(1.5 * 85);
    expect(stdout).toContain('of 3 000 people. Write: rateLimit({ limit: ');
    expect(stderr).toContain('Try other limits by --limits');
    expect(stderr).toContain('No limit is proposed for 1h');
  });

  it('are printed as README.md shows', async () => {
    const { stdout } = await sluice(['replay', file('readme.log', logOf(combinedLine, mixed))]);
    const [, shown] = /^\$ npx @sluice\/cli replay access\.log\n([^]+?)^```$/m.exec(page('README.md').text)!;

    // README.md leaves out the tables that are not about whom the limits deny.
    const tables = stdout.trim().split('\n\n');
    expect(tables).toEqual(expect.arrayContaining(shown!.trim().split('\n\n')));
  });

  it('are for all clients where each names a program as its user agent', async () => {
    const programs = longer.map((request) => ({ ...request, agent: 'python-requests/2.32.3' }));
    const run = documentOf(await sluice(['replay', file('programs.log', logOf(combinedLine, programs)), '--json']));

    expect(run).toMatchObject({ clients: 44, newlyDeniedPeople: 0, traffic: [{ kind: 'program', clients: 44 }] });
    expect((run['proposals'] as Proposal[]).map(({ by }) => by)).toEqual(['clients']);
  });

  it('are tried as well as limits that are given', async () => {
    const refused = longer.map((request, index) => ({ ...request, status: index % 10 === 0 ? 429 : 200 }));
    const log = file('again.log', logOf(combinedLine, refused));
    const proposed = documentOf(await sluice(['replay', log, '--json']));
    const { tiers } = proposed['candidate'] as { tiers: { name: string }[] };
    const limits = tiers.flatMap(({ name }) => ['--limits', name]);
    const given = documentOf(await sluice(['replay', log, ...limits, '--json']));

    for (const part of [
      'candidate',
      'top',
      'people',
      'timeline',
      'busiest',
      'newlyDenied',
      'refused',
      'refusedAndAdmitted',
    ]) {
      expect(proposed[part]).toEqual(given[part]);
    }
  });
});
