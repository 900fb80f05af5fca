import type { Client } from './client.js';

/** Names of crawlers, command-line tools, libraries and monitors. Those of libraries of mobile applications are not here. */
const AGENTS =
  /bot\b|crawl|spider|slurp|scrap|curl|wget|python|aiohttp|httpx|java[/%]|apache-httpclient|go-http-client|axios|node-fetch|undici|\bgot\b|libwww|perl|ruby|guzzle|headless|phantomjs|selenium|playwright|puppeteer|postman|k6\/|monitor|uptime|pingdom|probe/i;

/** As an application without a user agent sends none, a client without one says nothing. */
export function isProgramAgent(agent: string): boolean {
  return AGENTS.test(agent);
}

/** Only clients above this part of all others are judged by their pace: an open page that polls belongs to a person. */
const FAST = 0.99;
/** Minutes with requests. */
const LONG = 20;
/** A person reads between bursts. */
const EVEN = 0.5;

/** Marks the clients that look like programs. */
export function markPrograms(clients: readonly Client[]): void {
  const paces = clients.map(({ pace }) => pace.most).toSorted((one, other) => one - other);
  const fast = paces[Math.floor(paces.length * FAST)] ?? Infinity;
  for (const client of clients) {
    const { minutes, most, evenness } = client.pace;
    if (client.isProgramAgent) client.sign = 'agent';
    else if (most >= fast && minutes >= LONG && evenness >= EVEN) client.sign = 'pace';
  }
}
