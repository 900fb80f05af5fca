import { referencePage } from '@sluice/metrics/operations';
import type { Terminal } from '../../terminal/terminal.js';
import { warning, type Finding } from './finding.js';

/** Codes of warnings whose cause a check finds. */
const CHECKED: ReadonlySet<string> = new Set(['SLUICE_REDIS_EVICTION', 'SLUICE_STORE_UNAVAILABLE']);

/** The warnings of Sluice that the configuration causes, such as settings of the client. They are not printed as well. */
export function collectWarnings(terminal: Terminal): () => Finding[] {
  const findings: Finding[] = [];
  process.removeAllListeners('warning');
  process.on('warning', (each: Error & { code?: string }) => {
    if (each.name !== 'SluiceWarning') return terminal.note(`${each.name}: ${each.message}`);
    const code = each.code ?? '';
    if (CHECKED.has(code)) return;
    findings.push(warning(code, each.message, referencePage(`warnings.md#${code.toLowerCase()}`)));
  });
  return () => findings;
}
