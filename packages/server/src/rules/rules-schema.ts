import type { RULE_ROWS } from './read-rules.js';

type Schema = Readonly<Record<string, unknown>>;

const DESCRIPTIONS: Readonly<Record<keyof typeof RULE_ROWS, string>> = {
  tier: 'The tier that counts the descriptor.',
  limiter: 'The limiter that the domain of a request names. Default: the limiter of the tier.',
  from: "The keys of the entries of a descriptor, in any order; 'key=value' takes one value alone.",
  plan: 'The key of an entry of from, whose value names the plan.',
  kind: 'The kind of the identity, as in the first argument of by().',
  unlimited: 'The descriptor has no limit.',
};

const WANTED: Schema = { type: 'string', pattern: '^[^=]+(=.*)?$' };

/** The schema of `extensions.server` in a file of policies. `limits.schema.json` of the package has it. */
export const rulesSchema: Schema = {
  type: 'object',
  properties: {
    descriptors: {
      description: 'Which tier counts a descriptor of Envoy. A rule with more fixed values is asked first.',
      type: 'array',
      items: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(DESCRIPTIONS).map(([name, description]) => [name, { description, ...typeOf(name) }]),
        ),
        required: ['from'],
        additionalProperties: false,
        anyOf: [{ required: ['tier'] }, { required: ['unlimited'] }],
      },
    },
    identities: {
      description: 'The names of keys in this file whose identities requests bring. Others are those of Sluice.',
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 64 },
    },
    receiptHeader: {
      description: 'The header in which the service behind Envoy gets the receipt of its request.',
      type: 'string',
      pattern: "^[\\w!#$%&'*+.^`|~-]{1,64}$",
    },
  },
  additionalProperties: false,
};

function typeOf(name: string): Schema {
  if (name === 'from') return { type: 'array', items: WANTED, minItems: 1, maxItems: 16 };
  if (name === 'unlimited') return { const: true };
  return name === 'kind' ? { type: 'string', minLength: 1, maxLength: 64 } : { type: 'string' };
}
