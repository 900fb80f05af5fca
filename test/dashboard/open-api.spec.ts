import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Schema } from '../../packages/dashboard/src/api/schema.js';
import { acme, bearer, DAY_MS, DeskScene, HOUR_MS, TOKENS, type Answer, type Name } from './desk-scene.js';

interface Described {
  readonly 'x-role': 'read' | 'support' | 'admin';
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: Readonly<Record<string, { readonly content: Record<string, { readonly schema: Schema }> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: object;
}

const hour = { ...acme, tier: 'hour' };
const reason = 'x';
const ROLES: Readonly<Record<Name, number>> = { auditor: 0, desk: 1, boss: 2 };
const NAMES = Object.keys(TOKENS) as Name[];

/** A body that is right, for each route with one. Names that differ keep callers apart. */
const BODIES: Readonly<Record<string, (name: string) => object>> = {
  look: () => acme,
  history: () => acme,
  override: () => ({ ...hour, override: { limit: 5, lasts: HOUR_MS, reason } }),
  pause: () => ({ ...hour, lasts: HOUR_MS, reason }),
  release: () => ({ ...hour, reason }),
  forget: () => ({ ...acme, reason }),
  credit: (name) => ({ ...acme, units: 5, id: `credit-${name}`, reason }),
  debit: (name) => ({ ...acme, units: 1, id: `debit-${name}`, reason }),
};

/** The same schema, in which objects have no other fields than those that it lists. Those without a list may have any. */
function closed(schema: Schema): Schema {
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(properties !== undefined && {
      additionalProperties: false,
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, closed(each)])),
    }),
    ...(items !== undefined && { items: closed(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(closed) }),
  };
}

describe('the OpenAPI document of the dashboard', () => {
  const scene = new DeskScene();
  const ajv = new Ajv2020({ strict: false });
  let document: Document;

  beforeEach(async () => {
    document = (await scene.send<Document>('/api/openapi.json', { headers: bearer('auditor') })).body;
  });

  /** What the document says of an answer that it does not allow. Undefined for one that it allows. */
  function mistakeOf(route: string, method: string, { status, body, headers }: Answer<unknown>): unknown {
    const response = document.paths[`/api/${route}`]![method]!.responses[status];
    if (response === undefined) return `${status} is not described: ${JSON.stringify(body)}`;
    const [[type, { schema }]] = Object.entries(response.content) as [[string, { schema: Schema }]];
    if (!headers.get('content-type')!.startsWith(type)) return headers.get('content-type');
    const name = schema.$ref?.split('/').at(-1);
    const { schemas } = document.components as { readonly schemas: Readonly<Record<string, Schema>> };
    const validate = ajv.compile(closed(name === undefined ? schema : schemas[name]!));
    return validate(body) ? undefined : validate.errors;
  }

  function call(name: Name, route: string, body: unknown): Promise<Answer<unknown>> {
    const method = document.paths[`/api/${route}`]!['get'] === undefined ? 'POST' : 'GET';
    const headers = { ...bearer(name), 'content-type': 'application/json' };
    if (method === 'GET') return scene.send(`/api/${route}`, { headers });
    return scene.send(`/api/${route}`, {
      method,
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({ route: path.slice('/api/'.length), method, described })),
    );

  it('has the answer of each route to each role, with each field of it', async () => {
    await scene.use(1_000);
    await scene.post('boss', 'credit', { ...acme, units: 9, id: 'first', expiresAt: Date.now() + DAY_MS, reason });
    await scene.post('boss', 'override', { ...hour, override: { limit: 7, lasts: HOUR_MS, reason } });
    const mistakes: unknown[] = [];
    const wrong: unknown[] = [];

    for (const { route, method, described } of operations()) {
      if (route === 'events') continue;
      for (const name of NAMES) {
        // Another caller may have ended it.
        if (route === 'release' && name !== 'auditor') await call('boss', 'pause', BODIES['pause']!(name));
        const answer = await call(name, route, BODIES[route]?.(name));
        const isAllowed = ROLES[name] >= ['read', 'support', 'admin'].indexOf(described['x-role']);
        if ((answer.status === 200) !== isAllowed) wrong.push([route, name, answer.status, answer.text]);
        const mistake = mistakeOf(route, method, answer);
        if (mistake !== undefined) mistakes.push([route, name, mistake]);
      }
    }

    expect([wrong, mistakes]).toEqual([[], []]);
  });

  it('has the answer to each request with a mistake', async () => {
    const other = { ...bearer('boss'), 'content-type': 'application/json', origin: 'https://other.example' };
    const mistakes: unknown[] = [];
    const statuses = new Map<string, number[]>();
    const check = (route: string, method: string, answer: Answer<unknown>) => {
      const mistake = answer.status === 405 ? undefined : mistakeOf(route, method, answer);
      if (mistake !== undefined) mistakes.push([route, mistake]);
      statuses.set(route, [...(statuses.get(route) ?? []), answer.status]);
    };
    await scene.post('boss', 'override', { ...hour, override: { limit: 7, reason }, id: 'taken' });
    await scene.post('boss', 'forget', { ...acme, reason: 'other', id: 'taken' });
    await scene.use();
    await scene.post('boss', 'forget', { ...acme, reason: 'other', id: 'taken' });
    for (const units of [1, 2]) await scene.post('boss', 'credit', { ...acme, units, id: 'taken', reason: 'other' });

    for (const { route, method } of operations()) {
      const url = `/api/${route}`;
      check(route, method, await scene.send(url, { method: method.toUpperCase(), headers: other }));
      if (method === 'get') continue;
      const body = BODIES[route]!('mistake');
      const headers = { ...bearer('boss'), 'content-type': 'text/plain' };
      check(route, method, await scene.send(url, { method: 'POST', headers, body: '{}' }));
      check(route, method, await call('boss', route, '{'));
      check(route, method, await call('boss', route, { ...body, nothing: 1 }));
      check(route, method, await call('boss', route, ' '.repeat(9_000)));
      const unknown = { ...body, kind: undefined, values: undefined, tier: 'hour', digest: 'AAAAAAAA' };
      check(route, method, await call('boss', route, unknown));
      if ('reason' in body || 'override' in body)
        check(route, method, await call('boss', route, { ...body, id: 'taken' }));
    }
    await scene.redis.client.call('ACL', 'SETUSER', 'default', '-@scripting');
    for (const route of ['look', 'history', 'override', 'forget', 'credit', 'debit']) {
      check(route, 'post', await call('boss', route, BODIES[route]!('outage')));
    }
    await scene.redis.client.call('ACL', 'SETUSER', 'default', '+@all');

    expect(mistakes).toEqual([]);
    expect(statuses.get('override')).toEqual([403, 415, 400, 400, 413, 404, 409, 503]);
    expect(statuses.get('credit')).toEqual([403, 415, 400, 400, 413, 404, 409, 503]);
    expect(statuses.get('look')).toEqual([403, 415, 400, 400, 413, 404, 503]);
  });
});
