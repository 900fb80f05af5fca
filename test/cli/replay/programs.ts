import { browser, client, pageUrl } from './actors.js';
import type { Actor, SiteRequest, Stage, TrueClient } from './site.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const MONITORS = [
  'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  'Uptime-Kuma/1.23.16',
  'Mozilla/5.0 (compatible; PRTG Network Monitor (www.paessler.com); Windows)',
  'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)',
];

/** Asks for one page, day and night. */
export const monitor: Actor = (stage) => {
  const by = client(stage, 'monitor');
  const agent = stage.random.pick(MONITORS);
  const every = stage.random.pick([5, 10, 20]) * SECOND;
  return evenly(stage, every, { client: by, agent, method: 'GET', url: '/health', status: 200 });
};

/** A monitor that calls itself a browser. */
export const namelessMonitor: Actor = (stage) => {
  const by = client(stage, 'monitor');
  return evenly(stage, 20 * SECOND, { client: by, agent: browser(stage), method: 'GET', url: '/', status: 200 });
};

/** One that asks at the end of minutes, so that a slow answer is logged in the next one. @param every milliseconds */
export function lateMonitor(every: number): Actor {
  return (stage) => {
    const about = { client: client(stage, 'monitor'), agent: browser(stage), method: 'GET', url: '/', status: 200 };
    const count = Math.floor(stage.span / every);
    return Array.from({ length: count }, (_, index) => ({ ...about, at: (index + 1) * every - 200 }));
  };
}

/** A balancer that asks whether its server is well, from its own address. */
export const balancer: Actor = (stage) =>
  evenly(stage, 10 * SECOND, {
    client: { name: '10.0.0.5', kind: 'monitor' },
    agent: 'ELB-HealthChecker/2.0',
    method: 'GET',
    url: '/health',
    status: 200,
  });

function evenly({ span, random }: Stage, every: number, request: Omit<SiteRequest, 'at'>): SiteRequest[] {
  const first = random.next() * every;
  return Array.from({ length: Math.floor(span / every) }, (_, index) => ({
    ...request,
    at: Math.round(first + index * every),
  }));
}

const ENGINES = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
];

/** Follows links, of which one in seven is dead. */
export const searchEngine: Actor = (stage) => {
  const { random, span } = stage;
  const by = client(stage, 'search engine');
  const agent = random.pick(ENGINES);
  return Array.from({ length: random.between(200, 900) }, () => ({
    client: by,
    agent,
    method: 'GET',
    at: Math.round(random.next() * span),
    url: pageUrl(stage),
    status: random.isTrue(0.15) ? 404 : 200,
  }));
};

const READERS = [
  'Feedly/1.0 (+http://www.feedly.com/fetcher.html; like FeedFetcher-Google)',
  'FreshRSS/1.24.3 (Linux; https://freshrss.org)',
  'NetNewsWire (RSS Reader; https://netnewswire.com/)',
  'Tiny Tiny RSS/24.09 (https://tt-rss.org/)',
];

/** Looks for news in a feed. */
export const feedReader: Actor = (stage) => {
  const by = client(stage, 'program');
  const agent = stage.random.pick(READERS);
  return evenly(stage, 15 * MINUTE, { client: by, agent, method: 'GET', url: '/feed.xml', status: 304 });
};

const LIBRARIES = ['python-requests/2.32.3', 'axios/1.7.9', 'Go-http-client/2.0', 'curl/8.5.0'];

/** A program that names itself, in bursts. */
export const script: Actor = (stage) => {
  const { random, span } = stage;
  const by = client(stage, 'program');
  const agent = random.pick(LIBRARIES);
  const begins = random.next() * span * 0.8;
  return Array.from({ length: random.between(100, 1_500) }, (_, index) => ({
    client: by,
    agent,
    method: 'GET',
    at: Math.round(begins + index * 400 + random.next() * 300),
    url: pageUrl(stage),
    status: 200,
  }));
};

/** A client of an API, known by its key, that works in bursts. */
export const apiClient: Actor = (stage) =>
  bursts(stage, { name: `key-${stage.address().replaceAll('.', '')}`, kind: 'program' });

/** One that is known by its address. */
export const apiProgram: Actor = (stage) => bursts(stage, client(stage, 'program'));

function bursts({ random, span }: Stage, by: TrueClient): SiteRequest[] {
  const agent = random.pick(LIBRARIES);
  const size = Math.max(2, Math.round(random.spread(12, 0.5)));
  return Array.from({ length: random.between(3, 40) }, () => {
    const at = random.next() * (span - MINUTE);
    return Array.from({ length: random.between(1, size) }, (_, index): SiteRequest => {
      const url = `/api/orders/${random.between(1, 9_999)}`;
      return {
        client: by,
        agent,
        method: random.pick(['GET', 'GET', 'POST']),
        at: Math.round(at + index * 900),
        url,
        status: 200,
      };
    });
  }).flat();
}
