import { request as sendRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Acts, Balance, Look } from '@sluice/dashboard';
import { acme, bearer, DeskScene, TOKENS, type Answer } from './desk-scene.js';

const json = { ...bearer('boss'), 'content-type': 'application/json' };
const raw = (
  route: string,
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = json,
): [string, RequestInit] => [`/api/${route}`, { method: 'POST', headers, body }];
const of = (route: string, body: object) => raw(route, JSON.stringify({ ...acme, ...body }));
const credit = { units: 1, id: 'a', reason: 'x' };
const creditText = (fields: string) => raw('credit', `{"kind":"key","values":["acme"],"reason":"x",${fields}}`);
const limit = { limit: 5, reason: 'x' };
const over = (override: object) => of('override', { tier: 'hour', override });
const look = JSON.stringify(acme);
/** As escapes, so that no editor obeys them. */
const REASONS = [
  'a\nb',
  '\u001b[2J',
  '\u202egnp.exe',
  'a\u2028b',
  'de\u200bsk',
  '\u0000',
  '\u009b31m',
  '\ud800',
  '   ',
];

describe('the HTTP API of the dashboard, to hostile requests,', () => {
  const scene = new DeskScene();

  it('gives clear refusals, and shows no secret, no stack and no identity', async () => {
    await scene.post('boss', 'credit', { ...acme, ...credit });
    const requests: [status: number, words: RegExp, [string, RequestInit]][] = [
      [404, /^$/, ['/api/state', {}]],
      [404, /^$/, raw('look', '{}', { authorization: 'Bearer wrong-token-0000000000000' })],
      [404, /^$/, ['/api/state', { headers: { authorization: `Basic ${TOKENS.boss}` } }]],
      [
        403,
        /needs the role admin/,
        raw('debit', JSON.stringify({ ...acme, ...credit }), { ...json, ...bearer('desk') }),
      ],
      [403, /only the page of this dashboard/, raw('forget', '{}', { ...json, origin: 'https://evil.example' })],
      [403, /only the page of this dashboard/, raw('forget', '{}', { ...json, 'sec-fetch-site': 'cross-site' })],
      [413, /at most 8192 bytes/, raw('look', JSON.stringify({ kind: 'key', values: ['x'.repeat(9_000)] }))],
      [400, /send a JSON object/, raw('look', '{"kind":')],
      [400, /send a JSON object/, raw('credit', '{"kind":"key","values":["acme"],"units":NaN,"id":"n","reason":"x"}')],
      [400, /the body must be an object/, raw('look', '[1]')],
      [
        400,
        /a field that is not known here/,
        raw('look', '{"kind":"key","values":["acme"],"__proto__":{"role":"admin"}}'),
      ],
      [400, /a field that is not known here/, of('look', { constructor: { prototype: { role: 'admin' } } })],
      [400, /units must be an integer from 1/, of('credit', { ...credit, units: -5 })],
      [400, /units must be an integer from 1/, of('debit', { ...credit, units: 1e300 })],
      [400, /override.limit must be an integer/, over({ ...limit, limit: 1.5 })],
      [400, /until must be in the future/, over({ ...limit, until: '2020-01-31' })],
      [400, /send either lasts or until/, over({ ...limit, lasts: 5, until: '2999-01-31' })],
      [400, /reason must be/, over({ ...limit, reason: 'a\nb' })],
      [400, /id must be a string of 1 to 64 characters/, of('credit', { ...credit, id: '../../etc/passwd' })],
      [409, /this id has added 1 units before/, of('credit', { ...credit, units: 2 })],
      [404, /no tier of this name/, of('override', { tier: '__proto__', override: limit })],
      [404, /not found/, raw('..%2f..%2fpackage.json', '{}')],
      [404, /not found/, ['/api/constructor', { headers: json }]],
      [405, /send POST/, ['/api/forget', { method: 'DELETE', headers: json }]],
      [415, /send application\/json/, raw('forget', 'kind=key', { ...json, 'content-type': 'text/plain' })],
      [400, /send a JSON object/, raw('look', '['.repeat(8_000))],
      [400, /the body must be an object/, raw('look', '['.repeat(4_000) + ']'.repeat(4_000))],
      [
        400,
        /values\[0\] must be a string/,
        raw('look', `{"kind":"key","values":[${'['.repeat(4_000)}${']'.repeat(4_000)}]}`),
      ],
      [400, /send each field once/, creditText('"id":"b","units":1,"units":1000')],
      [400, /send each field once/, creditText('"id":"b","units":1,"un\\u0069ts":1000')],
      [400, /units must be an integer from 1 to/, creditText('"id":"b","units":9007199254740993')],
      [400, /units must be an integer from 1 to/, creditText('"id":"b","units":1e400')],
      [400, /units must be an integer from 1 to/, creditText('"id":"b","units":"5"')],
      [400, /units must be an integer from 1 to/, creditText('"id":"b","units":[5]')],
      [400, /override.limit must be an integer/, over({ ...limit, limit: 2 ** 53 })],
      [400, /until must be a moment such as/, over({ ...limit, until: '12/31/2999' })],
      [400, /until must be a moment such as/, over({ ...limit, until: '2999-02-31' })],
      [400, /expiresAt must be a moment such as/, of('credit', { ...credit, id: 'b', expiresAt: 'January 5, 2999' })],
      [400, /id must be a string/, of('forget', { id: 'a%2Fb' })],
      [400, /id must be a string/, of('forget', { id: 'а' })],
      [400, /the value is not an identity of this kind/, of('look', { kind: 'ip', values: ['1.2.3.4.5'] })],
      [404, /no tier of this name/, of('pause', { tier: 'constructor', lasts: 5, reason: 'x' })],
      [404, /not found/, raw('credit%2f..%2fdebit', '{}')],
      [404, /not found/, raw('credit/', '{}')],
      [404, /not found/, raw('__proto__', '{}')],
      [415, /without content-encoding/, raw('look', gzipSync(look), { ...json, 'content-encoding': 'gzip' })],
      [415, /in UTF-8/, raw('look', look, { ...json, 'content-type': 'application/json; charset=utf-16' })],
      [415, /in UTF-8/, raw('look', look, { ...json, 'content-type': 'application/jsonp' })],
      [400, /send a JSON object/, raw('look', Buffer.from('{"kind":"key","values":["ac\xffme"]}', 'latin1'))],
    ];

    const answers: Answer[] = [];
    for (const [, , [path, init]] of requests) answers.push(await scene.send(path, init));

    expect(answers.map(({ status }) => status)).toEqual(requests.map(([status]) => status));
    for (const [index, [, words]] of requests.entries()) expect(answers[index]!.body.error ?? '').toMatch(words);
    const texts = answers.map(({ text }) => text).join('\n');
    expect(texts).not.toMatch(/token-0|\bat .*:\d+:\d+|node_modules|acme|evil\.example/);
    expect(answers.flatMap(({ headers }) => [...headers.keys()])).not.toContain('access-control-allow-origin');
    expect((await scene.post<Acts>('auditor', 'history', {})).body.acts).toMatchObject([{ id: 'a' }]);
  });

  it.each(REASONS)('takes no reason that a log or a terminal shows as something else: %j', async (reason) => {
    const bodies = {
      override: { tier: 'hour', override: { limit: 5, reason } },
      pause: { tier: 'hour', reason },
      release: { tier: 'hour', reason },
      forget: { reason },
      credit: { ...credit, reason },
      debit: { ...credit, reason },
    };

    const answers = await Promise.all(
      Object.entries(bodies).map(([route, body]) => scene.post('boss', route, { ...acme, ...body })),
    );

    expect(answers.map(({ status }) => status)).toEqual(Object.keys(bodies).map(() => 400));
    for (const { body } of answers) expect(body.error).toMatch(/reason must be a string of 1 to 200 characters/);
  });

  it('knows no caller by two headers, or by a token of another case, another scheme or another place', async () => {
    const boss = `Bearer ${TOKENS.boss}`;
    const statusOf = (headers: readonly string[], path = '/api/state') =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = sendRequest(`${scene.url}${path}`, { headers: ['host', 'desk', ...headers] }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject).end();
      });

    const statuses = [
      await statusOf(['authorization', boss]),
      await statusOf(['authorization', `bearer ${TOKENS.boss}`]),
      await statusOf(['authorization', boss, 'Authorization', `Bearer ${TOKENS.auditor}`]),
      await statusOf(['authorization', 'Bearer x', 'authorization', boss]),
      await statusOf(['authorization', `Bearer ${TOKENS.boss.toUpperCase()}`]),
      await statusOf(['authorization', `${boss}, ${boss}`]),
      await statusOf(['authorization', `${boss} `.replace(' ', '  ')]),
      await statusOf(['proxy-authorization', boss]),
      await statusOf(['x-forwarded-authorization', boss]),
      await statusOf([], `/api/state?token=${TOKENS.boss}`),
    ];

    expect(statuses).toEqual([200, 200, 404, 404, 404, 404, 404, 404, 404, 404]);
  });

  it('changes nothing by a cookie from a page of another site, and by no other method than its own', async () => {
    const cookie = `sluice-dashboard-${new URL(scene.url).port}=${TOKENS.boss}`;
    const body = JSON.stringify({ ...acme, ...credit });
    const send = (method: string, headers: Record<string, string>) => {
      const init = { method, headers: { cookie, 'content-type': 'application/json', ...headers } };
      return scene.send('/api/credit', /GET|HEAD/.test(method) ? init : { ...init, body });
    };

    const statuses = [
      await send('POST', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
      await send('POST', { 'sec-fetch-site': 'same-site' }),
      await send('POST', { 'sec-fetch-site': 'none' }),
      await send('POST', { origin: 'null' }),
      await send('POST', { origin: scene.url.replace('127.0.0.1', 'localhost') }),
      await send('POST', { 'content-type': 'text/plain' }),
      await send('OPTIONS', { origin: 'https://evil.example', 'access-control-request-method': 'POST' }),
      await send('OPTIONS', {}),
      await send('GET', { 'x-http-method-override': 'POST' }),
      await send('HEAD', {}),
      await send('PUT', { 'x-http-method-override': 'POST' }),
    ].map(({ status }) => status);
    const own = await send('POST', { origin: scene.url });

    expect(statuses).toEqual([403, 403, 403, 403, 403, 415, 403, 405, 405, 405, 405]);
    expect(own.status).toBe(200);
    expect(await scene.balance()).toBe(1);
  });

  it('takes an identity as it is, whatever separators it has', async () => {
    const identities = [
      'a',
      'a:b',
      'a}:hour',
      '{a}',
      'a b',
      'a.b',
      '../a',
      'a/b',
      'a%2fb',
      '*',
      '__proto__',
      'constructor',
    ];

    for (const [index, value] of identities.entries()) {
      const body = { kind: 'key', values: [value], units: index + 1, id: 'same', reason: 'x' };
      const { body: answer } = await scene.post<Balance>('desk', 'credit', body);
      expect(answer).toEqual({ balance: index + 1, isNew: true });
    }
    const acts = await Promise.all(
      identities.map((value) => scene.post<Acts>('auditor', 'history', { kind: 'key', values: [value] })),
    );

    expect(acts.map(({ body }) => body.acts.map(({ detail }) => detail?.['units']))).toEqual(
      identities.map((_value, index) => [index + 1]),
    );
  });

  it('answers with what there is beyond the end of a list', async () => {
    const { acts } = (await scene.post<Acts>('auditor', 'history', { since: 8e15, limit: 1_000 })).body;
    const { tiers, names } = (await scene.post<Look>('auditor', 'look', { kind: 'key', values: ['nobody'] })).body;

    expect([acts, tiers, names]).toEqual([[], [], ['hour', 'credits']]);
  });
});
