import * as json from './json-forms.js';
import type { SmallSite } from './small-sites.js';
import * as text from './text-forms.js';
import type { ReadOptions } from './told-kinds.js';
import type { TrueLimit } from './true-limits.js';
import type { LogForm } from './written-log.js';

/** A limit, and the name of its tier in a report. */
export interface NamedLimit extends TrueLimit {
  readonly tier: string;
}

/** A log to replay. */
export interface ReplayedLog {
  readonly site: SmallSite;
  readonly form: LogForm;
  readonly options?: ReadOptions;
  /** Gzipped files, of which the log is made. @default one file that is not */
  readonly files?: number;
  /** A file of policies for `--limits`, and what it says. @default one limit, that of all rows */
  readonly policies?: { readonly yaml: string; readonly limits: readonly NamedLimit[] };
}

const BEHIND = { proxies: ['10.0.0.0/8'] };
const MINUTE = 60_000;

const POLICIES = `version: 1
limiters:
  all:
    tiers:
      - { name: all, key: ip, algorithm: sliding-window-log, limit: 25, window: 1m }
  sign-in:
    routes: ['POST /login']
    tiers:
      - { name: sign-in, key: ip, algorithm: sliding-window-log, limit: 2, window: 10m }
  shop:
    routes: ['/shop/*', 'GET /api/*']
    tiers:
      - { name: shop, key: ip, algorithm: sliding-window-log, limit: 8, window: 5m }
`;
const POLICY_LIMITS: readonly NamedLimit[] = [
  { tier: 'all', limit: 25, window: MINUTE },
  { tier: 'sign-in', limit: 2, window: 10 * MINUTE, takes: ({ method, url }) => method === 'POST' && url === '/login' },
  {
    tier: 'shop',
    limit: 8,
    window: 5 * MINUTE,
    takes: ({ method, url }) => /^(?:\w+ \/shop|GET \/api)\//.test(`${method} ${url}`),
  },
];

/** Add a row for a format, or for a population that it must be told on. */
export const REPLAYED_LOGS: Readonly<Record<string, ReplayedLog>> = {
  'nginx with people, pages and files': { site: 'blog', form: text.NGINX },
  'nginx behind a balancer that checks it': { site: 'checked', form: text.NGINX_BEHIND_BALANCER, options: BEHIND },
  'Apache with forwarded addresses first': { site: 'offices', form: text.APACHE_FORWARDED_FIRST, options: BEHIND },
  'pino-http': { site: 'shop', form: json.PINO_HTTP },
  'nestjs-pino behind a proxy': { site: 'shop', form: json.NESTJS_PINO, options: BEHIND },
  'Fastify, which logs two lines a request and no agents': { site: 'silent', form: json.FASTIFY },
  'a pod of Kubernetes, in CRI': { site: 'blog', form: text.CRI },
  'an ALB': { site: 'shop', form: text.ALB },
  'an API Gateway with whole seconds': { site: 'programs', form: json.API_GATEWAY },
  'an API Gateway with milliseconds': { site: 'programs', form: json.API_GATEWAY_EPOCH },
  'Apache with host names': { site: 'crowd', form: text.HOST_NAMES },
  'nginx with masked addresses': { site: 'pairs', form: text.MASKED },
  'three quarters of an hour': { site: 'short', form: text.NGINX },
  'nginx with exact times and three limiters': {
    site: 'shop',
    form: text.EXACT_NGINX,
    options: { format: text.EXACT_NGINX_FORMAT },
    policies: { yaml: POLICIES, limits: POLICY_LIMITS },
  },
  'an API with keys': { site: 'keys', form: json.KEYS, options: { key: 'req.headers.x-api-key' } },
  'monitors, in docker compose': { site: 'monitors', form: text.COMPOSE },
  'scanners that move, in a file of Docker': { site: 'scanners', form: text.DOCKER },
  'feed readers, in virtual hosts of Apache': { site: 'readers', form: text.APACHE_VIRTUAL_HOSTS },
  'networks of IPv6, in Caddy': { site: 'blog', form: json.CADDY_IPV6 },
  'offices, in three files of gzip': { site: 'offices', form: text.NGINX, files: 3 },
};
