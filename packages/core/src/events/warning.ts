import { referencePage } from '../model/reference-page.js';
import { processWide } from '../model/process-wide.js';

const warned = processWide('warned', () => new Set<string>());

/**
 * Emits a process warning, once for each code, because a fault of every request needs one line of log.
 *
 * @param code its section in docs/reference/warnings.md, which the package has
 * @param about once for each of these
 */
export function warn(code: `SLUICE_${string}`, message: string, about = ''): void {
  const fault = `${code}${about}`;
  if (warned.has(fault)) return;
  warned.add(fault);
  warnAgain(code, message);
}

/** Emits a process warning each time, for a fault that must not be forgotten while it lasts. @param code as for `warn` */
export function warnAgain(code: `SLUICE_${string}`, message: string): void {
  process.emitWarning(message, {
    type: 'SluiceWarning',
    code,
    detail: `See ${referencePage(`warnings.md#${code.toLowerCase()}`)}`,
  });
}
