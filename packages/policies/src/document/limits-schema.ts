import {
  FIRST_DAYS,
  LEASE_ROWS,
  type OptionRow,
  type OptionRows,
  TIER_ROWS,
  WINDOW_OPTIONS,
} from '@sluice/core/internal';
import { algorithmNamed, algorithms } from '@sluice/metrics/operations';
import { ROUTE_PATTERN } from './routes.js';
import { type Schema, valueSchemas } from './tier-values.js';

const DURATION: Schema = {
  description: "Milliseconds, or a number with ms, s, m, h, d or w: '1m'.",
  anyOf: [{ type: 'number' }, { type: 'string', pattern: '^\\d+(\\.\\d+)? ?(ms|s|m|h|d|w)$' }],
};
const UNITS: Schema = { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] };
const LIMIT: Schema = {
  description: 'Units that a window allows. 0: never. null: the tier does not apply. A map: by plan, and otherwise.',
  anyOf: [...(UNITS['anyOf'] as Schema[]), { type: 'object', required: ['otherwise'], additionalProperties: UNITS }],
};
const KEY: Schema = {
  type: 'string',
  minLength: 1,
  description:
    'What identifies a client: ip, api-key, jwt-subject, session, header:NAME, or a name that the code gives.',
};

/** An algorithm, and the names of its options. */
type Described = Pick<ReturnType<typeof algorithms>[number], 'name' | 'aliases' | 'options' | 'tierOptions'>;

/** What a file has in place of values of code, and what no row says. */
const WRITTEN: Readonly<Record<string, Schema>> = {
  name: { type: 'string', minLength: 1, maxLength: 64, description: 'Names the tier in keys, headers and metrics.' },
  key: KEY,
  enforce: { type: 'string', pattern: '^\\d{1,3}(\\.\\d{1,2})?%$', description: 'The part of all identities: 10%.' },
  usage: { type: 'boolean', description: 'Counts its units by hours.' },
  lease: objectOf(LEASE_ROWS),
  limit: LIMIT,
  timeZone: { type: 'string', description: 'A name of IANA, such as Europe/Berlin. Default: UTC.' },
  startsOn: {
    description: "The first day: 1 to 31 of a month, a weekday of a week, '04-01' of a year.",
    anyOf: [schemaOf(FIRST_DAYS.month), schemaOf(FIRST_DAYS.week), schemaOf(FIRST_DAYS.year)],
  },
  notices: {
    description: 'Parts of the limit, in rising order, of which the charge that reaches one gives notice.',
    type: 'array',
    items: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    minItems: 1,
    maxItems: 8,
  },
  windows: { type: 'array', minItems: 1, items: objectOf(WINDOW_OPTIONS) },
  ...valueSchemas({ duration: DURATION, key: KEY, weight: schemaOf({ integer: [1, 100] }) }),
  delays: { type: 'array', items: DURATION, minItems: 1 },
  covers: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    minItems: 1,
    description: 'Names of tiers in whose place the balance pays.',
  },
  split: { type: 'boolean', description: 'The covered tier and the balance pay parts of one cost.' },
  lowBalance: {
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    minItems: 1,
    maxItems: 8,
    description: 'Units in falling order, at or below which the balance gives notice.',
  },
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  cost: 'Units that a request takes. Default: those of the request.',
  mode: 'shadow decides and never denies. demote lets what it would deny go first under overload. off applies to no request.',
  period: 'Of the calendar of timeZone, in place of window.',
};

/** The schema of what an option takes. */
function schemaOf({ integer, milliseconds, microseconds, oneOf, is }: OptionRow): Schema {
  if (milliseconds !== undefined || microseconds !== undefined) return DURATION;
  if (oneOf !== undefined) return oneOf.includes(true) ? { type: 'boolean' } : { enum: oneOf };
  if (integer === undefined) return { type: 'string', pattern: (is as RegExp).source };
  const [minimum, maximum] = integer;
  return { type: 'integer', minimum, ...(maximum < Number.MAX_SAFE_INTEGER && { maximum }) };
}

