/** What a `User-Agent` says about who sends a request. */
export type AgentClass = (typeof AGENT_CLASSES)[number];

/** An application without a user agent sends none, so that a request without one says nothing. */
export const AGENT_CLASSES = ['none', 'browser', 'program', 'monitor', 'search engine'] as const;

const SEARCH_ENGINES =
  /googlebot|google-inspectiontool|googleother|bingbot|bingpreview|msnbot|yandex\w*bot|yandex\.com\/bots|baiduspider|duckduck(go-favicons-)?bot|applebot|slurp|seznambot|sogou|petalbot|qwant|mojeek|exabot|naverbot|yeti\/|coccocbot|ia_archiver|archive\.org_bot/i;

const MONITORS =
  /monitor|uptime|pingdom|probe|prtg|nagios|check_http|zabbix|icinga|statuscake|site24x7|healthcheck|health-check|googlehc|synthetic|newrelicpinger|checkly|hetrix|freshping|hyperping|blackbox|datadog|pulsetic|sensu|better ?stack|gatus|\bping\b/i;

/** Crawlers, command-line tools, libraries, readers of feeds and scanners that name themselves beside `Mozilla/`. */
const PROGRAMS =
  /bot\b|crawl|spider|scrap|curl|wget|python|aiohttp|httpx|java[/%]|httpclient|go-http-client|axios|node-fetch|undici|\bgot\b|libwww|perl|ruby|guzzle|headless|phantomjs|selenium|playwright|puppeteer|postman|k6\/|facebookexternalhit|facebookcatalog|feed|\brss\b|jorgee|zgrab|masscan|nmap|nikto|sqlmap|nuclei|wpscan|expanse|censys|\+https?:|[\w.]@[\w-]+\.\w/i;

/** Agents of people without `Mozilla/`: mobile applications name their library, and some browsers are older than that. */
const PEOPLE =
  /^(mozilla|opera|dalvik|okhttp|lynx|links|w3m|ncsa|nokia|samsung|sony|blackberry|ucweb|ucbrowser)|cfnetwork|\bdart\b|alamofire|expo|react-?native|flutter|\bios\b|android|iphone/i;

/** The class of an agent. A program names itself, has an address for questions, or does not call itself a browser. */
export function agentClassOf(agent: string): AgentClass {
  if (agent === '') return 'none';
  if (SEARCH_ENGINES.test(agent)) return 'search engine';
  if (MONITORS.test(agent)) return 'monitor';
  if (PROGRAMS.test(agent)) return 'program';
  return PEOPLE.test(agent) ? 'browser' : 'program';
}

const IN_MOZILLA =
  /\b([\w.-]*(?:bot|crawler|spider|monitor|headless\w*|uptime|prtg|pingdom|slurp)[\w.-]*)(?:\/([\d.]+))?/i;

/** The product that an agent names, short enough for a table: `Uptime-Kuma/1.23`, `Googlebot/2.1`. */
export function productOf(agent: string): string {
  const [, name, version] = (agent.startsWith('Mozilla/') ? IN_MOZILLA.exec(agent) : null) ?? [];
  const text = name === undefined ? (/^[^\s(;]+/.exec(agent)?.[0] ?? agent) : version ? `${name}/${version}` : name;
  return text.length > 32 ? `${text.slice(0, 32)}…` : text;
}
