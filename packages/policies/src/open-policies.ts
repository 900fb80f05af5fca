import { ConfigError, type KeyFunction, type MaybePromise } from '@sluice/core';
import { ANY, FUNCTION, OptionReader, type OptionRows } from '@sluice/http/adapter';
import type { Named } from './document/document-context.js';
import { planOfRequest } from './document/plan-of-request.js';
import { isPolicyFeature, type PolicyFeature } from './document/policy-features.js';
import { readDocument, type PolicyDocument } from './document/read-document.js';
import { WatchedFile } from './file/watched-file.js';
import { RedisPolicies } from './fleet/redis-policies.js';
import { LivePolicies } from './live-policies.js';
import type { Policies } from './policies.js';

export interface PoliciesOptions<S> {
  /**
   * Key functions by the names that the file has for them, beside `ip`, `api-key`, `jwt-subject`, `session` and
   * `header:NAME`.
   *
   * @default none
   * @example keys: { tenant: (request) => request.user.tenant }
   */
  keys?: Named<KeyFunction<S>>;
  /**
   * The name of the plan of a request, for limits by plan. It is called once a request. A plan that the file does not have gets `otherwise`.
   *
   * @default none
   */
  plans?: (subject: S) => MaybePromise<string | undefined>;
  /**
   * What the texts of some options stand for, because a file cannot import it: `quotas` of `@sluice/quotas` for
   * `algorithm: balance`, `notices` and `usage`, and `fair` of `@sluice/overload/fair` for `fair`.
   *
   * @default none: a file that uses one of them is refused
   * @example features: [quotas, fair]
   */
  features?: readonly PolicyFeature[];
  /**
   * Another file, which the process starts with where the first one is refused or missing.
   *
   * @default none: the start fails
   */
  fallback?: string;
  /**
   * Policies in Redis, such as `redisPolicies(store)`. They are in force instead of the file once one was applied. While Redis is
   * away a process has the last ones that it knows, and starts with the file.
   *
   * @default none
   */
  fleet?: RedisPolicies;
  /**
   * The secret of all its limiters, as `secret` of `createLimiter`. A process that creates no limiter needs it to change overrides.
   *
   * @default none
   */
  secret?: string;
}

export const POLICIES_ROWS = {
  file: { is: /./s, words: 'the path of a file', required: true },
  keys: ANY,
  plans: FUNCTION,
  features: {
    is: (features) => Array.isArray(features) && features.every((each) => isPolicyFeature(each)),
    words: 'an array of quotas, fair and lines, such as [quotas, fair]',
  },
  fallback: { is: 'string', words: 'the path of a file' },
  fleet: {
    is: (fleet) => fleet instanceof RedisPolicies,
    words: 'what redisPolicies returns: write redisPolicies(store)',
  },
  secret: ANY,
} as const satisfies OptionRows;

/**
 * Reads limits from a YAML or JSON file, and puts its changes in force while the process runs: all limiters in one turn, with
 * the counts of tiers whose changes do not begin with new ones (docs/reference/policies.md). A file that is refused changes nothing.
 *
 * @param file its path
 * @throws ConfigError, as a rejection, that begins with file, line and column
 * @example
 * const policies = await openPolicies('limits.yaml', {
 *   keys: { tenant: (request) => request.user.tenant },
 *   plans: (request) => request.user.plan,
 * });
 * app.use(rateLimit({ limiter: policies.limiter('api', { store }) }));
 */
export async function openPolicies<S>(file: string, options: PoliciesOptions<S> = {}): Promise<Policies<S>> {
  const { fleet, secret, ...context } = readOptions(file, options);
  const watched = new WatchedFile(file);
  const read = (name: string, text: string) => readDocument<S>(name, text, context);
  const start = async (document: PolicyDocument<S>, problem?: ConfigError) =>
    new LivePolicies({
      watched,
      read,
      document,
      fleet,
      ...(secret !== undefined && { secret }),
      ...(problem && { problem }),
    }).start();
  let document: PolicyDocument<S>;
  try {
    document = read(file, await watched.read());
  } catch (problem) {
    const { fallback } = options;
    if (fallback === undefined || !(problem instanceof ConfigError)) throw problem;
    return start(read(fallback, await new WatchedFile(fallback).read()), problem);
  }
  return start(document);
}

/** @throws ConfigError */
function readOptions<S>(file: string, options: PoliciesOptions<S>) {
  const reader = new OptionReader('openPolicies', { ...(Object(options) as object), file }, POLICIES_ROWS);
  reader.read(POLICIES_ROWS);
  const { keys = {}, plans, features = [], fleet, secret } = options;
  for (const name of Object.keys(keys)) reader.within('keys', Object.keys(keys)).one(name, FUNCTION);
  return { keys, plans: plans && planOfRequest(plans), features, fleet, secret };
}
