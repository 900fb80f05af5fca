import { join } from 'node:path';
import { anchorOf } from '../../site/anchor.mjs';
import { page } from './pages.js';

const QUESTIONS = 'docs/guide/questions.md';

/** Questions of users of other limiters, where the answer is, and words that it needs. */
const needed: readonly [question: string, target: string, words: readonly string[]][] = [
  ['limited together', 'docs/guide/proxies.md', ['X-Forwarded-For', 'curl']],
  [
    'nginx, Cloudflare',
    'docs/guide/proxies.md#trust-proxy-by-provider',
    ['nginx', 'Cloudflare', 'ALB', 'Heroku', 'Fly.io'],
  ],
  ['node-redis', 'docs/guide/redis-clients.md', ['createClient', 'iovalkey', 'GlideClient', 'Bun']],
  ['AWS Lambda', 'docs/guide/serverless.md', ['handler', 'Vercel', 'Cloud Run', 'Upstash', 'lazyConnect']],
  ['PM2', 'docs/guide/deploy.md#several-processes', ['node:cluster', 'PM2', 'share']],
  ['no adapter', 'docs/guide/beyond-middleware.md#other-frameworks', ['createGate']],
  ['another database', 'docs/guide/own-store.md#a-store-in-another-database', ['SQLite']],
  ['switch from my limiter', 'docs/guide/migrate-from-express-rate-limit.md', ['windowMs']],
  ['switch from my limiter', 'docs/guide/migrate-from-nestjs-throttler.md', ['blockDuration']],
  ['better than the limiter', 'docs/guide/compare.md', ['rate-limiter-flexible', 'Where others are ahead']],
  ['API keys instead of addresses', 'docs/guide/identities.md#api-keys', ['byApiKey']],
  ['API keys instead of addresses', 'docs/guide/identities.md#tokens', ['byJwtSubject']],
  ['limit of its plan', 'docs/guide/plans-and-costs.md#plans', ['tiers']],
  ['cost more than another', 'docs/guide/recipes.md#graphql-trpc-socketio-mcp', ['GraphQL', 'complexity']],
  ['protect a login', 'docs/guide/login.md', ['loginTiers']],
  ['once a minute', 'docs/guide/recipes.md#resend-a-code-once-a-minute', ["'1m'", "'1d'"]],
  ['longer than the window', 'docs/guide/login.md#bans', ["charge: 'denied'", 'delays']],
  ['reset a user', 'docs/guide/recipes.md#reset-a-user', ['forget', 'reset']],
  ['per tenant', 'docs/guide/recipes.md#limits-per-tenant', ["by('tenant'", 'limit']],
  [
    'Socket.IO, tRPC',
    'docs/guide/recipes.md#graphql-trpc-socketio-mcp',
    ['TOO_MANY_REQUESTS', 'connections and events'],
  ],
  ['cron job', 'docs/guide/recipes.md#cron-jobs', ['limit: 1', "onStoreFailure: 'deny'"]],
  ['in HTML', 'docs/guide/headers.md#a-custom-429-page-in-html', ['onDenied', "type('html')"]],
  ['one client by hand', 'docs/guide/login.md#pauses', ['limiter.pause']],
  ['allow or deny addresses', 'docs/guide/address-lists.md', ['ipList', 'allow', 'deny']],
  ['calendar month', 'docs/guide/recipes.md#a-calendar-month', ['period', 'startsOn', 'time zone']],
  ['at the same time', 'docs/guide/concurrency.md', ["'concurrency'"]],
  ['too much comes', 'docs/guide/overload.md', ['shedder', 'Retry-After']],
  ['language model', 'docs/guide/llm.md', ['meter', 'settle', 'stream']],
  ['WebSocket', 'docs/guide/beyond-middleware.md#websockets', ['upgrade']],
  ['API that I call', 'docs/guide/outbound.md', ['run(limiter', 'CoolDown']],
  ['successful requests', 'docs/guide/plans-and-costs.md#refunds', ['refundWhen']],
  ['reward or penalize', 'docs/guide/recipes.md#rewards-and-penalties', ['refund', 'reset']],
  ['before it is denied', 'docs/guide/recipes.md#near-the-limit', ['remaining', 'onDenied']],
  ['in my own way', 'docs/guide/headers.md#the-body', ['body', 'onDenied']],
  ['503 or 422', 'docs/guide/troubleshooting.md#503-instead-of-429', ['sluice doctor']],
  ['Redis is down', 'docs/guide/outages.md', ['onStoreFailure']],
  ['in tests', 'docs/guide/recipes.md#switch-limits-off-in-tests', ['fakeClock', 'skip', 'reset']],
  ['before it denies', 'docs/guide/try-limits.md', ['sluice replay']],
  ['the metrics', 'docs/guide/observability.md', ['prom-client', 'OpenTelemetry', 'Grafana']],
  ['error or warning', 'docs/reference/errors.md', ['LIMIT_INVALID']],
  ['error or warning', 'docs/reference/warnings.md', ['SLUICE_TRUST_PROXY_TRUE']],
  ['How is it built', 'docs/architecture.md', ['mermaid']],
  ['this word', 'docs/reference/glossary.md', ['tier', 'lease']],
];

/** The questions of the page, each with its answer. */
const answers = page(QUESTIONS)
  .text.split(/^(?=- \*\*)/m)
  .slice(1);

it('README.md links the page of questions', () => {
  expect(page('README.md').text).toContain(`](${QUESTIONS})`);
});

describe('docs/guide/questions.md', () => {
  it('links an answer to each question', () => {
    expect(answers.filter((answer) => !/^- \*\*[^*]+\?\*\*/.test(answer) || !/\]\([^)]+\)/.test(answer))).toEqual([]);
    expect(answers.length).toBeGreaterThanOrEqual(20);
  });

  it.each(needed)('answers "%s" by a link to %s, which has the words', (question, target, words) => {
    const answer = answers.find((text) => text.slice(0, text.indexOf('?')).includes(question));
    const linked = [...(answer ?? '').matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => join('docs/guide', link!));

    expect(linked).toContain(target);
    expect(words.filter((word) => !textAt(target).includes(word))).toEqual([]);
  });
});

/** The text of a page, or of one of its sections. */
function textAt(target: string): string {
  const [path = '', anchor] = target.split('#');
  const { text } = page(path);
  if (anchor === undefined) return text;
  return text.split(/^(?=## )/m).find((section) => anchorOf(section.split('\n')[0]!.slice(3)) === anchor) ?? '';
}
