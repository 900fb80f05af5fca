import type { Instrument } from '@sluice/core/internal';

/** Units that the translation of OpenTelemetry writes out. A noun in braces is no unit. */
const UNITS: Readonly<Record<string, string>> = { s: 'seconds' };

/**
 * The name of an instrument in Prometheus, as the translation of OTLP makes it: underscores, the unit, `_total` for a
 * counter and `_ratio` for a gauge of unit 1.
 *
 * Source: https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/
 *
 * @example
 * prometheusName(instruments[0]); // sluice_decisions_total
 */
export function prometheusName({ name, kind, unit }: Instrument): string {
  const parts = [name.replaceAll('.', '_')];
  if (UNITS[unit]) parts.push(UNITS[unit]);
  if (kind === 'counter') parts.push('total');
  if (kind === 'gauge' && unit === '1') parts.push('ratio');
  return parts.join('_');
}

/**
 * The label of an attribute in Prometheus.
 *
 * @example
 * prometheusLabel('sluice.tier'); // sluice_tier
 */
export function prometheusLabel(attribute: string): string {
  return attribute.replaceAll('.', '_');
}
