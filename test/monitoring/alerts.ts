import { measuredFeatures } from './features/features.js';
import { anyNamesOf, namesOf, type Settings } from './settings.js';

/** An alert: a number that is above its bound, for some time. */
export interface Alert {
  readonly name: string;
  /** `page`: at once, at night too. `ticket`: in working hours. `info`: to know. */
  readonly severity: 'page' | 'ticket' | 'info';
  /** An expression of the number. */
  readonly value: string;
  readonly above: number;
  /** Comparisons that must hold as well. */
  readonly and?: readonly Comparison[];
  /** How long it must be above. @default not at all */
  readonly for?: string;
  /** What is happening, in a sentence. */
  readonly summary: string;
  /** What to do, in a sentence. */
  readonly action: string;
}

export interface Comparison {
  readonly value: string;
  readonly above: number | string;
}

/** The alerts on metrics of Sluice. */
export function sluiceAlerts(settings: Settings): readonly Alert[] {
  const name = namesOf(settings);
  const decisions = name('sluice.decisions');
  const outcomes = name('sluice.tier.outcomes');
  const operations = name('sluice.degraded.operations');
  const duration = name('sluice.call.duration');
  const time = name('sluice.degraded.time');
  const usage = `{sluice_store_part=~"memory|local"}`;
  // Twice a usual interval of scrapes at least. An outage of seconds leaves it before `for` has passed.
  const shareOf = (part: string) => `${perSecond(part, '2m')}\n/ ${perSecond(decisions, '2m')}`;
  const deniedShare = (offset = '') => {
    const denied = perSecond(`${decisions}{sluice_reason=~"denied|never"}`, '10m', offset);
    return `${denied}\n/ ${perSecond(decisions, '10m', offset)}`;
  };
  const ofTier = (labels: string, window: string) =>
    `sum by (job, sluice_tier) (rate(${outcomes}{${labels}, sluice_shadow="false"}[${window}]))`;
  return [
    {
      name: 'SluiceConfigFault',
      severity: 'page',
      value: `sum by (job) (increase(${name('sluice.config.faults')}[5m]))`,
      above: 0,
      summary: 'Redis refuses {{ $labels.job }} until a configuration changes.',
      action:
        'Read the warning SLUICE_REDIS_REFUSES in the log, and correct the password, right or certificate it names.',
    },
    {
      name: 'SluiceUnavailable',
      severity: 'page',
      value: shareOf(`${decisions}{sluice_reason="unavailable"}`),
      above: settings.degraded,
      for: '2m',
      summary: '{{ $labels.job }} answers requests with 503, because it cannot reach Redis.',
      action: 'Repair Redis, or change onStoreFailure if 503 hurts more than no limit.',
    },
    {
      name: 'SluiceUnlimited',
      severity: 'page',
      value: shareOf(`${operations}{sluice_operation="consume", sluice_fallback="allow"}`),
      above: settings.degraded,
      for: '2m',
      summary: '{{ $labels.job }} admits requests without a limit, because it cannot reach Redis.',
      action: 'Repair Redis, and watch what the limits protect until then.',
    },
    {
      name: 'SluiceDegraded',
      severity: 'page',
      value: shareOf(`${operations}{sluice_operation="consume"}`),
      above: settings.degraded,
      for: '2m',
      summary: '{{ $labels.job }} decides without Redis.',
      action: 'Repair Redis: limits are per process until it answers again.',
    },
    {
      name: 'SluiceKeysUnreadable',
      severity: 'page',
      value: `sum by (job) (increase(${operations}{error_type="STORE_KEY_UNREADABLE"}[5m]))`,
      above: 0,
      summary: 'Redis has keys of {{ $labels.job }} that it cannot read, so that each process limits them for itself.',
      action:
        'Find what else writes these keys: another program, a copy of another database, or a build of another form.',
    },
    {
      name: 'SluiceDegradedBudget',
      severity: 'ticket',
      // Per process, however many come and go.
      value: `sum by (job) (increase(${time}[30d]))\n/ avg_over_time(count by (job) (${time})[30d:1h])`,
      above: settings.degradedTime * 30 * 86_400,
      summary: '{{ $labels.job }} has worked without Redis for more of 30 days than allowed.',
      action: 'Find the outages in the panel Time without the store, and repair their cause.',
    },
    {
      name: 'SluiceBreakerFlaps',
      severity: 'ticket',
      value: `max by (job) (changes(${name('sluice.breaker.open')}[15m]))`,
      above: 6,
      summary: 'Redis fails and recovers again and again for a process of {{ $labels.job }}.',
      action: 'Look for a server that restarts, a full memory, or a network that loses packets.',
    },
    {
      name: 'SluiceLateReplies',
      severity: 'ticket',
      value: `${perSecond(name('sluice.late.requests'), '10m')}\n/ ${perSecond(`${name('sluice.call.requests')}_sum`, '10m')}`,
      above: 1e-4,
      for: '10m',
      summary: 'Redis answers {{ $labels.job }} after the deadline, so that requests may be counted twice.',
      action: 'Look for slow commands, a busy event loop or a slow network; or lengthen the deadline.',
    },
    {
      name: 'SluiceRedisSlow',
      severity: 'ticket',
      value: `histogram_quantile(0.99, sum by (job, le) (rate(${duration}_bucket[5m])))`,
      above: settings.deadline / 5,
      for: '10m',
      summary: 'One in a hundred calls of {{ $labels.job }} to Redis takes more than a fifth of the deadline.',
      action: 'Look for slow commands, a busy event loop or a slow network, before calls fail.',
    },
    ...measuredFeatures.flatMap(({ alerts }) => alerts(anyNamesOf(settings), settings)),
    {
      name: 'SluiceDenialsSurge',
      severity: 'ticket',
      value: deniedShare(),
      above: settings.denied,
      and: [
        { value: deniedShare(), above: `3 * (${deniedShare(' offset 1d')})` },
        { value: perSecond(`${decisions}{sluice_reason=~"denied|never"}`, '10m'), above: 1 },
      ],
      for: '10m',
      summary: '{{ $labels.job }} denies three times the part of its requests that it denied a day ago.',
      action: 'See in the row Tiers whether one client causes it, or a release of a client or of your limits.',
    },
    {
      name: 'SluiceOneIdentity',
      severity: 'info',
      value: `max by (job, sluice_tier) (${name('sluice.top.share')}{sluice_rank="1"})`,
      above: 0.5,
      and: [{ value: ofTier('sluice_outcome=~"over|never"', '5m'), above: 10 }],
      for: '10m',
      summary: 'One client causes most denials of the tier {{ $labels.sluice_tier }} of {{ $labels.job }}.',
      action: 'Find it in the log of your requests; the limit holds it back, so nothing else needs to be done.',
    },
    {
      name: 'SluiceTierTight',
      severity: 'info',
      value: `${ofTier('sluice_outcome=~"near|over"', '30m')}\n/ ${ofTier('sluice_outcome!=""', '30m')}`,
      above: 0.2,
      for: '30m',
      summary:
        'A fifth of the requests in the tier {{ $labels.sluice_tier }} of {{ $labels.job }} is near its limit or over it.',
      action: 'Ask whether the limit suits its clients: it is the pace at which they live.',
    },
    {
      name: 'SluiceListStale',
      severity: 'page',
      // Of one process: failures of another one say nothing of it.
      value: `max by (job, sluice_list) (${name('sluice.list.overdue')})`,
      above: 60,
      for: '2m',
      summary: 'A process of {{ $labels.job }} cannot read the list of addresses {{ $labels.sluice_list }}.',
      action: 'Read the warning SLUICE_LIST_STALE or SLUICE_LIST_NOT_LOADED in its log, and repair Redis.',
    },
    {
      name: 'SluiceListLost',
      severity: 'ticket',
      value: `max by (job, sluice_list) (increase(${name('sluice.list.losses')}[10m]))`,
      above: 0,
      summary: 'Redis has lost changes of the list of addresses {{ $labels.sluice_list }} of {{ $labels.job }}.',
      action: 'Compare the list with what it should have, and find out why Redis has lost data: counters are lost too.',
    },
    {
      name: 'SluicePoliciesOutdated',
      severity: 'ticket',
      // Redis may be away for a moment, and a file half written.
      value: `max by (job, sluice_policies) (${name('sluice.policies.outdated')})`,
      above: 0,
      for: '5m',
      summary:
        'A process of {{ $labels.job }} does not have the newest policies {{ $labels.sluice_policies }} in force.',
      action: 'Run sluice policies status, or read the warning SLUICE_POLICIES_REJECTED in its log.',
    },
    {
      name: 'SluiceUsageExportOld',
      severity: 'ticket',
      // Each process has it from the store, so that a start does not begin it again.
      value: `max by (job, sluice_store) (${name('sluice.usage.export.age')})`,
      above: settings.exportAge,
      for: '5m',
      summary: 'The usage that {{ $labels.job }} counts in the store {{ $labels.sluice_store }} is not exported.',
      action: 'Read the problem in status() of the export. Rows stay due for 62 days: until then none is lost.',
    },
    {
      name: 'SluiceKeysNearBound',
      severity: 'ticket',
      // A full deny cache or lease table only costs calls to Redis.
      value: `max by (job, sluice_store, sluice_store_part) (\n  ${name('sluice.store.key.usage')}${usage} / ${name('sluice.store.key.limit')}${usage}\n)`,
      above: 0.9,
      for: '15m',
      summary:
        'The store {{ $labels.sluice_store }} of {{ $labels.job }} has nearly as many keys in memory as it can hold.',
      action: 'Raise maxKeys, or use Redis: a full store forgets clients that have used little.',
    },
  ];
}

