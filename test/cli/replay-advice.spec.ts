import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { combinedLine, exactLine, EXACT_FORMAT, logOf, spread, START, type Logged } from './access-log.js';
import { combined, json, textOf } from './replay/log-text.js';
import { api, population } from './replay/populations.js';
import { clientsOf, deniedRequests } from './replay/true-limits.js';
import { documentOf, sluice } from './sluice.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-advice-'));
const file = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

afterAll(() => rmSync(folder, { recursive: true }));

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0';

interface Sent {
  readonly at: number;
  readonly ip: string;
  readonly request?: string;
  readonly status?: number;
  readonly agent?: string;
}

/** A line of nginx or Apache with another request than that of `combinedLine`. */
const line = ({ request = 'GET /', agent = BROWSER, ...sent }: Sent) =>
  combinedLine({ ...sent, agent }).replace('GET /', request);

function logFile(name: string, sent: readonly Sent[]): string {
  const sorted = sent.toSorted((one, other) => one.at - other.at);
  return file(name, `${sorted.map(line).join('\n')}\n`);
}

const jsonOf = async (...args: string[]) => documentOf(await sluice(['replay', ...args, '--json']));

describe('the advice of sluice replay', () => {
  it('calls clients people whatever the limit is', async () => {
    const people = Array.from({ length: 50 }, (_, person) => spread(12, 55, `198.51.100.${person}`)).flat();
    const log = file(
      'people.log',
      logOf(
        exactLine,
        people.toSorted((one, other) => one.at - other.at),
      ),
    );
    const limits = [11, 7, 3, 1].map((limit) => jsonOf(log, '--format', EXACT_FORMAT, '--limits', `${limit}/1m`));

    const denied = (await Promise.all(limits)).map((run) => run['newlyDeniedPeople']);

    expect(denied).toEqual([50, 50, 50, 50]);
  });

  it('proposes nothing for a window that the log does not fill ten times, and says so', async () => {
    const log = logFile('short.log', spread(2_880, 240, '198.51.100.7'));
    const { stdout, stderr, code } = await sluice(['replay', log]);

    expect(code).toBe(0);
    expect(stdout).not.toContain('Write:');
    expect(stdout).toContain('whose traffic');
    expect(stderr).toContain('No limit is proposed for 1m: the log has requests in 4 windows of 1m, and needs 10.');
    expect(stderr).toContain('No limit is proposed for 1h: the log has requests in 1 window of 1h, and needs 10.');
  });

  it('tells a client by most of its requests, and not by the first one', async () => {
    const headless = 'Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/130.0.0.0 Safari/537.36';
    const log = logFile('first.log', [
      ...spread(100, 900, '198.51.100.7').map((each, index) => ({ ...each, agent: index < 10 ? BROWSER : headless })),
      ...spread(100, 900, '198.51.100.8').map((each, index) => ({ ...each, agent: index < 10 ? headless : BROWSER })),
    ]);
    const run = await jsonOf(log, '--limits', '1/1m');

    expect(run['top']).toMatchObject([
      { client: '198.51.100.7', kind: 'program', evidence: 'HeadlessChrome/130.0.0.0' },
      { client: '198.51.100.8', kind: 'person' },
    ]);
  });

  it('says what files decide, and leaves them out on demand', async () => {
    const visits = Array.from({ length: 30 }, (_, person) =>
      Array.from({ length: 8 }, (_unused, page) => {
        const at = person * 40 + page * 9;
        const by = { ip: `198.51.100.${person}` };
        const files = Array.from({ length: 6 }, (_each, index) => ({
          ...by,
          at: at + 1,
          request: `GET /${index}.css?v=${page}`,
        }));
        return [{ ...by, at, request: `GET /page/${page}` }, ...files];
      }),
    ).flat(2);
    const log = logFile('files.log', visits);
    const [all, pages, { stdout }] = await Promise.all([
      jsonOf(log),
      jsonOf(log, '--without', 'files'),
      sluice(['replay', log]),
    ]);
    const [, people] = all['proposals'] as { limit: number; withoutFiles: number }[];
    const [, ofPages] = pages['proposals'] as { limit: number; least: number }[];

    expect(stdout).toContain('85.7 % of the requests are files (.css .js .png …): without them');
    expect(pages).toMatchObject({ requests: 240, logged: 30 * 8 * 7, withoutFiles: true });
    expect(ofPages!.least).toBeLessThanOrEqual(8);
    expect(people).toMatchObject({ withoutFiles: ofPages!.limit });
    expect(people!.limit).toBeGreaterThan(3 * ofPages!.limit);
  });

  it('tries limits on the chosen routes alone, and tells kinds by all requests', async () => {
    const log = logFile('only.log', [
      ...spread(40, 600, '198.51.100.7').map((each, index) => ({
        ...each,
        request: `GET /gone/${index}`,
        status: 404,
      })),
      ...spread(6, 30, '198.51.100.7').map((each) => ({ ...each, request: 'POST /login', status: 302 })),
      ...spread(30, 30, '198.51.100.8').map((each) => ({ ...each, request: 'GET /login' })),
    ]);
    const run = await jsonOf(log, '--only', 'POST /login', '--limits', '5/1m');

    expect(run).toMatchObject({ requests: 6, logged: 76, clients: 1, candidate: { denied: 1 } });
    expect(run['top']).toMatchObject([{ client: '198.51.100.7', kind: 'scanner', requests: 6, denied: 1 }]);
  });

  it.each([
    ['login', "--only login: write a path such as '/api/*', or a method and a path such as 'POST /login'"],
    ['/none', 'no request of the log is one of --only /none'],
  ])('says what is wrong with --only %s', async (route, message) => {
    const log = logFile('wrong.log', spread(5, 60, '198.51.100.7'));
    const { code, stderr } = await sluice(['replay', log, '--only', route]);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

const POLICIES = (routes: string) => `version: 1
limiters:
  api:
    ${routes}
    tiers:
      - { name: api-minute, key: ip, limit: 100, window: 1m }
  sign-in:
    routes: ['POST /login']
    tiers:
      - { name: sign-in-minute, key: ip, limit: 2, window: 1m }
`;

describe('sluice replay of a file with several limiters', () => {
  const sent = Array.from({ length: 60 }, (_, index) => ({
    at: index,
    ip: '198.51.100.7',
    request: index % 12 === 0 ? 'POST /login' : 'GET /api/items',
  }));

  it('sends a request through the limiters that it meets, and through no other', async () => {
    const log = logFile('routes.log', sent);
    const policies = file('routes.yaml', POLICIES("routes: ['/api/*']"));
    const run = await jsonOf(log, '--limits', policies);

    // Five sign-ins, of which two are admitted; the others meet a limit that they do not reach.
    expect(run).toMatchObject({ candidate: { denied: 3 } });
    expect(run['busiest']).toMatchObject([
      { tier: 'api-minute', most: 55 },
      { tier: 'sign-in-minute', most: 5 },
    ]);
  });

  it('asks which limiter is meant, where two name no routes', async () => {
    const log = logFile('asked.log', sent);
    const policies = file('asked.yaml', POLICIES('').replace(/ {4}routes: \['POST \/login'\]\n/, ''));
    const [unclear, chosen, unknown] = await Promise.all([
      sluice(['replay', log, '--limits', policies]),
      jsonOf(log, '--limits', policies, '--limiter', 'api'),
      sluice(['replay', log, '--limits', policies, '--limiter', 'web']),
    ]);

    expect(unclear.code).toBe(2);
    expect(unclear.stderr).toContain('api and sign-in name no routes, so that each request would meet all of them.');
    expect(unclear.stderr).toContain('Pass one, as --limiter api');
    expect(chosen).toMatchObject({ candidate: { denied: 0, tiers: [{ name: 'api-minute' }] } });
    expect(unknown.stderr).toContain('has api, sign-in');
  });
});

describe('the report of sluice replay', () => {
  const shop = population('shop', 7);
  const log = file('shop.log', textOf(shop, combined));

  it('says whose traffic a log has before any limit, and all of it', async () => {
    const run = await jsonOf(log);
    const traffic = run['traffic'] as { kind: string; requests: number }[];

    expect(traffic.map(({ kind }) => kind)).toEqual([
      'person',
      'person',
      'office',
      'program',
      'monitor',
      'search engine',
      'scanner',
    ]);
    expect(traffic.reduce((sum, { requests }) => sum + requests, 0)).toBe(shop.requests.length);
  });

  it('denies the requests that an exact window denies', async () => {
    const run = (await jsonOf(log, '--limits', '60/1m sliding-window-log')) as { candidate: { identities: number } };

    // The log has whole seconds.
    const seconds = {
      ...shop,
      requests: shop.requests.map((each) => ({ ...each, at: Math.floor(each.at / 1e3) * 1e3 })),
    };
    expect(run.candidate.identities).toBe(
      clientsOf(deniedRequests(seconds.requests, [{ limit: 60, window: 60_000 }])).size,
    );
  });

  it('ends with lines to copy: for people, and for sign-ins by themselves', async () => {
    const { stdout } = await sluice(['replay', log]);
    const lines = stdout.trimEnd().split('\n').slice(-3);

    expect(lines[0]).toMatch(
      /^(\d+) a minute denies 0 of 4\d\d people.*Write: rateLimit\({ limit: \1, window: '1m' }\)$/,
    );
    expect(lines[1]).toMatch(/^(\d+) an hour denies .+Write: rateLimit\({ limit: \1, window: '1h' }\)$/);
    expect(lines[2]).toMatch(/^POST \/login: .+ 5 a minute denies 0 of 400 people, 2 of 2 scanners\. Write: app\.post/);
  });

  it('names the client that decides, the attacks, and the monitors to exempt', async () => {
    const { stdout } = await sluice(['replay', log, '--limits', '1/1m']);

    expect(stdout).toMatch(/^attacks +lasted +requests +clients +admitted$/m);
    expect(stdout).toMatch(/^Jan 17 .+ +2 +\d+\.\d+ % +(stopped|slowed down): \d+ % 404 on 10 pages or more$/m);
    expect(stdout).toMatch(/monitor: /);
    expect(stdout).toMatch(/^allow: \['198\.18\.\d+\.\d+'.*\],$/m);
  });

  it('draws whom limits deny, as a page and as a picture alone', async () => {
    const [html, svg] = ['report.html', 'curve.svg'].map((name) => join(folder, name)) as [string, string];
    await sluice(['replay', log, '--html', html, '--svg', svg]);
    const page = readFileSync(html, 'utf8');

    expect(page).toContain('Whose traffic this is');
    expect(page).toContain('aria-label="Whom limits a minute deny"');
    expect(page).toContain('What to write');
    expect(readFileSync(svg, 'utf8')).toMatch(/^<svg [^>]*aria-label="Whom limits a minute deny"/);
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('proposes for programs, where a log has no people, by the key that identifies them', async () => {
    const keys = file('api.json', textOf(api(3), json));
    const { stdout } = await sluice(['replay', keys, '--key', 'json:$.req.headers.x-api-key']);

    expect(stdout).toMatch(/^whose traffic .+\nprograms +100\.0 %/m);
    expect(stdout).toMatch(
      /a minute denies \d of 400 clients\. Write: rateLimit\({ key: byApiKey\(\), limit: \d+, window: '1m' }\)/,
    );
  });

  it('explains where a sliding window counts more than a client has sent', async () => {
    const burst: Logged[] = [
      ...Array.from({ length: 300 }, (_, index) => ({ at: 55 + index / 100, ip: '198.51.100.7' })),
      ...Array.from({ length: 300 }, (_, index) => ({ at: 116 + index / 100, ip: '198.51.100.7' })),
    ];
    const exact = file('burst.log', logOf(exactLine, burst));
    const { stdout, stderr } = await sluice(['replay', exact, '--format', EXACT_FORMAT, '--limits', '300/1m']);
    const [, most, needs] = /^300\/1m +1m +\d+ +\d+ +\d+ +(\d+) +(\d+) +300$/m.exec(stdout)!;

    expect(Number(needs)).toBeGreaterThan(Number(most));
    expect(stderr).toContain('Above a limit of 64, sliding-window estimates from two windows');
  });
});

describe('a log of a single client', () => {
  it('promises nothing about shares and others, and says which of its requests failed', async () => {
    const visits = Array.from({ length: 12 }, (_, visit) => visit * 600);
    const only = visits.flatMap((start) =>
      spread(8, 30, '203.0.113.7').map((each, index) => ({
        ...each,
        at: start + each.at,
        agent: BROWSER,
        status: index === 0 ? 200 : 404,
      })),
    );
    const { stdout, stderr } = await sluice(['replay', logFile('single.log', only)]);

    expect(stdout).toMatch(/^1m: none of 1 client +\d+$/m);
    expect(stdout).toMatch(/^1m: none of 1 person +\d+ +\d+$/m);
    expect(stdout).toMatch(/^1m: set by 203\.0\.113\.7 \(person: 96 pages, 87 % 404\), with \d+ a minute[^;]*\.$/m);
    expect(stdout).toContain('denies 0 of 1 person.');
    expect(stderr).toContain('the log has requests in 2 windows of 1h');
  });
});

describe('an attack of addresses that act as one', () => {
  const people = Array.from({ length: 40 }, (_, person) =>
    spread(12, 90, `203.0.113.${person}`).map((each, index) => ({
      ...each,
      at: each.at + person * 20,
      request: `GET /page/${index}`,
      agent: BROWSER.replaceAll('131', String(100 + person)),
    })),
  ).flat();
  const attack = (sent: Partial<Sent>) =>
    Array.from({ length: 200 }, (_, address) => ({ at: address * 4, ip: `198.51.100.${address}`, ...sent }));

  it('is said to be admitted by a limit by address, with what would stop it', async () => {
    const run = await sluice(['replay', logFile('flood.log', [...people, ...attack({ request: 'GET /search' })])]);

    expect(run.stdout).toMatch(/^scanners +29\.4 % +200 +200 +198\.51\.100\.0: one of 200 addresses with one agent/m);
    expect(run.stdout).toMatch(/ 200 +200 +100\.0 % +not stopped: one of 200 addresses/);
    expect(run.stdout).toContain(
      "200 addresses act as one: they ask for /search with one agent, and none sends more than 1 a minute, so that a limit by address admits 100.0 % of their requests. Count all clients of /search together, by key: () => 'all', or refuse their agent.",
    );
    expect(run.stdout).toMatch(/of 40 people\. Write:/);
  });

  it('is one of sign-ins where all are refused, and is stopped by account', async () => {
    const guesses = attack({ request: 'POST /login', status: 401 });
    const { stdout } = await sluice(['replay', logFile('guesses.log', [...people, ...guesses])]);

    expect(stdout).toContain('200 addresses act as one: they send little but sign-ins and sign-ups');
    expect(stdout).toContain('Count sign-ins by account, too, as loginTiers do');
  });

  it('is said of a log of nothing else, for which no deny list of addresses would do', async () => {
    const { stdout, stderr } = await sluice(['replay', logFile('all.log', attack({}))]);

    expect(stdout).toContain('none sends more than 1 a minute, so that a limit by address would admit them.');
    expect(stderr).toContain('No limit is proposed, because all clients are scanners: try a limit by --limits.');
  });
});

describe('the limit that sluice replay proposes for an hour', () => {
  const visit = (person: number, pages: number, at: number) =>
    spread(pages, 40, `203.0.113.${person}`).map((each, index) => ({
      ...each,
      at: each.at + at,
      request: `GET /page/${index}`,
      agent: BROWSER.replaceAll('131', String(100 + person)),
    }));
  const once = Array.from({ length: 100 }, (_, person) => visit(person, 3 + (person % 5), person * 400)).flat();

  it('is none where people came once, because their hour has no more than their minute', async () => {
    const { stdout, stderr } = await sluice(['replay', logFile('once.log', once)]);

    expect(stdout).toMatch(/ a minute denies \d+ of 100 people\. Write:/);
    expect(stdout).not.toContain(' an hour denies');
    expect(stderr).toContain(
      'No limit is proposed for 1h: 0 of 100 people sent more in 1h than in 1m, and 10 are needed to tell what people need.',
    );
  });

  it('is none where it would deny who comes a second time', async () => {
    const again = Array.from({ length: 20 }, (_, person) => visit(person, 1, person * 400 + 900)).flat();
    const { stdout, stderr } = await sluice(['replay', logFile('again.log', [...once, ...again])]);

    expect(stdout).not.toContain(' an hour denies');
    expect(stderr).toMatch(
      /No limit is proposed for 1h: people who stay need \d+ in 1h, and may send \d+ a minute, so that it would deny who comes again\./,
    );
  });

  it('is for the people who stay, and denies few of them', async () => {
    const stay = Array.from({ length: 40 }, (_, person) =>
      Array.from({ length: 8 }, (_each, turn) => visit(person, 3 + (person % 4), person * 400 + turn * 120)).flat(),
    ).flat();
    const { stdout } = await sluice(['replay', logFile('stay.log', [...once, ...stay])]);

    expect(stdout).toMatch(/^1h: at most 1 of 40 people who stay +\d+ +\d+$/m);
    expect(stdout).toMatch(/^\d+ an hour denies [01] of 40 people who stay\. Write:/m);
  });
});

describe('a log of scanners alone', () => {
  it('proposes no limit, which would be made for them', async () => {
    const lines = spread(600, 900, '203.0.113.7').map((request, index) =>
      combinedLine({ ...request, agent: BROWSER, status: 404 }).replace('GET / ', `GET /${index} `),
    );
    const { code, stdout, stderr } = await sluice(['replay', file('scan.log', lines.join('\n'))]);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^scanners +100\.0 % +600 +1 /m);
    expect(stdout).not.toMatch(/proposed|Write:/);
    expect(stderr).toContain('No limit is proposed, because all clients are scanners: put them on a deny list');
  });
});

describe('the note about the busiest client', () => {
  const others = spread(20, 600, '198.51.100.9');

  it.each([
    ['Uptime-Kuma/1.23', '203.0.113.7', "It is a monitor (Uptime-Kuma/1.23): exempt it by allow: ['203.0.113.7']"],
    [
      'Uptime-Kuma/1.23',
      '10.0.0.7',
      "It is a monitor of your own network (Uptime-Kuma/1.23): exempt it by allow: ['10.0.0.7']",
    ],
    [
      'curl/8.5.0',
      '10.0.0.7',
      "a program of your own network (curl/8.5.0), such as a health check or a cron job: exempt it by allow: ['10.0.0.7']",
    ],
    [BROWSER, '::1', 'A private address is usually a proxy: log $http_x_forwarded_for (nginx)'],
    [BROWSER, '203.0.113.7', 'If it is a proxy or a CDN, log $http_x_forwarded_for (nginx)'],
  ])('of %s at %s says what to do', async (agent, ip, text) => {
    const { stderr } = await sluice([
      'replay',
      logFile('leader.log', [...others, ...spread(200, 600, ip).map((each) => ({ ...each, agent }))]),
      '--limits',
      '20/1m',
    ]);

    expect(stderr).toContain(text);
  });

  it('takes a private address for a proxy where it has the agents of several programs', async () => {
    const programs = ['curl/8.5.0', 'okhttp/4.12', 'axios/1.7', 'python-requests/2.32'];
    const sent = spread(200, 600, '10.0.0.7').map((each, index) => ({ ...each, agent: programs[index % 4]! }));
    const { stderr } = await sluice(['replay', logFile('proxy.log', [...others, ...sent])]);

    expect(stderr).toContain('A private address is usually a proxy');
  });

  it('has the programs of one’s own network among the clients to exempt', async () => {
    const sent = spread(200, 600, '10.0.0.7').map((each) => ({ ...each, agent: 'curl/8.5.0' }));
    const run = await jsonOf(logFile('cron.log', [...others, ...sent]), '--limits', '5/1m');

    expect(run['exemptions']).toMatchObject([{ client: '10.0.0.7', kind: 'program', evidence: 'curl/8.5.0' }]);
  });

  it('is about all of them where most have private addresses', async () => {
    const gateways = [1, 2, 3].flatMap((network) => spread(40, 600, `172.2${network}.0.1`));
    const [hidden, own] = await Promise.all(
      [gateways, [...gateways, ...[1, 2, 3].flatMap((client) => spread(40, 600, `203.0.113.${client}`))]].map(
        (log, at) => sluice(['replay', logFile(`gateways-${at}.log`, log), '--limits', '20/1m']),
      ),
    );

    expect(hidden?.stderr).toContain(
      '3 of 3 clients have private addresses. If they are not those of your own network, they hide whom a proxy or a container forwards: log $http_x_forwarded_for (nginx) or %{X-Forwarded-For}i (Apache), and pass --proxies uniquelocal.',
    );
    expect(own?.stderr).not.toContain('private addresses');
  });

  it('takes many agents at one address for an office or a school', async () => {
    const school = spread(210, 600, '203.0.113.7').map((each, index) => ({
      ...each,
      agent: BROWSER.replaceAll('131', String(100 + (index % 21))),
    }));
    const { stderr } = await sluice(['replay', logFile('school.log', [...others, ...school]), '--limits', '20/1m']);

    expect(stderr).toMatch(
      /It is an office or a school \(\d\d agents or more at one address\), or a proxy: count by user/,
    );
  });

  it('says that a log without agents knows programs by their pace alone', async () => {
    const common = file('common.log', logOf(combinedLine, others).replaceAll(/ "-" "[^"]*"$/gm, ''));
    const { stderr } = await sluice(['replay', common, '--limits', '20/1m']);

    expect(stderr).toContain('The log has no User-Agent, so that programs and monitors are known by their pace alone');
  });

  it('writes a network of IPv6 as people do, and the year of the log', async () => {
    const log = logFile('six.log', spread(9, 60, '2001:db8:0:1::7'));
    const { stdout } = await sluice(['replay', log, '--limits', '1/1m']);

    expect(stdout).toContain('2001:db8:0:1::/64');
    expect(stdout).toContain(`${new Date(START).getUTCFullYear()} Nov 20 08:00 – Nov 20 08:00 UTC`);
  });
});
