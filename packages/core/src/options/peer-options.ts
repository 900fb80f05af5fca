/** Limits by names, as `@nestjs/throttler` has them. */
const NAMED_LIMIT = "use { limit, window }, or tiers: [{ name: 'default', limit, window }] for several limits";

/**
 * The answers to options of other libraries, by the option of ours that replaces them: what to write, and the names that it
 * answers. Empty: only the name differs.
 */
const PEER_OPTIONS: Readonly<Record<string, readonly (readonly [answer: string, names: string])[]>> = {
  limit: [
    ["use algorithm: 'token-bucket' with burst: its capacity, and limit and window: its rate", 'capacity'],
    ['', 'max maxRequests points requests reservoir tokensPerInterval'],
    ["use limit and window: limit: 10 and window: '1s' refill 10 each second", 'refillRate'],
  ],
  window: [['', 'duration interval reservoirRefreshInterval period timeWindow ttl windowMs']],
  key: [
    ['', 'generateKey getTracker keyGenerator'],
    [
      "is no option of a limit: on Express write app.set('trust proxy', …), on Fastify fastify({ trustProxy })",
      'trustProxy',
    ],
    ['use key: byIp({ ipv6Subnet })', 'ipv6Subnet ipv6SubnetPrefix'],
    ['is not needed: byIp() does it', 'normalizeIP normalizeIp'],
  ],
  name: [
    ['', 'identifier'],
    ['use name for one tier, or prefix for all keys', 'keyPrefix'],
  ],
  tiers: [
    [NAMED_LIMIT, 'default long medium short'],
    ['', 'limiters throttlers'],
  ],
  algorithm: [
    ["use algorithm: 'concurrency' with limit", 'concurrency maxConcurrent'],
    ["use algorithm: 'sliding-window', 'fixed-window' or 'token-bucket', with limit and window", 'limiter'],
    ["use algorithm: 'leaky-bucket' with queue, limit: 1 and window: the time between two", 'minTime'],
    ["use algorithm: 'leaky-bucket' with queue", 'execEvenly execEvenlyMinDelayMs'],
  ],
  charge: [
    [
      "has no equivalent: use a tier with algorithm: 'backoff' and charge: 'denied'",
      'ban blockDuration blockOnConsumed',
    ],
    ["use charge: 'all', which charges denied requests too", 'continueExceeding'],
    ["use a tier with algorithm: 'backoff'", 'exponentialBackoff'],
  ],
  store: [
    ['has no equivalent: collectMetrics of @sluice/metrics counts', 'analytics'],
    ['use store: memoryStore({ maxKeys })', 'cache'],
    ['use store: redisStore(client)', 'client redisClient storeClient'],
    ['use store: redisStore({ url }), or redisStore(client)', 'redis sendCommand'],
    ['', 'storage'],
    ['use store: redisStore({ url }, { deadline })', 'timeoutMs'],
    ["is an option of redisStore, which '@sluice/redis' exports: write store: redisStore({ url })", 'url'],
  ],
  prefix: [['', 'nameSpace']],
  denyCache: [['is not needed: denyCache is on by default', 'inMemoryBlockDuration inMemoryBlockOnConsumed']],
  onStoreFailure: [
    ["use onStoreFailure: 'deny' for true, 'allow' for false", 'failClosed'],
    ["use onStoreFailure: 'allow' for true, 'deny' for false", 'failOpen passOnStoreError skipOnError'],
    ["is not needed: onStoreFailure: 'local' is the default, and share sets its part of the limit", 'insuranceLimiter'],
  ],
  skip: [
    ['use skip: (request) => …, with your list', 'ignoreUserAgents'],
    ['', 'skipIf'],
  ],
  allow: [
    [
      'use allow for addresses and networks, or skip: (request) => … for other clients',
      'allowList whitelist whiteList',
    ],
  ],
  deny: [['use deny for addresses and networks', 'blacklist blackList blockList']],
  headers: [
    ["use headers: ['x-ratelimit'], or [] for none", 'addHeaders addHeadersOnExceeding setHeaders'],
    ["use headers: ['draft-6']", 'enableDraftSpec'],
    ["has no equivalent: warnings are events, process.on('warning', …)", 'logger'],
    ["use headers: ['x-ratelimit'], the default", 'legacyHeaders'],
    ["use headers: ['draft-6'], ['draft-7'] or ['draft-11']", 'standardHeaders'],
    ["has no equivalent: request.rateLimit has the decision, on Hono c.get('rateLimit')", 'requestPropertyName'],
    ['is not needed: Retry-After is always sent', 'retryAfter'],
    ['is not needed: wrong options throw at the start', 'validate'],
  ],
  body: [['', 'errorMessage errorResponseBuilder message']],
  onDenied: [
    ['', 'handler'],
    ['use onDenied, and set the status there', 'statusCode'],
    ['use onDenied', 'onBanReach onExceeded onLimitReached'],
    ['has no equivalent: request.rateLimit has the decision', 'onExceeding'],
  ],
  refundWhen: [
    ['use refundWhen: (status, request) => …, which returns true to give back', 'requestWasSuccessful'],
    ['use refundWhen: (status) => status >= 400', 'skipFailedRequests'],
    ['use refundWhen: (status) => status < 400', 'skipSuccessfulRequests'],
  ],
  limiter: [['use limiter: the same limiter on several routes shares a budget', 'groupId']],
};

interface PeerAnswer {
  readonly ours: string;
  readonly rule: string;
}

function answerTo(name: string): PeerAnswer | undefined {
  for (const [ours, answers] of Object.entries(PEER_OPTIONS)) {
    const found = answers.find(([, names]) => names.split(' ').includes(name));
    if (found !== undefined) return { ours, rule: ruleOf(ours, found[0]) };
  }
  return undefined;
}

function ruleOf(ours: string, answer: string): string {
  if (answer === '') return `is called ${ours} here`;
  return answer.startsWith('use ') ? `is not an option here: ${answer}` : answer;
}

/**
 * What to write for an option of another library, as the end of a message: `is called limit here`.
 *
 * @param known the options of this place
 * @returns undefined for an unknown name, and for one whose replacement belongs to another place
 */
export function peerOption(name: string, known: readonly string[]): string | undefined {
  const found = answerTo(name);
  return found && known.includes(found.ours) ? found.rule : undefined;
}

/** Values of other libraries, with ours. */
const PEER_VALUES: Readonly<Record<string, string>> = {
  close: 'deny',
  closed: 'deny',
  'fail-closed': 'deny',
  'fail-open': 'allow',
  open: 'allow',
};

/** Our value for one of another library, if it is one of `choices`. */
export function peerValue<T>(given: unknown, choices: readonly T[]): T | undefined {
  if (typeof given !== 'string' || !Object.hasOwn(PEER_VALUES, given)) return undefined;
  return choices.find((each) => each === PEER_VALUES[given]);
}
