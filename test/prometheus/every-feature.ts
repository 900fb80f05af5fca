import { createLimiter, createWebGate, type Limiter, type Store, type Tier } from '@sluice/http';
import { ipList } from '@sluice/http/lists';
import { createDashboard } from '@sluice/dashboard';
import { shedder } from '@sluice/overload';
import { line } from '@sluice/overload/line';
import { queueDelay } from '@sluice/overload/queues';
import { openPolicies, type Policies } from '@sluice/policies';
import { overridesOf } from '@sluice/policies/overrides';
import { balance, exportUsage, notices, usage } from '@sluice/quotas';
import { measure } from '../../packages/core/src/measures/measures.js';
import { countCall, serverMeasures } from '../../packages/server/src/operations/server-measures.js';
import { fileOfPolicies } from './file-of-policies.js';

/** A program that uses each feature that has metrics. */
export interface EveryFeature {
  readonly limiter: Limiter<object>;
  /** For the options of metrics. */
  readonly measured: {
    readonly watch: readonly { name: string; limiter: Limiter<object>; identity: string }[];
    readonly policies: { readonly limits: Policies<never> };
  };
  /** A request that is told a moment if it is denied, and a call of the service: no ratio of no calls is a number. */
  use(): Promise<void>;
  stop(): Promise<void>;
}

interface Parts {
  readonly store: Store;
  /** In Redis, for a list of addresses. */
  readonly shared: Store;
  readonly tiers?: readonly Tier<object>[];
}

const key = () => 'all';
const lined = line<object>({ longest: '1h', by: () => 'worker' });

export async function openEveryFeature({ store, shared, tiers = [] }: Parts): Promise<EveryFeature> {
  const limiter = createLimiter<object>({
    store,
    tiers: [
      ...tiers,
      { name: 'trial', key, limit: 5, window: '1h', mode: 'shadow' },
      {
        name: 'month',
        key,
        algorithm: 'fixed-window',
        limit: 1e9,
        period: 'month',
        notices: notices(0.9),
        usage: usage(),
      },
      { name: 'running', key, algorithm: 'concurrency', limit: 10_000 },
      { name: 'credits', key, algorithm: balance({ covers: ['trial'], lowBalance: [1] }) },
    ],
  });
  overridesOf(limiter).set({ tier: 'trial', identity: 'all', limit: 9, reason: 'a try' });
  const blocked = ipList({ name: 'blocked', store: shared });
  await blocked.ready();
  const policies = await openPolicies<never>(fileOfPolicies());
  const billing = exportUsage(store, { sink: () => undefined });
  await billing.run();
  const dashboard = createDashboard({ store, authorize: true, readOnly: false });
  // A service is a process of its own.
  measure(serverMeasures);
  const tier = { name: 'shared', key, algorithm: 'token-bucket', limit: 3, window: '1h', line: lined } as const;
  const workers = createLimiter<object>({ store, tiers: [tier] });
  return {
    limiter,
    measured: { watch: [{ name: 'partner', limiter, identity: 'all' }], policies: { limits: policies } },
    async use() {
      countCall('grpc', 'ok');
      await workers.consume({});
    },
    async stop() {
      dashboard.close();
      blocked.close();
      policies.close();
      await billing.close();
    },
  };
}

/** A shedder measures while requests come, and a queue while somebody waits. */
export async function overload(): Promise<void> {
  const database = queueDelay('database', { max: 1 });
  for (const _ of [1, 2]) database.wait(() => new Promise(() => {})).catch(() => {});
  const gate = createWebGate({ limit: 9, window: '1m', shed: shedder() });
  await gate.run(new Request('http://localhost/'), { ip: '203.0.113.7' }, () => new Response('hello'));
}
