import { fairBy } from './fair-by.js';

/**
 * What the text `fair` of a file of policies stands for.
 *
 * @example await openPolicies('limits.yaml', { features: [fair] })
 */
export const fair = Object.freeze({ name: 'fair', fairBy } as const);
