import { NOT_MEASURED, rowNamed, type Bar } from './bar.js';
import { tablesOf, type Report } from './report.js';

const WORKS = [
  ['Sluice month, notices', 'a month with notices', 1.1],
  ['Sluice month, usage', 'a month with usage', 1.5],
] as const;

/** What notices and usage add to a fixed window. */
export function quotaBars(report: Report): readonly Bar[] {
  const [table] = tablesOf(report, 'quotas');
  // Not in the reports of runs before there was this part.
  if (table === undefined) return [];
  const plain = rowNamed(table, 'Sluice fixed-window');
  return WORKS.map(([name, work, must]): Bar => {
    const row = rowNamed(table, name);
    const found = plain && row ? { measured: row.redisCpuRatio / plain.redisCpuRatio } : NOT_MEASURED;
    return { work, measure: 'CPU of Redis for a check, x a fixed window', sense: 'most', must, ...found };
  });
}
