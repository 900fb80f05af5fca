import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Kind } from '../../../packages/cli/src/replay/kinds/kind.js';
import type { Report } from '../../../packages/cli/src/replay/report.js';
import { documentOf, sluice } from '../sluice.js';
import { REPLAYED_LOGS, type NamedLimit, type ReplayedLog } from './replayed-logs.js';
import { smallSite } from './small-sites.js';
import type { TrueClient } from './site.js';
import { toldKinds } from './told-kinds.js';
import { clientsOf, deniedRequests, type TrueLimit } from './true-limits.js';
import { writtenLog } from './written-log.js';

const CANDIDATE: NamedLimit = { tier: '15/1m', limit: 15, window: 60_000 };
const CURRENT: TrueLimit = { limit: 60, window: 3_600_000 };

const folder = mkdtempSync(join(tmpdir(), 'sluice-twenty-logs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the log of a row. The last of its files comes first, because the order makes no difference. */
function filesOf(content: string, count: number | undefined): readonly string[] {
  const lines = content.split(/(?<=\n)/);
  const part = Math.ceil(lines.length / (count ?? 1));
  const files = Array.from({ length: count ?? 1 }, (_, index) => {
    const path = join(folder, count === undefined ? 'access.log' : `access.log.${index}.gz`);
    const of = lines.slice(index * part, (index + 1) * part).join('');
    writeFileSync(path, count === undefined ? of : gzipSync(of));
    return path;
  });
  return files.toReversed();
}

function policiesOf(yaml: string): string {
  const path = join(folder, 'limits.yaml');
  writeFileSync(path, yaml);
  return path;
}

async function runOf(row: ReplayedLog, files: readonly string[]): Promise<Report> {
  const { format, key, proxies } = row.options ?? {};
  const run = await sluice([
    'replay',
    ...files,
    '--json',
    '--propose=1%',
    `--limits=${row.policies === undefined ? '15/1m sliding-window-log' : policiesOf(row.policies.yaml)}`,
    '--against=60/1h sliding-window-log',
    ...(format === undefined ? [] : ['--format', format]),
    ...(key === undefined ? [] : ['--key', `json:$.${key}`]),
    ...(proxies === undefined ? [] : ['--proxies', ...proxies]),
  ]);
  if (run.code !== 0) throw new Error(run.stderr);
  return documentOf(run) as unknown as Report;
}

describe.each(Object.entries(REPLAYED_LOGS))('what replay says of %s', (name, row) => {
  const { site, form, options = {}, policies } = row;
  const limits = policies?.limits ?? [CANDIDATE];
  const log = writtenLog(smallSite(site, Object.keys(REPLAYED_LOGS).indexOf(name) + 1), form);
  let run: Report;
  let told: ReadonlyMap<string, Kind>;
  const isTold = (kind: Kind) => (client: TrueClient) => told.get(client.name) === kind;

  beforeAll(async () => {
    const files = filesOf(log.text, row.files);
    run = await runOf(row, files);
    told = await toldKinds(files, options);
  });

  it('is true of its requests, its clients, and its other lines', () => {
    const { requests, clients, others } = log;

    expect(run).toMatchObject({
      requests: requests.length,
      logged: requests.length,
      clients: clients.length,
      from: requests[0]!.at,
      to: requests.at(-1)!.at,
      namesOthers: false,
      reading: {
        unreadable: others.unreadable,
        otherEvents: others['other event'],
        unidentified: others.unidentified,
        leftOut: 0,
      },
    });
  });

  it('denies exactly the requests and the clients that limits deny', () => {
    const { requests } = log;
    const candidate = deniedRequests(requests, limits);
    const current = deniedRequests(requests, [CURRENT]);
    const [clients, before] = [clientsOf(candidate), clientsOf(current)];

    expect(candidate.size).toBeGreaterThan(0);
    expect(current.size).toBeGreaterThan(0);
    expect(run).toMatchObject({
      candidate: { denied: candidate.size, identities: clients.size },
      current: { denied: current.size, identities: before.size },
      newlyDeniedRequests: [...candidate].filter((request) => !current.has(request)).length,
      newlyDenied: [...clients].filter((client) => !before.has(client)).length,
    });
  });

  it('is right about the kinds of clients for 95 % of the requests, and takes nothing else for a person', () => {
    const wrong = log.requests.filter(({ client }) => told.get(client.name) !== client.kind);
    const strangers = log.clients.filter(isTold('person')).filter(({ kind }) => kind !== 'person');

    expect(told.size).toBe(log.clients.length);
    expect(wrong.length / log.requests.length).toBeLessThanOrEqual(0.05);
    expect(strangers).toEqual([]);
  });

  it.each(limits)(
    'proposes the least limit in the place of $limit for the people that meet it',
    ({ tier, ...limit }) => {
      const met = log.requests.filter((request) => limit.takes?.(request) !== false);
      const clients = [...clientsOf(met)];
      const people = clients.filter(isTold('person'));
      const audience = { clients, people: people.length === 0 ? clients : people };
      const found = run.proposals.filter((proposal) => proposal.tier === tier);

      expect(found.map(({ by, of }) => [by, of])).toEqual([
        ['clients', clients.length],
        ...(people.length === 0 ? [] : [['people', people.length]]),
      ]);
      for (const { by, limit: proposed, least, denied, mayDeny } of found) {
        const deniedAt = (tried: number) => {
          const of = clientsOf(deniedRequests(met, [{ ...limit, limit: tried }]));
          return audience[by].filter((client) => of.has(client)).length;
        };
        expect([proposed, deniedAt(proposed)]).toEqual([proposed, denied]);
        expect(deniedAt(least)).toBeLessThanOrEqual(mayDeny);
        expect(deniedAt(least - 1)).toBeGreaterThan(mayDeny);
      }
    },
  );

  it('shares all requests out among the kinds that it tells', () => {
    const shares = new Map<Kind, number>();
    for (const { client } of log.requests) {
      const kind = told.get(client.name)!;
      const shown = kind === 'page load' ? 'person' : kind;
      shares.set(shown, (shares.get(shown) ?? 0) + 1);
    }
    const reported = new Map<Kind, number>();
    for (const { kind, requests } of run.traffic) reported.set(kind, (reported.get(kind) ?? 0) + requests);

    expect(Object.fromEntries(reported)).toEqual(Object.fromEntries(shares));
  });
});
