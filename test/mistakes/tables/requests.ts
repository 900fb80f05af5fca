import { by, byApiKey, byHeader, byIp, byJwtSubject, bySession, byTarget, compose, loginTiers } from '@sluice/http';
import { ipList } from '@sluice/http/lists';
import { shedder } from '@sluice/overload';
import { createGate } from '../../../packages/http/src/gate/gate.js';
import { GATE_ROWS } from '../../../packages/http/src/gate/gate-options.js';
import { API_KEY_ROWS, API_KEY_RULES } from '../../../packages/http/src/keys/api-key.js';
import { READ_ROWS } from '../../../packages/http/src/keys/by.js';
import { TARGET_ROWS } from '../../../packages/http/src/keys/by-target.js';
import { COMPOSE_ROWS } from '../../../packages/http/src/keys/compose.js';
import { HEADER_ROWS } from '../../../packages/http/src/keys/header.js';
import { IP_ROWS } from '../../../packages/http/src/keys/ip.js';
import { JWT_ROWS } from '../../../packages/http/src/keys/jwt-subject.js';
import { OTHERWISE_ROWS } from '../../../packages/http/src/keys/otherwise.js';
import { LIST_ROWS } from '../../../packages/http/src/lists/ip-list.js';
import { LOGIN_ROWS } from '../../../packages/http/src/sign-in/login-tiers.js';
import type { Table } from '../table.js';

const key = () => 'ada';

/** What reads requests. */
export const requests: readonly Table[] = [
  {
    name: 'createGate',
    rows: GATE_ROWS,
    right: { key, limit: 5, window: '1m' },
    values: {
      headers: [['draft-11'], []],
      body: ['text', { error: 'slow down' }],
      allow: [['10.0.0.0/8']],
      deny: [['10.0.0.0/8']],
      shed: [shedder()],
    },
    make: (options) => void createGate(options).limiter.close(),
  },
  { name: 'byIp', rows: IP_ROWS, make: (options) => byIp(options) },
  {
    name: 'byApiKey',
    rows: API_KEY_ROWS,
    values: { header: ['x-key'], query: ['key'] },
    rules: API_KEY_RULES,
    make: (options) => byApiKey(options),
  },
  { name: 'byJwtSubject', rows: JWT_ROWS, make: (options) => byJwtSubject(options) },
  { name: 'bySession', rows: OTHERWISE_ROWS, make: (options) => bySession(options) },
  {
    name: 'by',
    rows: READ_ROWS,
    right: { kind: 'account', read: key },
    values: { kind: ['account'] },
    make: ({ kind, read }: { readonly kind: never; readonly read: never }) => by(kind, read),
  },
  { name: 'byTarget', rows: TARGET_ROWS, make: (options) => byTarget('phone', key, options) },
  {
    name: 'byHeader',
    rows: HEADER_ROWS,
    values: { header: ['x-tenant'] },
    make: ({ header }: { readonly header: never }) => byHeader(header),
  },
  {
    name: 'compose',
    rows: COMPOSE_ROWS,
    values: { keys: [[key, key]] },
    make: ({ keys }: { readonly keys: unknown }) => compose(...(Array.isArray(keys) ? (keys as never[]) : [])),
  },
  {
    name: 'ipList',
    rows: LIST_ROWS,
    right: { name: 'blocked' },
    values: { name: ['blocked'], store: [{ readList: key }] },
    make: (options) => ipList(options).close(),
  },
  { name: 'loginTiers', rows: LOGIN_ROWS, right: { account: key }, make: (options) => loginTiers(options) },
];
