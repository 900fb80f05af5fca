import { byApiKey, byHeader, byIp, byJwtSubject, by, createLimiter, rateLimit } from '@sluice/express';
import { memoryStore, type KeyFunction, type Store } from '@sluice/core';
import { sharedLayers } from '@sluice/core/own-store';
import express from 'express';
import type { AddressInfo } from 'node:net';
import { SECRET, withServers } from './with-server.js';

/** A store that lists the keys of what it decides. */
function listing(): { readonly store: Store; readonly keys: string[] } {
  const keys: string[] = [];
  const memory = memoryStore();
  const store: Store = {
    layers: sharedLayers,
    consume: (group) => {
      keys.push(...group.map(({ key }) => key));
      return memory.consume(group);
    },
    peek: (group) => memory.peek(group),
    refund: (receipts) => memory.refund(receipts),
    reset: (reset) => memory.reset(reset),
    close: () => memory.close(),
  };
  return { store, keys };
}

type Request = express.Request & { readonly auth?: unknown };

interface Row {
  /** What the middleware counts by. */
  readonly key: KeyFunction<Request>;
  /** As the file says it. */
  readonly written: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth?: object;
  readonly identities?: object;
  /** Entries of a descriptor, and the rule that takes them. */
  readonly entries: Readonly<Record<string, string>>;
  readonly rule: string;
}

const ROWS: Readonly<Record<string, Row>> = {
  'an address': {
    key: byIp(),
    written: 'ip',
    entries: { remote_address: '127.0.0.1' },
    rule: 'from: [remote_address]',
  },
  'an API key': {
    key: byApiKey(),
    written: 'api-key',
    headers: { 'x-api-key': 'k-1' },
    entries: { api_key: 'k-1' },
    rule: 'from: [api_key]',
  },
  'a header': {
    key: byHeader('x-tenant'),
    written: 'header:x-tenant',
    headers: { 'x-tenant': 'acme' },
    entries: { tenant: 'acme' },
    rule: 'from: [tenant]',
  },
  'the subject of a token': {
    key: byJwtSubject(),
    written: 'jwt-subject',
    auth: { iss: 'https://issuer', sub: 'ada' },
    entries: { iss: 'https://issuer', sub: 'ada' },
    rule: 'from: [iss, sub]',
  },
  'a text': {
    key: ({ headers }) => headers['x-account'] as string,
    written: 'account',
    headers: { 'x-account': '7' },
    identities: { account: '7' },
    entries: { account: '7' },
    rule: 'from: [account]',
  },
  'an identity with a kind': {
    key: by<Request>('customer', ({ headers }) => headers['x-account']),
    written: 'account',
    headers: { 'x-account': '7' },
    identities: { account: { kind: 'customer', parts: ['7'] } },
    entries: { account: '7' },
    rule: 'from: [account], kind: customer',
  },
};

describe('The service', () => {
  const start = withServers();

  it.each(Object.entries(ROWS))(
    'counts %s under the store key of the middleware, by HTTP and by gRPC',
    async (_what, row) => {
      const own = listing();
      const app = express();
      app.use((request, _response, next) => {
        Object.assign(request, row.auth && { auth: row.auth });
        next();
      });
      const tier = { name: 'minute', key: row.key, limit: 9, window: '1m' as const };
      app.use(rateLimit({ limiter: createLimiter({ store: own.store, secret: SECRET, tiers: [tier] }) }));
      app.get('/', (_request, response) => void response.send('ok'));
      const listener = app.listen(0, '127.0.0.1');
      await new Promise((resolve) => listener.once('listening', resolve));
      const served = listing();
      const { client, post } = await start(
        `
version: 1
limiters: { api: { tiers: [{ name: minute, key: '${row.written}', limit: 9, window: 1m }] } }
extensions: { server: { identities: [account], descriptors: [{ tier: minute, ${row.rule} }] } }
`,
        { store: served.store },
      );
      const { headers = {}, auth, identities } = row;

      await fetch(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/`, { headers });
      await new Promise((resolve) => listener.close(resolve));
      const { status } = await post('/check', {
        limiter: 'api',
        request: { ip: '127.0.0.1', headers, ...(auth && { auth }) },
        ...(identities && { identities }),
      });
      const { overall_code } = await client.check('api', row.entries);

      expect([status, overall_code]).toEqual([200, 'OK']);
      expect(own.keys).toHaveLength(1);
      expect(served.keys).toEqual([own.keys[0], own.keys[0]]);
    },
  );
});
