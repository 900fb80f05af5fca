/** The error type of a string that begins with none of the known codes. */
export const OTHER_ERROR = '_OTHER';

/** Codes with which errors of Redis begin. A string of another form may hold an address. */
const KNOWN: ReadonlySet<string> = new Set([
  'BUSY',
  'CLUSTERDOWN',
  'CLUSTER_NODE',
  'ERR',
  'LOADING',
  'MASTERDOWN',
  'MISCONF',
  'NOAUTH',
  'NOPERM',
  'NOREPLICAS',
  'OOM',
  'READONLY',
  'SLUICE_UNSUPPORTED',
  'TRYAGAIN',
  'WRONGPASS',
  'WRONGTYPE',
]);

/**
 * The code with which the error of a call begins: one of 16, else `_OTHER`.
 *
 * @param problem of an event
 * @example
 * errorType('OOM command not allowed'); // OOM
 */
export function errorType(problem = ''): string {
  const [code = ''] = problem.split(' ', 1);
  return KNOWN.has(code) ? code : OTHER_ERROR;
}
