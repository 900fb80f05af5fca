import type { KeyFunction } from '@sluice/core';
import type { OptionReader } from '@sluice/http/adapter';
import type { DocumentContext } from './document-context.js';
import { readCaller } from './read-caller.js';
import { featureFor } from './policy-features.js';

/**
 * The line of a tier: `{ longest: 5m, by: worker }`. Its durations are those of code.
 *
 * @throws ConfigError
 */
export function readLine<S>(tier: OptionReader, context: DocumentContext<S>): unknown {
  tier.one('line', { is: isMap, words: "a map: write line: { longest: '5m' }" });
  const { line, rows } = featureFor(context.features ?? [], 'lines', (rule) =>
    tier.fail('OPTION_INVALID', 'line', rule),
  );
  const given = tier.within('line', Object.keys(rows));
  for (const name of ['longest', 'keep'] as const) given.one(name, rows[name]);
  const { by: _by, ...times } = tier.value('line') as { readonly by?: unknown; readonly longest: string };
  const by: KeyFunction<S> | undefined = given.has('by') ? readCaller(given, context) : undefined;
  return line<S>({ ...times, ...(by && { by }) });
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
