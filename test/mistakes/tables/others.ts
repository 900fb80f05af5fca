import { createLimiter, memoryStore } from '@sluice/http';
import { collectMetrics } from '@sluice/metrics';
import { startTraces } from '@sluice/opentelemetry';
import { sentTimes, shedder } from '@sluice/overload';
import { fairBy } from '@sluice/overload/fair';
import { line } from '@sluice/overload/line';
import { deadline, keptPriority, queueDelay, retryBudget } from '@sluice/overload/queues';
import { openPolicies, redisPolicies } from '@sluice/policies';
import { overridesOf } from '@sluice/policies/overrides';
import { balance, endGrants, exportUsage, type GrantEndsOptions, type UsageExportOptions } from '@sluice/quotas';
import { openMeter, stripeMeter, usageTable } from '@sluice/quotas/billing';
import { ASYNC_ROWS, checkAsyncOptions } from '../../../packages/nestjs/src/limits/options.js';
import { checkedOptions, DASHBOARD_ROWS } from '../../../packages/dashboard/src/dashboard-options.js';
import { SUPPORT_ROWS } from '../../../packages/dashboard/src/support-bounds.js';
import { METRICS_ROWS, WATCH_ROWS } from '../../../packages/metrics/src/metrics.js';
import { TRACES_ROWS } from '../../../packages/opentelemetry/src/start-traces.js';
import { FAIR_ROWS } from '../../../packages/overload/src/fair/fair-by.js';
import { LINE_ROWS } from '../../../packages/overload/src/line/line.js';
import { QUEUE_ROWS } from '../../../packages/overload/src/queues/queue-options.js';
import { RETRY_ROWS } from '../../../packages/overload/src/queues/retry-budget.js';
import { DEADLINE_ROWS as CLIENT_ROWS } from '../../../packages/overload/src/queues/deadline.js';
import { KEPT_ROWS } from '../../../packages/overload/src/queues/kept-priority.js';
import { SENT_ROWS } from '../../../packages/overload/src/shed/sent-times.js';
import { SHEDDER_ROWS } from '../../../packages/overload/src/shed/shedder-options.js';
import { AUTHOR_ROWS } from '../../../packages/policies/src/audit/act.js';
import { readAuthor } from '../../../packages/policies/src/audit/reset-client.js';
import { FLEET_ROWS, RedisPolicies } from '../../../packages/policies/src/fleet/redis-policies.js';
import { POLICIES_ROWS } from '../../../packages/policies/src/open-policies.js';
import { OPERATOR_ROWS, operatorPolicies } from '../../../packages/policies/src/operator-policies.js';
import { OVERRIDE_ROWS } from '../../../packages/policies/src/overrides/read-override.js';
import { OPEN_METER_ROWS } from '../../../packages/quotas/src/billing/open-meter.js';
import { STRIPE_ROWS } from '../../../packages/quotas/src/billing/stripe-meter.js';
import { TABLE_ROWS } from '../../../packages/quotas/src/billing/usage-table.js';
import { BALANCE_ROWS } from '../../../packages/quotas/src/credits/balance-option.js';
import { GRANT_ENDS_ROWS } from '../../../packages/quotas/src/ends/end-grants.js';
import { EXPORT_ROWS } from '../../../packages/quotas/src/usage/export-usage.js';
import { checkOptions, REDIS_ROWS, SERVER_ROWS } from '../../../packages/redis/src/client/redis-options.js';
import { DEADLINE_ROWS, readDeadlines } from '../../../packages/redis/src/shared-batcher.js';
import type { Table } from '../table.js';

const key = () => 'ada';
const store = memoryStore();
const limiter = createLimiter({ name: 'one', key, limit: 5, window: '1m', store });
const url = 'redis://127.0.0.1:6379';
const database = queueDelay('database');
const client = { query: async () => ({ rows: [] }) };
const sent = { header: 'x-request-start', from: ['10.0.0.0/8'] };

