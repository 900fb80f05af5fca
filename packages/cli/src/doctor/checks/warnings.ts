import { warning, type Finding } from '../finding.js';

/** Codes of warnings whose cause a check finds. */
const CHECKED: ReadonlySet<string> = new Set(['SLUICE_REDIS_EVICTION', 'SLUICE_STORE_UNAVAILABLE']);

/** The warnings of Sluice that the configuration causes, such as settings of the client. They are not printed as well. */
export function collectWarnings(): () => Finding[] {
  const findings: Finding[] = [];
  // Node prints a warning unless the process has a listener of its own and no default one.
  process.removeAllListeners('warning');
  process.on('warning', (each: Error & { code?: string }) => {
    if (each.name !== 'SluiceWarning') return void process.stderr.write(`${each.name}: ${each.message}\n`);
    const code = each.code ?? '';
    if (CHECKED.has(code)) return;
    findings.push(
      warning(code, each.message, `node_modules/@sluice/core/docs/reference/warnings.md#${code.toLowerCase()}`),
    );
  });
  return () => findings;
}
