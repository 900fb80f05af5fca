type Schema = Readonly<Record<string, unknown>>;

const TEXT: Schema = { type: 'string' };
const FLAG: Schema = { type: 'boolean' };
const UNITS: Schema = { type: 'integer', minimum: 0 };
/** JSON has no infinity. */
const WAIT: Schema = { type: ['number', 'null'], description: 'Milliseconds. null: no time changes it.' };
const COSTS: Schema = { anyOf: [UNITS, { type: 'object', additionalProperties: UNITS }] };
const RECEIPT: Schema = { type: 'string', description: 'Opaque. Any process of the service takes it.' };
const TEXTS: Schema = { type: 'array', items: TEXT };

/** An object without other members. */
function exactly(properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** An object that may have other members in a later version. */
function atLeast(properties: Readonly<Record<string, Schema>>, required = Object.keys(properties)): Schema {
  return { type: 'object', properties, required };
}

const OUTCOME = atLeast(
  {
    tier: TEXT,
    allowed: FLAG,
    never: FLAG,
    shadow: FLAG,
    limit: UNITS,
    remaining: UNITS,
    retryAfter: WAIT,
    replenishAfter: WAIT,
    resetAfter: WAIT,
    delay: { type: 'number' },
  },
  ['tier', 'allowed', 'limit', 'remaining', 'retryAfter', 'resetAfter'],
);

const DECISION = atLeast(
  {
    allowed: FLAG,
    reason: { enum: ['ok', 'denied', 'never', 'unavailable'] },
    deniedBy: TEXTS,
    demotedBy: { ...TEXTS, description: 'Tiers over their limit that have lowered the priority of the request.' },
    paidBy: { type: 'string', description: 'The balance that has paid for the tiers that it covers.' },
    binding: { type: 'string', description: 'The tier that binds the request most.' },
    place: { type: 'string', description: 'The place in line of a denied request that has asked for one.' },
    outcomes: { type: 'array', items: { $ref: '#/components/schemas/Outcome' } },
    retryAfter: WAIT,
    delay: { type: 'number', description: 'Milliseconds that the request has waited in a queue.' },
    source: { enum: ['redis', 'memory', 'store', 'deny-cache', 'lease', 'local', 'none'] },
    degraded: { type: 'boolean', description: 'Redis was away, and onStoreFailure has decided.' },
  },
  ['allowed', 'reason', 'deniedBy', 'outcomes', 'retryAfter', 'delay', 'source', 'degraded'],
);

const PROBLEM = { type: TEXT, title: TEXT, status: { type: 'integer' }, detail: TEXT } as const;
const SAID = { allowed: FLAG, decision: { $ref: '#/components/schemas/Decision' }, receipt: RECEIPT } as const;

/** The schemas of bodies and replies. */
export const schemas: Readonly<Record<string, Schema>> = {
  Check: exactly(
    {
      limiter: { type: 'string', description: 'The name of a limiter of the file.' },
      request: { $ref: '#/components/schemas/Request' },
      identities: {
        type: 'object',
        description: 'Identities by the names of keys that the file has beside those of Sluice.',
        additionalProperties: { $ref: '#/components/schemas/Identity' },
      },
      plan: { type: 'string', description: 'For limits by plan.' },
      cost: { ...UNITS, description: 'Units for tiers without their own. Default: 1. 0 reads.' },
      peek: { type: 'boolean', description: 'The answer that the request would get. It charges nothing.' },
    },
    ['limiter'],
  ),
  Request: exactly(
    {
      ip: { type: 'string', description: 'The address of the client, from proxies that you trust.' },
      method: TEXT,
      url: TEXT,
      headers: { type: 'object', additionalProperties: TEXT },
      auth: { type: 'object', description: 'The claims of a verified token.' },
      user: { type: 'object', description: 'The authenticated caller.' },
      sessionID: TEXT,
    },
    [],
  ),
  Identity: {
    anyOf: [
      { type: 'string', minLength: 1, maxLength: 512 },
      { type: 'integer' },
      exactly({ kind: TEXT, parts: { type: 'array', items: TEXT, minItems: 1 } }, ['kind', 'parts']),
    ],
  },
  Outcome: OUTCOME,
  Decision: DECISION,
  Admitted: atLeast(SAID, ['allowed', 'decision']),
  Problem: atLeast(PROBLEM),
  Denied: atLeast({ ...PROBLEM, 'retry-after': UNITS, 'violated-policies': TEXTS, ...SAID }, [
    ...Object.keys(PROBLEM),
    'allowed',
    'decision',
  ]),
  Unavailable: atLeast({ ...PROBLEM, ...SAID }, Object.keys(PROBLEM)),
  Refund: exactly({ receipt: RECEIPT, units: COSTS }, ['receipt']),
  Refunded: atLeast({
    given: { ...UNITS, description: 'Units that came back. 0 for a receipt that was used before.' },
  }),
  Settle: exactly({ receipt: RECEIPT, cost: COSTS }, ['receipt', 'cost']),
  Settled: atLeast({ charged: { type: 'integer', description: 'Units charged, less the units given back.' } }),
  Release: exactly({ receipt: RECEIPT }, ['receipt']),
  Released: atLeast({ released: UNITS }),
  Renewed: atLeast({
    lapsed: { ...UNITS, description: 'Units that others could have been given since the permits ended.' },
    receipt: RECEIPT,
  }),
};
