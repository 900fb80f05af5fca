import type { Kind } from '../../../packages/cli/src/replay/kinds/kind.js';
import { demandOf } from './demand-of.js';
import type { SiteRequest } from './site.js';

const MINUTE = 60_000;

type Sent = Partial<Omit<SiteRequest, 'client'>>;

const agentOf = (number: number) =>
  `Mozilla/5.0 (X11; Linux x86_64; rv:${100 + number}.0) Gecko Firefox/${100 + number}.0`;

/** Some requests of one client, one a minute. */
function requestsOf(name: string, count: number, sent: (index: number) => Sent): SiteRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    client: { name, kind: 'person' },
    at: index * MINUTE,
    method: 'GET',
    url: `/page/${index}`,
    status: 200,
    agent: agentOf(0),
    ...sent(index),
  }));
}

/** One request of each of some addresses. */
function addressesOf(count: number, sent: (index: number) => Sent): SiteRequest[] {
  return Array.from({ length: count }, (_, index) =>
    requestsOf(`198.51.${Math.floor(index / 250)}.${index % 250}`, 1, () => ({ at: index * MINUTE, ...sent(index) })),
  ).flat();
}

function demand(requests: readonly SiteRequest[]) {
  return demandOf({ requests: requests.toSorted((one, other) => one.at - other.at), start: 0, clients: [] });
}

/** What each client is taken for, and why. */
function told(requests: readonly SiteRequest[]) {
  const found = demand(requests);
  return found.clients.map((client) => found.verdictOf(client));
}

function kindsIn(requests: readonly SiteRequest[]): Partial<Record<Kind, number>> {
  const counts: Partial<Record<Kind, number>> = {};
  for (const { kind } of told(requests)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

describe('an office', () => {
  it('is one also where most agents come once, between the requests of the others', () => {
    const rare = new Map(Array.from({ length: 8 }, (_, agent) => [20 + agent * 7, agentOf(agent + 1)]));
    const office = requestsOf('198.51.100.7', 200, (index) => ({ agent: rare.get(index) ?? agentOf(0) }));

    expect(told(office)).toEqual([{ kind: 'office', evidence: '9 agents or more at one address' }]);
  });

  it('stays one where a machine of it looks for a known hole', () => {
    const office = requestsOf('198.51.100.7', 200, (index) => ({
      agent: agentOf(index % 12),
      ...(index === 50 && { url: '/.env', status: 404 }),
    }));

    expect(told(office)).toMatchObject([{ kind: 'office' }]);
  });

  it('is none where almost each request has another agent', () => {
    const hiding = requestsOf('198.51.100.7', 9, (index) => ({ agent: agentOf(index % 8) }));

    expect(told(hiding)).toEqual([{ kind: 'program', evidence: '8 agents in 9 requests' }]);
  });
});

describe('a client with a request for a known hole', () => {
  it('is a scanner by one that is refused, and the report says which', () => {
    const scan = [{ url: '/' }, { url: '/vendor/phpunit/src/eval-stdin.php', status: 404 }, { url: '/about' }];

    expect(told(requestsOf('198.51.100.7', 3, (index) => scan[index]!))).toEqual([
      { kind: 'scanner', evidence: 'asks for /vendor/phpunit/src/eval-stdin.php, a known hole' },
    ]);
  });

  it.each([
    ['/vendor/phpunit/src/eval-stdin.php', 200],
    ['/wp-login.php', 200],
    ['/wp-admin/', 403],
    ['/gone', 404],
  ])('is no scanner by %s, answered %i', (url, status) => {
    expect(told(requestsOf('198.51.100.7', 3, () => ({ url, status })))).toMatchObject([{ kind: 'person' }]);
  });

  it('is a scanner by a line that is no HTTP', () => {
    const lines = ['\\x16\\x03\\x01', '\\x05\\x01\\x00'];

    expect(told(requestsOf('198.51.100.7', 2, (index) => ({ url: lines[index]!, status: 400, agent: '' })))).toEqual([
      { kind: 'scanner', evidence: '2 requests that are no HTTP' },
    ]);
  });
});

describe('a client that goes on although most of its requests fail', () => {
  it('is a program', () => {
    const hook = requestsOf('198.51.100.7', 120, (index) => ({
      at: (index * MINUTE) / 3,
      url: '/hook',
      status: index % 10 === 0 ? 200 : 404,
    }));

    expect(told(hook)).toEqual([{ kind: 'program', evidence: '90 % 404 in 120 requests' }]);
  });
});

describe('addresses that act as one', () => {
  it('are scanners where they have one agent, and ask for one page', () => {
    const flood = addressesOf(300, () => ({ url: '/search?q=1' }));
    const people = addressesOf(40, (index) => ({ url: '/search', agent: agentOf(1 + (index % 20)) })).map(
      (request) => ({
        ...request,
        client: { ...request.client, name: `203.0.113.${request.at / MINUTE}` },
      }),
    );

    expect(kindsIn(flood)).toEqual({ scanner: 300 });
    expect(told(flood)[0]!.evidence).toBe('one of 300 addresses with one agent and one page, /search');
    // A tenth of those who ask for the page has other agents.
    expect(kindsIn([...flood, ...people.slice(0, 30)])).toEqual({ scanner: 300, person: 30 });
  });

  it('are people where they have the agents of people', () => {
    expect(kindsIn(addressesOf(300, (index) => ({ url: '/', agent: agentOf(index % 40) })))).toEqual({ person: 300 });
  });

  it('are people where they load the files of a page', () => {
    const visits = addressesOf(300, () => ({ url: '/' })).flatMap((request) => [
      request,
      { ...request, at: request.at + 100, url: '/style.css' },
    ]);

    expect(kindsIn(visits)).toEqual({ person: 300 });
  });

  it('are scanners where they send nothing but sign-ins, all of them refused, by any agents', () => {
    const guesses = addressesOf(80, (index) => ({
      method: 'POST',
      url: '/login',
      status: 401,
      agent: agentOf(index % 40),
    }));

    expect(told(guesses)[0]).toEqual({
      kind: 'scanner',
      evidence: 'one of 80 addresses that send little but refused sign-ins',
    });
    expect(kindsIn(guesses)).toEqual({ scanner: 80 });
  });

  it('are scanners where WordPress answers each sign-in with its form', () => {
    const guesses = addressesOf(80, (index) => ({ method: 'POST', url: '/wp-login.php', agent: agentOf(index % 40) }));

    expect(kindsIn(guesses)).toEqual({ scanner: 80 });
  });

  it('are people where they sign in', () => {
    const members = addressesOf(80, (index) => ({
      method: 'POST',
      url: '/login',
      status: index % 10 === 0 ? 401 : 302,
      agent: agentOf(index % 40),
    }));

    expect(kindsIn(members)).toEqual({ person: 80 });
  });
});
