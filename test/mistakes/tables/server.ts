import { ConfigError, memoryStore } from '@sluice/core';
import type { OptionRows } from '@sluice/http/adapter';
import { Service } from '../../../packages/server/src/deciding/service.js';
import { ServedResponse } from '../../../packages/server/src/deciding/served-response.js';
import {
  CHECK_ROWS,
  RECEIPT_ROWS,
  REFUND_ROWS,
  REQUEST_ROWS,
  ROUTES,
  SETTLE_ROWS,
} from '../../../packages/server/src/http/routes.js';
import { ReceiptSeal } from '../../../packages/server/src/receipts/receipt.js';
import { PART_ROWS, readRules, RULE_ROWS } from '../../../packages/server/src/rules/read-rules.js';
import {
  BOUND_ROWS,
  LISTEN_ROWS,
  readServeOptions,
  SERVE_ROWS,
  TLS_ROWS,
} from '../../../packages/server/src/serve-options.js';
import type { Table } from '../table.js';

const store = memoryStore();
const right = { file: 'limits.yaml', secret: 'a secret of the tests' };
const pem = '-----BEGIN CERTIFICATE-----';
const tokens = [['a-token-of-the-tests']];
const service = new Service({
  file: 'limits.yaml',
  limiterOptions: { store, prefix: 'rl' },
  headers: undefined,
  seal: new ReceiptSeal([right.secret], 'rl'),
  receiptLife: 60_000,
});

/** Options within an option of `serve`. */
function within(option: string, rows: OptionRows, rest: Omit<Table, 'name' | 'rows' | 'make'> = {}): Table {
  return {
    name: `serve, its ${option}`,
    rows,
    ...rest,
    make: (options) => readServeOptions({ ...right, [option]: options }),
  };
}

/** The body of a route. The service has no limits: it refuses each body that its table takes. */
function bodyOf(route: string, rows: OptionRows, rest: Omit<Table, 'name' | 'rows' | 'make'>): Table {
  return { name: route, rows, ...rest, make: (body) => answer(route, body) };
}

function answer(route: string, body: Readonly<Record<string, unknown>>) {
  return ROUTES[route]!.answer({ body, service, response: new ServedResponse() });
}

/** Reads the part of a file that has one tier. */
function rulesOf(value: object) {
  const tier = { limiter: 'api', given: { key: 'tenant' } };
  return readRules({
    value,
    tiers: new Map([['tenant-hour', tier as never]]),
    check: (_path, read) => read(),
    fail: (_path, message) => new ConfigError('OPTION_INVALID', 'descriptors', undefined, message),
  });
}

/** What the service for other languages reads: its options, bodies of its routes, and its part of a file of policies. */
export const server: readonly Table[] = [
  {
    name: 'serve',
    rows: SERVE_ROWS,
    right,
    values: {
      file: ['limits.yaml'],
      secret: [right.secret],
      formerSecrets: [[], [right.secret]],
      store: [store],
      fleet: ['limits', false],
      tokens,
      dashboardTokens: tokens,
      listen: [{ http: 0 }, { grpc: false }],
      bounds: [{}],
      tls: [{ cert: pem, key: pem }],
      limiters: [{ prefix: 'rl' }],
      keys: [{ tenant: () => 'acme' }],
    },
    make: readServeOptions,
  },
  within('listen', LISTEN_ROWS, {
    values: { host: ['::1'], http: [0, false], grpc: [65_535], operations: [6_070] },
  }),
  within('bounds', BOUND_ROWS),
  within('tls', TLS_ROWS, {
    right: { cert: pem, key: pem },
    values: { cert: [pem], key: [Buffer.from(pem)], clientCa: [pem] },
  }),
  bodyOf('POST /check', CHECK_ROWS, {
    right: { limiter: 'api' },
    values: { request: [{ ip: '203.0.113.7' }], identities: [{ tenant: 'acme' }, { tenant: 7 }] },
  }),
  {
    name: 'POST /check, its request',
    rows: REQUEST_ROWS,
    values: {
      ip: ['203.0.113.7', '2001:db8::1'],
      method: ['GET'],
      headers: [{ 'x-api-key': 'a' }],
      auth: [{ sub: 'ada' }],
      user: [{ id: 'ada' }],
    },
    make: (request) => answer('POST /check', { limiter: 'api', request }),
  },
  bodyOf('POST /refund', REFUND_ROWS, { right: { receipt: 'a' }, values: { units: [1, { tokens: 2 }] } }),
  bodyOf('POST /settle', SETTLE_ROWS, { right: { receipt: 'a', cost: 1 }, values: { cost: [0, { tokens: 2 }] } }),
  bodyOf('POST /release', RECEIPT_ROWS, { right: { receipt: 'a' } }),
  {
    name: 'extensions.server',
    rows: PART_ROWS,
    values: { descriptors: [[]], identities: [['tenant']], receiptHeader: ['x-sluice-receipt'] },
    make: rulesOf,
  },
  {
    name: 'a rule of extensions.server',
    rows: RULE_ROWS,
    right: { tier: 'tenant-hour', from: ['tenant'] },
    values: { from: [['tenant'], ['tenant', 'path=/']], kind: ['tenant'] },
    make: (rule) => rulesOf({ descriptors: [rule] }),
  },
];