const KEYS = 'sum by (job, instance) (redis_db_keys)';

/** The alerts on the Redis of the limits, by the names of redis_exporter. */
export const redisAlerts: readonly Alert[] = [
  {
    name: 'SluiceRedisMemory',
    severity: 'ticket',
    value: 'redis_memory_used_bytes / (redis_memory_max_bytes > 0)',
    above: 0.75,
    for: '5m',
    summary: 'The Redis {{ $labels.instance }} has used three quarters of its maxmemory.',
    action: 'Give it more memory: a full Redis refuses writes, and onStoreFailure then decides.',
  },
  {
    name: 'SluiceRedisEvicts',
    severity: 'page',
    value: 'increase(redis_evicted_keys_total[5m])',
    above: 0,
    summary: 'The Redis {{ $labels.instance }} removes keys, so that clients get more than their limits.',
    action: 'Set maxmemory-policy to noeviction, and give it more memory.',
  },
  {
    name: 'SluiceRedisReplicaLags',
    severity: 'ticket',
    value: 'max by (job, instance) (redis_connected_slave_lag_seconds)',
    above: 10,
    for: '5m',
    summary: 'A replica of the Redis {{ $labels.instance }} is more than 10 seconds behind.',
    action: 'Look at its load and network: a failover now would forget what it has not got.',
  },
  {
    name: 'SluiceRedisKeys',
    severity: 'ticket',
    value: `${KEYS} / ${KEYS.replace('keys', 'keys offset 1d')}`,
    above: 2,
    // A small Redis doubles on any morning.
    and: [{ value: KEYS, above: 100_000 }],
    for: '15m',
    summary: 'The Redis {{ $labels.instance }} has more than twice as many keys as a day ago.',
    action: 'Run sluice keys: a key that clients can choose makes a new budget for each value that they send.',
  },
  {
    name: 'SluiceRedisBusy',
    severity: 'ticket',
    // Scripts run in the main thread, which has one core.
    value: 'rate(redis_cpu_user_main_thread_seconds_total[5m])\n+ rate(redis_cpu_sys_main_thread_seconds_total[5m])',
    above: 0.7,
    for: '10m',
    summary: 'The main thread of the Redis {{ $labels.instance }} is busy for more than 70 % of the time.',
    action: 'Give hot keys a lease, or spread the limits over a Cluster. At 100 % requests wait for their deadline.',
  },
];

/** The condition of an alert, as Prometheus reads it. */
export function conditionOf({ value, above, and = [] }: Alert): string {
  return [{ value, above }, ...and].map((each) => `${each.value}\n> ${each.above}`).join('\nand\n');
}

function perSecond(series: string, window: string, offset = ''): string {
  return `sum by (job) (rate(${series}[${window}]${offset}))`;
}
