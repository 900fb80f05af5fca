import { line, LINE_ROWS } from './line.js';

/**
 * What the text `line` of a file of policies stands for.
 *
 * @example await openPolicies('limits.yaml', { features: [lines] })
 */
export const lines = Object.freeze({ name: 'lines', line, rows: LINE_ROWS } as const);
