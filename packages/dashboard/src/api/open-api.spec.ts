import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApi } from './open-api.js';
import { OPERATIONS } from './operations.js';
import { mistakeIn, type Schema } from './schema.js';

const file = (name: string) =>
  JSON.parse(readFileSync(join(__dirname, '..', '..', name), 'utf8')) as Record<string, unknown>;

describe('openApi', () => {
  it('makes the file of the package, with its version', () => {
    const document = JSON.parse(JSON.stringify(openApi())) as { readonly info: { readonly version: string } };

    expect(file('openapi.json')).toEqual(document);
    expect(document.info.version).toBe(file('package.json')['version']);
  });

  it('has each route that the dashboard answers, with its role', () => {
    const { paths } = openApi() as { readonly paths: Record<string, Record<string, { 'x-role': string }>> };

    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [path, method, operation['x-role']]),
    );

    expect(routes).toEqual(OPERATIONS.map(({ name, method, role }) => [`/api/${name}`, method.toLowerCase(), role]));
  });
});

describe('mistakeIn', () => {
  const schema: Schema = {
    type: 'object',
    required: ['units'],
    additionalProperties: false,
    properties: {
      units: { type: 'integer', minimum: 1, maximum: 9 },
      names: { type: 'array', maxItems: 2, items: { type: 'string', maxLength: 3 } },
      end: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    },
  };

  it.each<[value: unknown, mistake: string | undefined]>([
    [{ units: 1, names: ['ada'], end: null }, undefined],
    [{ units: 0 }, 'units must be an integer from 1 to 9'],
    [{}, 'units is missing: it is an integer from 1 to 9'],
    [{ units: 1, names: ['adam'] }, 'names[0] must be a string of 0 to 3 characters'],
    [{ units: 1, names: 'ada' }, 'names must be an array of at most 2 values'],
    [{ units: 1, end: 'x' }, 'end must be an integer'],
    [{ units: 1, other: 1 }, 'the body has a field that is not known here: it may have units, names, end'],
    [null, 'the body must be an object'],
  ])('says of %j: %s', (value, mistake) => {
    expect(mistakeIn(schema, value)).toBe(mistake);
  });
});
