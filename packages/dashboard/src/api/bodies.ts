import { LINE } from '@sluice/metrics/operations';
import type { Schema } from './schema.js';

/** Balances are integers up to this one. */
const MAX_UNITS = 2 ** 52;
const YEAR_MS = 366 * 86_400_000;

const text = (maxLength: number, description: string): Schema => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});

const TIER = text(128, 'The name of a tier.');

/** Whose limits a request is about. An identity is in the body, because addresses of requests are logged. */
export const TARGET = {
  kind: text(
    64,
    '`ip`, `api-key`, `jwt-subject`, `header`, `composed`, `key` for a plain text, or the kind of `by(kind, ...)`.',
  ),
  values: {
    type: 'array',
    maxItems: 64,
    items: { type: 'string', maxLength: 2_048 },
    description: 'The values of the identity.',
  },
  partition: {
    type: 'string',
    maxLength: 2_048,
    description: 'The partition as `KIND:VALUE` or a plain text, for limiters with `partition`.',
  },
  digest: {
    type: 'string',
    minLength: 8,
    maxLength: 22,
    pattern: '^[\\w-]+$',
    description: 'In place of `kind` and `values`, with `tier`: 8 characters that a list shows, or all 22 of a digest.',
  },
} as const satisfies Record<string, Schema>;

/** Of every operation that changes something. */
export const AUTHOR = {
  reason: {
    ...text(200, 'on one line, without control characters and invisible ones. It says why, for the audit.'),
    pattern: LINE,
  },
  id: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    pattern: '^[\\w.:-]+$',
    description: 'characters of A-Z, a-z, 0-9, _, ., : and -. It names the act: a repetition changes nothing.',
  },
} as const satisfies Record<string, Schema>;

const ENDS = {
  lasts: { type: 'number', minimum: 1, maximum: 100 * YEAR_MS, description: 'Milliseconds from now.' },
  until: {
    anyOf: [
      { type: 'integer', minimum: 0, maximum: 253_402_300_799_999, description: 'Milliseconds since 1970.' },
      text(40, '`2027-01-31`, which is its end in UTC, or `2027-01-31T12:00:00Z`.'),
    ],
    description: 'When it ends. At most one of `lasts` and `until`.',
  },
} as const satisfies Record<string, Schema>;

const UNITS: Schema = { type: 'integer', minimum: 1, maximum: MAX_UNITS, description: 'Units.' };

const body = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** The bodies of requests. */
export const BODIES = {
  look: body({ ...TARGET, tier: TIER }),
  history: body({
    ...TARGET,
    tier: TIER,
    by: text(100, 'Acts of one person or token.'),
    since: { type: 'integer', minimum: 0, description: 'Milliseconds since 1970.' },
    limit: { type: 'integer', minimum: 1, maximum: 1_000, description: 'The most acts.' },
  }),
  override: body(
    {
      ...TARGET,
      tier: TIER,
      plan: text(128, 'The plan of the client, for `more` of a limit by plan.'),
      override: {
        description: 'The limit in place of the own one. Null ends the override.',
        anyOf: [
          body(
            {
              limit: {
                description: 'Units. 0: never. Null: the tier does not apply.',
                anyOf: [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, { type: 'null' }],
              },
              more: {
                type: 'integer',
                minimum: 1,
                maximum: MAX_UNITS,
                description: 'Units above the own limit, in place of `limit`.',
              },
              ...ENDS,
              reason: AUTHOR.reason,
            },
            ['reason'],
          ),
          { type: 'null' },
        ],
      },
      ...AUTHOR,
    },
    ['tier', 'override'],
  ),
  pause: body({ ...TARGET, tier: TIER, ...ENDS, ...AUTHOR }, ['tier', 'reason']),
  release: body({ ...TARGET, tier: TIER, ...AUTHOR }, ['tier', 'reason']),
  forget: body({ ...TARGET, tier: TIER, ...AUTHOR }),
  credit: body({ ...TARGET, tier: TIER, units: UNITS, expiresAt: ENDS.until, ...AUTHOR }, ['units', 'id', 'reason']),
  debit: body({ ...TARGET, tier: TIER, units: UNITS, ...AUTHOR }, ['units', 'id', 'reason']),
} as const;
