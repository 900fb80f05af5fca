import { balance } from './credits/balance-option.js';
import { notices } from './notices/notices-option.js';
import { usage } from './usage/usage-option.js';

/**
 * What the texts `algorithm: balance`, `notices` and `usage` of a file of policies stand for.
 *
 * @example await openPolicies('limits.yaml', { features: [quotas] })
 */
export const quotas = Object.freeze({ name: 'quotas', balance, notices, usage } as const);