/** What stands beside limiters. */
export const others: readonly Table[] = [
  {
    name: 'collectMetrics',
    rows: METRICS_ROWS,
    values: {
      near: [0.5],
      stores: [{ main: store }],
      policies: [{ all: { status: key } }],
      watch: [[]],
      clock: [Date.now],
    },
    make: (options) => collectMetrics(options).stop(),
  },
  {
    name: 'an identity that metrics watch',
    rows: WATCH_ROWS,
    right: { name: 'one', limiter, identity: 'ada' },
    values: { limiter: [limiter] },
    make: (watched) => collectMetrics({ watch: [watched] }).stop(),
  },
  { name: 'startTraces', rows: TRACES_ROWS, make: (options) => startTraces(options)() },
  {
    name: 'shedder',
    rows: SHEDDER_ROWS,
    values: { features: [[], [database, deadline('2s')]] },
    make: (options) => void shedder(options),
  },
  {
    name: 'sentTimes',
    rows: SENT_ROWS,
    right: sent,
    values: { header: ['x-start'], from: ['unix', ['loopback']] },
    make: (options) => sentTimes(options),
  },
  {
    name: 'keptPriority',
    rows: KEPT_ROWS,
    right: { from: ['10.0.0.0/8'] },
    values: { header: ['x-order'], from: ['unix', ['loopback']] },
    make: (options) => keptPriority(options),
  },
  {
    name: 'deadline',
    rows: CLIENT_ROWS,
    right: { time: '2s' },
    make: ({ time }: { readonly time: string }) => deadline(time),
  },
  {
    name: 'queueDelay',
    rows: QUEUE_ROWS,
    right: { name: 'database' },
    values: { name: ['upstream.1'] },
    make: ({ name, ...options }: { readonly name: string }) => queueDelay(name, options),
  },
  { name: 'retryBudget', rows: RETRY_ROWS, values: { budget: [0.5] }, make: (options) => retryBudget(options) },
  {
    name: 'fairBy',
    rows: FAIR_ROWS,
    right: { by: key },
    make: ({ by, ...options }: { readonly by: never }) => fairBy(by, options),
  },
  { name: 'line', rows: LINE_ROWS, right: { longest: '5m' }, make: (options) => line(options) },
  {
    name: 'balance',
    rows: BALANCE_ROWS,
    rightFor: { split: { covers: ['month'] } },
    values: { covers: [['month']], lowBalance: [[1_000, 100]] },
    make: (options) => balance(options),
  },
  {
    name: 'exportUsage',
    rows: EXPORT_ROWS,
    right: { store, sink: key },
    values: { store: [store], source: ['eu'] },
    make: ({ store: given, ...options }: { readonly store: never } & UsageExportOptions) =>
      void exportUsage(given, options).close(),
  },
  {
    name: 'endGrants',
    rows: GRANT_ENDS_ROWS,
    right: { store },
    values: { store: [store] },
    make: ({ store: given, ...options }: { readonly store: never } & GrantEndsOptions) =>
      void endGrants(given, options).close(),
  },
  {
    name: 'stripeMeter',
    rows: STRIPE_ROWS,
    right: { key: 'rk_test', meter: 'requests', customer: key },
    values: { key: ['rk_test'], meter: ['requests'], url: ['http://127.0.0.1:80', 'https://example.com/stripe/'] },
    make: (options) => void stripeMeter(options),
  },
  {
    name: 'usageTable',
    rows: TABLE_ROWS,
    right: { client },
    values: { client: [client], table: ['usage', 'billing.usage'] },
    make: (options) => void usageTable(options),
  },
  {
    name: 'openMeter',
    rows: OPEN_METER_ROWS,
    right: { table: usageTable({ client }), type: 'requests' },
    values: {
      table: [usageTable({ client })],
      type: ['requests'],
      source: ['sluice'],
      token: ['om_test'],
      url: ['http://127.0.0.1:80'],
    },
    make: (options) => void openMeter(options),
  },
  {
    name: 'createDashboard',
    rows: DASHBOARD_ROWS,
    right: { store, authorize: key },
    rightFor: { overrides: { readOnly: false } },
    values: {
      store: [store],
      authorize: [true, key],
      overrides: [{ set: key, remove: key }],
      support: [{ lasts: '30d' }],
      clock: [Date.now],
    },
    make: (options) => checkedOptions(options),
  },
  {
    name: 'the bounds of support',
    rows: SUPPORT_ROWS,
    make: (support) => checkedOptions({ store, authorize: key, support }),
  },
  { name: 'forRootAsync', rows: ASYNC_ROWS, right: { useFactory: key }, make: checkAsyncOptions },
  {
    name: 'openPolicies',
    rows: POLICIES_ROWS,
    right: { file: '/nowhere/limits.yaml' },
    values: { file: ['limits.yaml'], features: [[]], fleet: [Object.create(RedisPolicies.prototype)] },
    make: ({ file, ...options }: { readonly file: never }) => openPolicies(file, options),
  },
  {
    name: 'redisPolicies',
    rows: FLEET_ROWS,
    values: { name: ['limits'] },
    make: (options) => redisPolicies(store, options),
  },
  {
    name: 'operatorPolicies',
    rows: OPERATOR_ROWS,
    right: { store },
    values: {
      store: [store],
      name: ['limits'],
      secret: ['pepper'],
      prefix: ['rl'],
      partitioned: [['api']],
    },
    make: (options) => operatorPolicies('/nowhere/limits.yaml', options),
  },
  {
    name: 'an act',
    rows: AUTHOR_ROWS,
    values: { by: ['ada'], reason: ['ticket'], id: ['call-1'] },
    make: (options) => readAuthor('override', options),
  },
  {
    name: 'an override',
    rows: OVERRIDE_ROWS,
    right: { tier: 'one', identity: 'ada', limit: 5, reason: 'ticket 4711' },
    values: {
      identity: ['bob', 7],
      partition: ['bob'],
      limit: [3],
      until: ['2099-01-31'],
      reason: ['ticket'],
      by: ['ada'],
    },
    make: (options) => overridesOf(limiter).check(options),
  },
  {
    name: 'redisStore',
    rows: REDIS_ROWS,
    rightFor: { connection: { url }, name: { sentinels: [{ host: 'h' }] }, sentinels: { name: 'primary' } },
    values: { url: [url], sentinels: [[{ host: 'h' }]], cluster: [[url]], connection: [{}], name: ['primary'] },
    make: (options) => checkOptions(options, []),
  },
  {
    name: 'a node of a Cluster',
    rows: SERVER_ROWS,
    right: { host: 'h', port: 6379 },
    values: { host: ['h'] },
    make: (node) => checkOptions({ cluster: [node] }, []),
  },
  { name: 'redisStore, its deadlines', rows: DEADLINE_ROWS, make: readDeadlines },
];
