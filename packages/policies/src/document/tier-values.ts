import type { OptionReader } from '@sluice/http/adapter';
import type { DocumentContext } from './document-context.js';
import { readFair } from './read-fair.js';
import { readLine } from './read-line.js';

export type Schema = Readonly<Record<string, unknown>>;

/** Schemas of which those of options are made. */
interface Parts {
  readonly duration: Schema;
  readonly key: Schema;
  readonly weight: Schema;
}

/** The value of an option that a program imports: the map that a file has in its place. */
interface TierValue {
  read<S>(tier: OptionReader, context: DocumentContext<S>): unknown;
  readonly description: string;
  readonly properties: (parts: Parts) => Schema;
  readonly required: readonly string[];
}

const VALUES: Readonly<Record<string, TierValue>> = {
  fair: {
    read: readFair,
    description: 'Callers share the limit by their weights. by: like key. weight: by plan, and otherwise.',
    properties: ({ key, weight }) => ({
      by: key,
      weight: { type: 'object', required: ['otherwise'], additionalProperties: weight },
    }),
    required: ['by'],
  },
  line: {
    read: readLine,
    description: 'Tells each denied request a moment of its own. longest: the longest wait. by: like key.',
    properties: ({ key, duration }) => ({ longest: duration, keep: duration, by: key }),
    required: ['longest'],
  },
};

/** The values of the options of a tier that a file has as maps. @throws ConfigError */
export function readValues<S>(tier: OptionReader, context: DocumentContext<S>): Readonly<Record<string, unknown>> {
  const given = Object.entries(VALUES).filter(([option]) => tier.has(option));
  return Object.fromEntries(given.map(([option, value]) => [option, value.read(tier, context)]));
}

/** The schemas of these maps, by their options. */
export function valueSchemas(parts: Parts): Readonly<Record<string, Schema>> {
  const schemas = Object.entries(VALUES).map(([option, { description, properties, required }]) => {
    return [
      option,
      { description, type: 'object', properties: properties(parts), required, additionalProperties: false },
    ];
  });
  return Object.fromEntries(schemas) as Readonly<Record<string, Schema>>;
}
