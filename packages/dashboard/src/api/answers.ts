import type { Schema } from './schema.js';

const any = (type: Schema['type']): Schema => ({ type: type! });
const object = (properties: Record<string, Schema>, required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  required,
});

/** What somebody has done. */
const ACT = object(
  {
    id: any('string'),
    at: { type: 'integer', description: 'Milliseconds since 1970 by the clock of the store.' },
    operation: {
      type: 'string',
      enum: ['forget', 'override', 'end-override', 'pause', 'release', 'credit', 'debit', 'reconcile', 'apply'],
    },
    by: { type: 'string', description: 'The name of the person or of the token.' },
    reason: any('string'),
    tiers: {
      type: 'array',
      items: object({ tier: any('string'), digest: any('string'), label: any('string') }, ['tier', 'digest']),
    },
    partition: any('string'),
    detail: {
      type: 'object',
      description: 'Numbers of the change, such as `limit` and `until`, or `units` and `balance`.',
    },
  },
  ['id', 'at', 'operation', 'tiers'],
);

const OVERRIDE = object(
  {
    tier: any('string'),
    digest: any('string'),
    partition: any('string'),
    limit: { anyOf: [any('integer'), any('null')] },
    until: any('integer'),
    reason: any('string'),
    by: any('string'),
    at: any('integer'),
  },
  ['tier', 'digest', 'limit', 'reason'],
);

const TIER_LOOK = object(
  {
    tier: { type: 'string', description: 'Its name, and its plan where plans have several limits.' },
    shadow: { type: 'boolean', description: 'It decides and never denies.' },
    policy: { type: 'string', description: 'In words: `600 a minute, sliding window`.' },
    allowed: { type: 'boolean', description: 'The next request fits.' },
    limit: any('number'),
    remaining: any('number'),
    retryAfter: {
      description: 'Milliseconds until the next request fits. Null: it never fits.',
      anyOf: [any('number'), any('null')],
    },
    replenishAfter: { type: 'number', description: 'Milliseconds until one more unit is left.' },
    resetAfter: { type: 'number', description: 'Milliseconds until the budget is full.' },
    isOverridden: any('boolean'),
    reasons: { type: 'array', items: any('string'), description: 'Which override decides, and why, a line each.' },
    balance: {
      ...object({ text: any('string'), isEnough: any('boolean') }, ['text', 'isEnough']),
      description: 'Of a balance: what it does for the next request.',
    },
    recorded: { type: 'array', items: any('string'), description: 'The last texts of `record`, newest first.' },
  },
  [
    'tier',
    'shadow',
    'policy',
    'allowed',
    'limit',
    'remaining',
    'retryAfter',
    'replenishAfter',
    'resetAfter',
    'isOverridden',
    'reasons',
    'recorded',
  ],
);

const LOOK = object(
  {
    tiers: { type: 'array', items: TIER_LOOK, description: 'Tiers that have a state of the client, largest first.' },
    names: { type: 'array', items: any('string'), description: 'All tiers that were read.' },
    notes: { type: 'array', items: any('string'), description: 'What could not be read, as sentences.' },
  },
  ['tiers', 'names', 'notes'],
);

/** What operations answer, by names. */
export const ANSWERS = {
  Failure: object({ error: { type: 'string', description: 'What is wrong, and what to do.' } }, ['error']),
  State: { type: 'object', description: 'All that the page shows when it opens: the type `State` of the package.' },
  Look: LOOK,
  Acts: object({ acts: { type: 'array', items: ACT } }, ['acts']),
  Overrides: object({ overrides: { type: 'array', items: OVERRIDE } }, ['overrides']),
  Forgotten: object(
    {
      tiers: { type: 'array', items: any('string'), description: 'The tiers whose state was deleted.' },
      deniedFor: {
        type: 'number',
        description: 'Milliseconds for which other processes may still deny, from their deny cache.',
      },
      isNew: {
        type: 'boolean',
        description: 'False for a repetition, which has deleted nothing more, and where nothing was to be deleted.',
      },
    },
    ['tiers', 'deniedFor', 'isNew'],
  ),
  Balance: object(
    {
      balance: { type: 'integer', description: 'Units that the balance holds now.' },
      isNew: { type: 'boolean', description: 'False for a repetition, which has changed nothing.' },
      missing: { type: 'integer', description: 'Of a debit: units that the balance did not hold.' },
    },
    ['balance', 'isNew'],
  ),
} as const satisfies Record<string, Schema>;
