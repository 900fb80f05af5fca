import { CHARGING, ON_STORE_FAILURE } from '../../model/claim.js';
import { type Import, TIER_VALUES, type TierValueName } from '../../options/imported-value.js';
import { ANY, type OptionRows, type CombinationRule } from '../../options/option-row.js';
import { stageOf } from './stage.js';

const OF_SUBJECT = { is: 'function', words: 'a function of the subject' } as const;

const NAME = /^[\x20-\x7e]{1,64}$/;
/** A percent sign is allowed only in the code of a character that names cannot have: names of routes are encoded so. */
const RESERVED = /[{}"\\]|%(?!22|25|5C|7[BDF]|[0189A-F][\dA-F])/;

/** The options of every tier, whatever its algorithm. */
export const TIER_ROWS = {
  name: {
    code: 'TIER_NAME_INVALID',
    is: (name) => typeof name === 'string' && NAME.test(name) && !RESERVED.test(name),
    words: '1 to 64 printable ASCII characters without { } " \\ and %',
  },
  key: {
    ...OF_SUBJECT,
    code: 'KEY_INVALID',
    instead: {
      ip: 'must be a function of the subject: write byIp()',
      user: "must be a function of the subject: write by('user', (request) => …)",
    },
    required: true,
  },
  cost: { code: 'COST_INVALID', integer: [1, Number.MAX_SAFE_INTEGER], orFunction: true },
  unit: { is: /^[a-z\d][a-z\d-]{0,31}$/, words: "1 to 32 lower-case letters, digits and hyphens, such as 'tokens'" },
  aboveFull: { oneOf: ['never', 'all'], otherwise: 'never' },
  mode: {
    oneOf: ['enforce', 'shadow', 'demote', 'off'],
    insteadOf: [
      [
        /^(?:dry(?:[-_ ]?run)?|report[-_ ]?only|log[-_ ]?only|monitor|test)$/i,
        "must be a mode: write 'shadow' for a dry run",
      ],
    ],
    otherwise: 'enforce',
  },
  enforce: { is: (share) => stageOf(share) !== undefined, words: "a string from '0%' to '100%', such as '50%'" },
  charge: { oneOf: CHARGING, otherwise: 'admitted' },
  record: OF_SUBJECT,
  label: OF_SUBJECT,
  ...(Object.fromEntries(Object.entries(TIER_VALUES).map(([name, imported]) => [name, { imported }])) as {
    readonly [Name in TierValueName]: { readonly imported: Import };
  }),
  lease: ANY,
  onStoreFailure: { oneOf: ON_STORE_FAILURE },
} as const satisfies OptionRows;

export const TIER_RULES: readonly CombinationRule[] = [
  { option: 'enforce', beside: 'mode', rule: "must stand beside mode: 'enforce': leave mode out" },
];