function objectOf(rows: OptionRows): Schema {
  const properties = Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, schemaOf(row)]));
  return { type: 'object', properties, required: Object.keys(rows), additionalProperties: false };
}

/** Options whose values are functions of a request, which no file has. */
const OF_CODE = new Set(['record', 'label']);

/** An algorithm that a program imports. */
const BALANCE: Described = { name: 'balance', options: { covers: {}, split: {}, lowBalance: {} } };

const OVERRIDE: Schema = {
  type: 'object',
  properties: {
    tier: { type: 'string' },
    identity: { $ref: '#/definitions/identity' },
    digest: { type: 'string', pattern: '^[\\w-]{22}$' },
    partition: { $ref: '#/definitions/identity' },
    limit: UNITS,
    until: { type: ['string', 'integer'], description: "'2027-01-31' (its end, UTC) or '2027-01-31T12:00:00Z'." },
    reason: { type: 'string', minLength: 1, maxLength: 200 },
    by: { type: 'string', minLength: 1, maxLength: 100, description: 'Who gives it.' },
  },
  required: ['tier', 'limit', 'reason'],
  additionalProperties: false,
};

const IDENTITY: Schema = {
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'integer' },
    {
      type: 'object',
      properties: { kind: { type: 'string' }, parts: { type: 'array', items: { type: 'string' }, minItems: 1 } },
      required: ['kind', 'parts'],
      additionalProperties: false,
    },
  ],
};

const ROUTES: Schema = {
  description:
    "The requests that meet the limiter: '/api/*', 'POST /login'. replay and explain read it. It never decides.",
  type: 'array',
  items: { type: 'string', pattern: ROUTE_PATTERN },
  minItems: 1,
};

/**
 * The JSON Schema of a file, for editors. It takes every file that `openPolicies` takes.
 *
 * @param extensions the schemas of the parts of programs, by their names. @default any part
 */
export function limitsSchema(extensions: Readonly<Record<string, Schema>> = {}): Schema {
  const tiers = [...algorithms(), BALANCE].flatMap((algorithm) => {
    const { name, aliases = [] } = algorithm;
    return [...aliases, name].map((written) => tierOf(algorithm, written));
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Limits of @sluice/policies',
    type: 'object',
    properties: {
      version: { const: 1 },
      limiters: {
        type: 'object',
        minProperties: 1,
        additionalProperties: {
          type: 'object',
          properties: {
            tiers: { type: 'array', minItems: 1, maxItems: 32, items: { $ref: '#/definitions/tier' } },
            routes: ROUTES,
          },
          required: ['tiers'],
          additionalProperties: false,
        },
      },
      overrides: { type: 'array', items: OVERRIDE },
      extensions: {
        description: 'What other programs read of this file: each of them its own part, and no other.',
        type: 'object',
        ...(Object.keys(extensions).length > 0 && { properties: extensions }),
      },
    },
    required: ['version', 'limiters'],
    additionalProperties: false,
    definitions: { identity: IDENTITY, tier: { anyOf: tiers } },
  };
}

/** @param written what a file says for the algorithm */
function tierOf({ name, options, tierOptions }: Described, written: string): Schema {
  const isDefault = name === algorithmNamed()!.name;
  const rows = Object.entries({ ...TIER_ROWS, ...tierOptions, ...options }).filter(([option]) => !OF_CODE.has(option));
  const properties = rows.map(([option, row]) => {
    const description = DESCRIPTIONS[option];
    return [option, WRITTEN[option] ?? { ...schemaOf(row), ...(description && { description }) }] as const;
  });
  return {
    type: 'object',
    properties: { algorithm: { const: written }, ...Object.fromEntries(properties) },
    required: ['name', 'key', ...(isDefault ? [] : ['algorithm'])],
    additionalProperties: false,
  };
}
