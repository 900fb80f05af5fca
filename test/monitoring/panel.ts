/** A diagram. */
export interface Panel {
  readonly title: string;
  /** Which question it answers, and what is normal. */
  readonly description: string;
  /** Of Grafana. */
  readonly unit: 'short' | 'reqps' | 'ops' | 's' | 'percentunit' | 'bytes';
  /** Expressions with the names of their series. */
  readonly queries: readonly (readonly [expression: string, legend: string])[];
  /** @default lines */
  readonly as?: 'areas' | 'bars';
  /** A line at a number. */
  readonly line?: number;
}

export function selection(...labels: readonly string[]): string {
  return `{${['job=~"$job"', 'instance=~"$instance"', ...labels].join(', ')}}`;
}

export function perSecond(series: string, by?: string): string {
  return `sum${by === undefined ? '' : ` by (${by}) `}(rate(${series}[$__rate_interval]))`;
}

export function quantile(part: string, series: string, by?: string): string {
  return `histogram_quantile(${part}, ${perSecond(series, ['le', by].filter(Boolean).join(', '))})`;
}

export function nameOfQuantile(part: string): string {
  return `p${Number(part) * 100}`;
}
