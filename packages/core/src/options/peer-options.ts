/** Limits by names, as `@nestjs/throttler` has them. */
const NAMED_LIMIT = "use { limit, window }, or tiers: [{ name: 'default', limit, window }] for several limits";

/** The answers to options of other libraries, by the option of ours that replaces them. Empty: only the name differs. */
const PEER_OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  limit: {
    capacity: "use algorithm: 'token-bucket' with burst: its capacity, and limit and window: its rate",
    max: '',
    maxRequests: '',
    points: '',
    refillRate: "use limit and window: limit: 10 and window: '1s' refill 10 each second",
    requests: '',
    reservoir: '',
    tokensPerInterval: '',
  },
  window: {
    duration: '',
    interval: '',
    reservoirRefreshInterval: '',
    period: '',
    timeWindow: '',
    ttl: '',
    windowMs: '',
  },
  key: {
    generateKey: '',
    trustProxy:
      "is no option of a limit: on Express write app.set('trust proxy', …), on Fastify fastify({ trustProxy })",
    getTracker: '',
    ipv6Subnet: 'use key: byIp({ ipv6Subnet })',
    ipv6SubnetPrefix: 'use key: byIp({ ipv6Subnet })',
    keyGenerator: '',
    normalizeIP: 'is not needed: byIp() does it',
    normalizeIp: 'is not needed: byIp() does it',
  },
  name: { identifier: '', keyPrefix: 'use name for one tier, or prefix for all keys' },
  tiers: {
    default: NAMED_LIMIT,
    limiters: '',
    long: NAMED_LIMIT,
    medium: NAMED_LIMIT,
    short: NAMED_LIMIT,
    throttlers: '',
  },
  algorithm: {
    concurrency: "use algorithm: 'concurrency' with limit",
    limiter: "use algorithm: 'sliding-window', 'fixed-window' or 'token-bucket', with limit and window",
    maxConcurrent: "use algorithm: 'concurrency' with limit",
    minTime: "use algorithm: 'leaky-bucket' with queue, limit: 1 and window: the time between two",
    execEvenly: "use algorithm: 'leaky-bucket' with queue",
    execEvenlyMinDelayMs: "use algorithm: 'leaky-bucket' with queue",
  },
  charge: {
    ban: "has no equivalent: use a tier with algorithm: 'backoff' and charge: 'denied'",
    blockDuration: "has no equivalent: use a tier with algorithm: 'backoff' and charge: 'denied'",
    blockOnConsumed: "has no equivalent: use a tier with algorithm: 'backoff' and charge: 'denied'",
    continueExceeding: "use charge: 'all', which charges denied requests too",
    exponentialBackoff: "use a tier with algorithm: 'backoff'",
  },
  store: {
    analytics: 'has no equivalent: collectMetrics of @sluice/metrics counts',
    cache: 'use store: memoryStore({ maxKeys })',
    client: 'use store: redisStore(client)',
    redis: 'use store: redisStore({ url }), or redisStore(client)',
    redisClient: 'use store: redisStore(client)',
    sendCommand: 'use store: redisStore({ url }), or redisStore(client)',
    storage: '',
    timeoutMs: 'use store: redisStore({ url }, { deadline })',
    storeClient: 'use store: redisStore(client)',
    url: "is an option of redisStore, which '@sluice/redis' exports: write store: redisStore({ url })",
  },
  prefix: { nameSpace: '' },
  denyCache: {
    inMemoryBlockDuration: 'is not needed: denyCache is on by default',
    inMemoryBlockOnConsumed: 'is not needed: denyCache is on by default',
  },
  onStoreFailure: {
    failClosed: "use onStoreFailure: 'deny' for true, 'allow' for false",
    failOpen: "use onStoreFailure: 'allow' for true, 'deny' for false",
    insuranceLimiter: "is not needed: onStoreFailure: 'local' is the default, and share sets its part of the limit",
    passOnStoreError: "use onStoreFailure: 'allow' for true, 'deny' for false",
    skipOnError: "use onStoreFailure: 'allow' for true, 'deny' for false",
  },
  skip: {
    ignoreUserAgents: 'use skip: (request) => …, with your list',
    skipIf: '',
  },
  allow: {
    allowList: 'use allow for addresses and networks, or skip: (request) => … for other clients',
    whitelist: 'use allow for addresses and networks, or skip: (request) => … for other clients',
    whiteList: 'use allow for addresses and networks, or skip: (request) => … for other clients',
  },
  deny: {
    blacklist: 'use deny for addresses and networks',
    blackList: 'use deny for addresses and networks',
    blockList: 'use deny for addresses and networks',
  },
  headers: {
    addHeaders: "use headers: ['x-ratelimit'], or [] for none",
    addHeadersOnExceeding: "use headers: ['x-ratelimit'], or [] for none",
    enableDraftSpec: "use headers: ['draft-6']",
    logger: "has no equivalent: warnings are events, process.on('warning', …)",
    legacyHeaders: "use headers: ['x-ratelimit'], the default",
    setHeaders: "use headers: ['x-ratelimit'], or [] for none",
    standardHeaders: "use headers: ['draft-6'], ['draft-7'] or ['draft-11']",
    requestPropertyName: "has no equivalent: request.rateLimit has the decision, on Hono c.get('rateLimit')",
    retryAfter: 'is not needed: Retry-After is always sent',
    validate: 'is not needed: wrong options throw at the start',
  },
  body: { errorMessage: '', errorResponseBuilder: '', message: '' },
  onDenied: {
    handler: '',
    statusCode: 'use onDenied, and set the status there',
    onBanReach: 'use onDenied',
    onExceeded: 'use onDenied',
    onExceeding: 'has no equivalent: request.rateLimit has the decision',
    onLimitReached: 'use onDenied',
  },
  refundWhen: {
    requestWasSuccessful: 'use refundWhen: (status, request) => …, which returns true to give back',
    skipFailedRequests: 'use refundWhen: (status) => status >= 400',
    skipSuccessfulRequests: 'use refundWhen: (status) => status < 400',
  },
  limiter: { groupId: 'use limiter: the same limiter on several routes shares a budget' },
};

interface PeerAnswer {
  readonly ours: string;
  readonly rule: string;
}

function answerTo(name: string): PeerAnswer | undefined {
  for (const [ours, peers] of Object.entries(PEER_OPTIONS)) {
    if (Object.hasOwn(peers, name)) return { ours, rule: ruleOf(ours, peers[name]!) };
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
