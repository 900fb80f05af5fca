import type { Alert } from '../monitoring/alerts.js';

/** An expression, and what has it. */
export type Query = readonly [name: string, expression: string];

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

/** The queries of a dashboard's file. */
export function panelQueries(file: string): Query[] {
  const { panels } = JSON.parse(file) as Dashboard;
  return panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const));
}

/** The numbers that alerts compare. */
export function alertQueries(alerts: readonly Alert[]): Query[] {
  return alerts.flatMap(({ name, value, above, and = [] }) =>
    [{ value, above }, ...and]
      .flatMap((each) => (typeof each.above === 'string' ? [each.value, each.above] : [each.value]))
      .map((each) => [name, each] as const),
  );
}

/** An expression with all jobs, instances and tiers, for a server that has scraped each second for some seconds. */
export function sped(expression: string): string {
  return expression
    .replaceAll(/\$(job|instance|tier)\b/g, '.+')
    .replaceAll(/\[(\$__rate_interval|\d+[mdh])\]/g, '[6s]')
    .replaceAll(/\[\d+d:1h\]/g, '[6s:1s]')
    .replaceAll('offset 1d', 'offset 2s');
}
