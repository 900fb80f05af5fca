import type { Difference } from './limit-draft.js';

const MIGRATE = 'docs/guide/migrate.md#what-differs-from-all-of-them';

/** What differs from several libraries. */
export const PREFLIGHTS: Difference = { text: 'CORS preflights are not counted.', link: MIGRATE };
export const PROBLEM_BODY: Difference = {
  text: 'The body of a denial is problem details: set body for another one.',
  link: 'docs/guide/headers.md#the-body',
};
export const MESSAGE_ELSEWHERE: Difference = {
  text: 'A message that is a function elsewhere gets { request, decision } as its parameter.',
  link: 'docs/guide/headers.md#the-body',
};
export const STATUS_OF_ERROR: Difference = {
  text: 'The status is 429 already when onDenied passes an error on: an error without a status was 500.',
  link: 'docs/guide/headers.md#the-body',
};
export const RETRY_AFTER: Difference = { text: 'A denial always has Retry-After.', link: MIGRATE };
export const ZERO_LIMIT: Difference = { text: 'A request whose limit is 0 gets 422.', link: MIGRATE };
export const UNCOUNTED: Difference = {
  text: "A denied request is not counted, which a limit that changes shows: charge: 'all' counts it.",
  link: MIGRATE,
};
export const NO_LIMIT: Difference = {
  text: 'A request without a limit (null, in place of Infinity) is not counted.',
  link: MIGRATE,
};
export const MISSING_IDENTITY: Difference = {
  text: 'A client without the value that key reads is counted by its address.',
  link: 'docs/guide/identities.md#requests-without-the-identity',
};
export const EACH_ADDRESS: Difference = {
  text: 'IPv6 clients count by /64 instead of /128: key: byIp({ ipv6Subnet: 128 }) counts each address.',
  link: 'docs/guide/identities.md#addresses',
};
/** What is said of a key that clients write. @param option how the program names its proxies */
export function proxiesNamedBy(option: string, link = 'docs/guide/proxies.md'): Difference {
  return {
    text: `Clients can write X-Forwarded-For and its like: byIp() reads them behind proxies that you name, ${option}.`,
    link,
  };
}
export const STORE_FAILURE: Difference = {
  text: 'When Redis fails, each process limits alone: onStoreFailure changes that.',
  link: 'docs/guide/outages.md#what-to-choose',
};
export const CLIENT_SETTINGS: Difference = {
  text: 'Redis: counts begin again, and your client needs the settings of the guide; redisStore({ url }) has them.',
  link: 'docs/guide/redis-clients.md',
};
export const DECISION: Difference = {
  text: 'request.rateLimit is a decision: read binding.limit, binding.remaining and retryAfter.',
  link: 'docs/reference/decision.md',
};
export const REFUNDS: Difference = {
  text: 'A response whose client has left stays counted, and no refund reaches another window.',
  link: 'docs/guide/plans-and-costs.md#refunds',
};
