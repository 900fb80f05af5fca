import type { Kind } from '../../../packages/cli/src/replay/kinds/kind.js';
import type { Actor, SiteRequest, Stage, TrueClient } from './site.js';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:%.0) Gecko/20100101 Firefox/%.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/%.1 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/%.2 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%.0.0.0 Mobile Safari/537.36',
];
const FILES = ['css', 'js', 'png', 'jpg', 'woff2', 'svg', 'webp'];
const SECTIONS = ['news', 'help', 'shop', 'about', 'items', 'team'];

export function browser({ random }: Stage): string {
  return random.pick(BROWSERS).replaceAll('%', String(random.between(96, 131)));
}

/** A client with an address that nobody else has. */
export function client({ address }: Stage, kind: Kind): TrueClient {
  return { name: address(), kind };
}

export function pageUrl({ random }: Stage): string {
  const path = `/${random.pick(SECTIONS)}/${random.between(1, 400)}`;
  return random.isTrue(0.2) ? `${path}?page=${random.between(2, 9)}` : path;
}

interface Visit {
  readonly client: TrueClient;
  readonly agent: string;
  /** When it begins. */
  readonly at: number;
  readonly pages: number;
  /** Between two pages, on average. */
  readonly reading: number;
  /** Of a page that no cache has. */
  readonly files: number;
}

/** Pages one after the other, with their files: all of the first one, and a few of each other, because of the cache. */
function visit(stage: Stage, { client: by, agent, at, pages, reading, files }: Visit): SiteRequest[] {
  const { random } = stage;
  const sent: SiteRequest[] = [];
  let now = at;
  for (let page = 0; page < pages; page += 1) {
    const about = { client: by, agent, method: 'GET' };
    // A dead link, now and then.
    const status = random.isTrue(0.01) ? 404 : 200;
    sent.push({ ...about, at: Math.round(now), url: pageUrl(stage), status });
    const count = page === 0 ? files : random.between(0, Math.ceil(files / 6));
    for (let file = 0; file < count; file += 1) {
      const url = `/static/${file}-${random.between(1, 90)}.${random.pick(FILES)}`;
      sent.push({ ...about, at: Math.round(now + 100 + random.next() * 2 * SECOND), url, status: 200 });
    }
    now += 1_500 + random.wait(reading);
  }
  return sent;
}

/** A person that comes a few times and reads a few pages each time. @param files of a page */
export function person(files: number): Actor {
  return (stage) => {
    const { random, span } = stage;
    const by = client(stage, 'person');
    const agent = browser(stage);
    const reading = Math.max(4 * SECOND, random.spread(25 * SECOND, 0.5));
    return Array.from({ length: random.between(1, 3) }, () =>
      visit(stage, {
        client: by,
        agent,
        // It has three pages at least before the log ends.
        at: random.next() * (span - 20 * MINUTE),
        pages: 3 + Math.min(60, Math.floor(random.spread(3, 0.8))),
        reading,
        files: files === 0 ? 0 : random.between(Math.ceil(files / 2), files),
      }),
    ).flat();
  };
}

/** A page with an application that asks for news evenly, as long as it is open. */
export const openApplication: Actor = (stage) => {
  const { random, span } = stage;
  const by = client(stage, 'person');
  const agent = browser(stage);
  const at = random.next() * span * 0.5;
  const first = visit(stage, { client: by, agent, at, pages: 4, reading: 20 * SECOND, files: 20 });
  const every = random.pick([15, 20, 30]) * SECOND;
  const polls = Math.floor(random.between(30, 180) * (MINUTE / every));
  return [
    ...first,
    ...Array.from({ length: polls }, (_, poll): SiteRequest => {
      const url = poll % 10 === 9 ? '/static/app.js' : '/api/news';
      return { client: by, agent, at: Math.round(at + poll * every), method: 'GET', url, status: 200 };
    }),
  ];
};

/** One page with 30 to 98 files, and never again. */
export const pageLoad: Actor = (stage) => {
  const { random, span } = stage;
  const by = client(stage, 'page load');
  const at = random.next() * (span - MINUTE);
  return visit(stage, { client: by, agent: browser(stage), at, pages: 1, reading: 1, files: random.between(30, 98) });
};

/** Many people behind one address, in the hours of work. */
export function office(people: number): Actor {
  return (stage) => {
    const { random, span } = stage;
    const by = client(stage, 'office');
    const agents = new Set<string>();
    while (agents.size < people) agents.add(browser(stage));
    return [...agents].flatMap((agent) =>
      visit(stage, {
        client: by,
        agent,
        at: random.next() * (span - HOUR),
        pages: random.between(6, 20),
        reading: random.between(10, 60) * SECOND,
        files: random.between(4, 20),
      }),
    );
  };
}

/** A person that signs in, mistypes now and then, and reads. */
export const member: Actor = (stage) => {
  const { random } = stage;
  const requests = person(6)(stage);
  const [first] = requests;
  const by = first!.client;
  const tries = random.pick([1, 1, 1, 1, 2, 2, 3]);
  return [
    ...requests,
    ...Array.from({ length: tries }, (_, index): SiteRequest => {
      const at = first!.at + 5 * SECOND + index * 8 * SECOND;
      return {
        client: by,
        agent: first!.agent,
        method: 'POST',
        at,
        url: '/login',
        status: index === tries - 1 ? 302 : 401,
      };
    }),
  ];
};
