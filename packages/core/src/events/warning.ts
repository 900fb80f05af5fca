import { shared } from '../model/shared.js';

const warned = shared('warned', () => new Set<string>());

/**
 * Emits a process warning, once for each code, because a fault of every request needs one line of log.
 *
 * @param code its section in docs/reference/warnings.md, which the package has
 */
export function warn(code: `SLUICE_${string}`, message: string): void {
  if (warned.has(code)) return;
  warned.add(code);
  process.emitWarning(message, {
    type: 'SluiceWarning',
    code,
    detail: `See node_modules/@sluice/core/docs/reference/warnings.md#${code.toLowerCase()}`,
  });
}
