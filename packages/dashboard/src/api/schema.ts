/** What a JSON value must be: the part of JSON Schema that this API needs, which its OpenAPI document has as it is. */
export interface Schema {
  readonly description?: string;
  readonly type?: 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly (string | null)[];
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
}

/** The first mistake in a value, as a sentence that repeats nothing of it. Undefined without one. */
export function mistakeIn(schema: Schema, value: unknown, name = 'the body'): string | undefined {
  if (schema.anyOf !== undefined) {
    const mistakes = schema.anyOf.map((each) => mistakeIn(each, value, name));
    return mistakes.includes(undefined) ? undefined : mistakes[0];
  }
  const isRight = schema.type === undefined || CHECKS[schema.type](schema, value);
  if (!isRight) return `${name} must be ${wordsOf(schema)}`;
  if (schema.type === 'array') {
    for (const [index, each] of (value as readonly unknown[]).entries()) {
      const mistake = schema.items && mistakeIn(schema.items, each, `${name}[${index}]`);
      if (mistake !== undefined) return mistake;
    }
  }
  return schema.type === 'object'
    ? mistakeInObject(schema, value as Readonly<Record<string, unknown>>, name)
    : undefined;
}

const CHECKS: Readonly<Record<NonNullable<Schema['type']>, (schema: Schema, value: unknown) => boolean>> = {
  array: ({ maxItems = Infinity }, value) => Array.isArray(value) && value.length <= maxItems,
  boolean: (_schema, value) => typeof value === 'boolean',
  integer: (schema, value) => Number.isSafeInteger(value) && isWithin(schema, value as number),
  null: (_schema, value) => value === null,
  number: (schema, value) => Number.isFinite(value) && isWithin(schema, value as number),
  object: (_schema, value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  string: ({ minLength = 0, maxLength = Infinity, pattern, enum: names }, value) =>
    typeof value === 'string' &&
    value.length >= minLength &&
    value.length <= maxLength &&
    (names?.includes(value) ?? true) &&
    (pattern === undefined || new RegExp(pattern, 'u').test(value)),
};

function isWithin({ minimum = -Infinity, maximum = Infinity }: Schema, value: number): boolean {
  return value >= minimum && value <= maximum;
}

function mistakeInObject(
  { properties = {}, required = [], additionalProperties = true }: Schema,
  value: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const prefix = name === 'the body' ? '' : `${name}.`;
  const missing = required.find((each) => !Object.hasOwn(value, each));
  if (missing !== undefined) return `${prefix}${missing} is missing: it is ${wordsOf(properties[missing]!)}`;
  for (const [key, each] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known === undefined && additionalProperties === false) {
      return `${name} has a field that is not known here: it may have ${Object.keys(properties).join(', ')}`;
    }
    const schema = known ?? additionalProperties;
    const mistake = typeof schema === 'object' ? mistakeIn(schema, each, `${prefix}${key}`) : undefined;
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

/** In words: `an integer from 1 to 10`. */
function wordsOf(schema: Schema): string {
  const { type, enum: names, minimum, maximum, minLength = 0, maxLength, maxItems, description } = schema;
  if (schema.anyOf !== undefined) return schema.anyOf.map(wordsOf).join(', or ');
  if (names !== undefined) return `one of ${names.join(', ')}`;
  const range = `${minimum === undefined ? '' : ` from ${minimum}`}${maximum === undefined ? '' : ` to ${maximum}`}`;
  if (type === 'integer' || type === 'number') return `${type === 'integer' ? 'an integer' : 'a number'}${range}`;
  if (type === 'array') return `an array${maxItems === undefined ? '' : ` of at most ${maxItems} values`}`;
  if (type === 'string') {
    const length = maxLength === undefined ? 'a string' : `a string of ${minLength} to ${maxLength} characters`;
    return schema.pattern === undefined ? length : `${length}: ${description}`;
  }
  return type === 'null' ? 'null' : type === 'boolean' ? 'true or false' : 'an object';
}
