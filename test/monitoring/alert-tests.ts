import { stringify } from 'yaml';
import { redisAlerts, sluiceAlerts, type Alert } from './alerts.js';
import { annotationsOf } from './rule-file.js';
import { defaults } from './settings.js';

type Labels = Readonly<Record<string, string>>;

interface Case {
  readonly name: string;
  /** Numbers of each series in the notation of promtool: `0+5x10` adds 5 ten times. */
  readonly series: Readonly<Record<string, string>>;
  /** @default 15s */
  readonly interval?: string;
  /** The alerts with their labels; none else fires. */
  readonly fires: Readonly<Record<string, Labels>>;
  /** When. */
  readonly at: readonly string[];
}

const job = { job: 'shop' };
const tier = { ...job, sluice_tier: 'api' };
const LATER = '20m';

/** 100 decisions a second, a part of which has another reason. */
function decisions(others: string, reason = 'unavailable') {
  return {
    [series('sluice_decisions_total', `sluice_reason="ok"`)]: '0+1500x200',
    [series('sluice_decisions_total', `sluice_reason="${reason}"`)]: others,
  };
}

function degraded(fallback: string, values: string) {
  const labels = `sluice_operation="consume", sluice_fallback="${fallback}"`;
  return { ...decisions('0x200'), [series('sluice_degraded_operations_total', labels)]: values };
}

function outcomes(within: string, near: string, over: string, shadow = 'false') {
  const of = (outcome: string) =>
    series('sluice_tier_outcomes_total', `sluice_tier="api", sluice_outcome="${outcome}", sluice_shadow="${shadow}"`);
  return { [of('within')]: within, [of('near')]: near, [of('over')]: over };
}

/** Calls of which some are slower than 10 ms, in 15 s each. */
function calls(slow: number) {
  const of = (le: string) =>
    series('sluice_call_duration_seconds_bucket', `sluice_call_outcome="answered", le="${le}"`);
  return { [of('0.005')]: `0+${1500 - slow}x200`, [of('0.02')]: '0+1500x200', [of('+Inf')]: '0+1500x200' };
}

function late(requests: string) {
  return { [series('sluice_late_requests_total')]: requests, [series('sluice_call_requests_sum')]: '0+1500x200' };
}

/** Decisions of each five minutes, for more than a day. */
function surge(all: string, denied: string) {
  return {
    [series('sluice_decisions_total', 'sluice_reason="ok"')]: all,
    [series('sluice_decisions_total', 'sluice_reason="denied"')]: denied,
  };
}

function share(part: string) {
  return { [series('sluice_top_share_ratio', 'sluice_tier="api", sluice_rank="1"')]: `${part}x200` };
}

function shed(requests: string) {
  return { [series('sluice_shed_requests_total', 'sluice_priority="sheddable", sluice_shadow="false"')]: requests };
}

function queueLevel(level: string) {
  return { [series('sluice_queue_level', 'sluice_queue="database"')]: level };
}

function lowBalances(cause: string, taken: string, times: string) {
  const labels = `sluice_tier="api", sluice_cause="${cause}", sluice_taken="${taken}"`;
  return { [series('sluice_balance_low_total', labels)]: times };
}

/** 100 calls a second that are answered, beside others. */
function served(others: string, result: string) {
  const of = (name: string) => series('sluice_server_calls_total', `sluice_protocol="grpc", sluice_result="${name}"`);
  return { [of('ok')]: '0+1500x200', [of(result)]: others };
}

function deskRequests(role: string, result: string, times: string) {
  const labels = `sluice_act="override", sluice_role="${role}", sluice_act_result="${result}"`;
  return { [series('sluice_desk_requests_total', labels)]: times };
}

function lineRestarts(times: string) {
  return { [series('sluice_line_restarts_total', 'sluice_tier="api"')]: times };
}

function door(left: string) {
  return { [series('sluice_door_requests_total', 'sluice_left="true"')]: left };
}

function keys(used: number, part: string) {
  const labels = `sluice_store="main", sluice_store_part="${part}"`;
  return {
    [series('sluice_store_key_usage', labels)]: `${used}x200`,
    [series('sluice_store_key_limit', labels)]: '1000x200',
  };
}

function series(name: string, labels = '', instance = 'a:80'): string {
  return `${name}{job="shop", instance="${instance}"${labels && `, ${labels}`}}`;
}

const unreadable = series(
  'sluice_degraded_operations_total',
  'sluice_operation="consume", sluice_fallback="local", error_type="STORE_KEY_UNREADABLE"',
);

/** Each half minute from 4 to 14 minutes. */
const HALF_MINUTES = Array.from({ length: 20 }, (_, index) => `${4 * 60 + index * 30}s`);
const DAY_LATER = ['1d1h'];

const cases: readonly Case[] = [
  {
    name: 'a refusal by Redis',
    series: { [series('sluice_config_faults_total')]: '0x20 1x100' },
    at: ['5m30s'],
    fires: { SluiceConfigFault: job },
  },
  {
    name: 'no refusal since an hour',
    series: { [series('sluice_config_faults_total')]: '3x240' },
    at: ['1h'],
    fires: {},
  },
  { name: '2 % of 503', series: decisions('0+30x200'), at: [LATER], fires: { SluiceUnavailable: job } },
  {
    name: '2 % of 503, scraped once a minute',
    series: decisions('0+30x200'),
    interval: '1m',
    at: [LATER],
    fires: { SluiceUnavailable: job },
  },
  { name: '0.5 % of 503', series: decisions('0+7x200'), at: [LATER], fires: {} },
  {
    name: '2 % without a limit',
    series: degraded('allow', '0+30x200'),
    at: [LATER],
    fires: { SluiceUnlimited: job, SluiceDegraded: job },
  },
  { name: '0.5 % without a limit', series: degraded('allow', '0+7x200'), at: [LATER], fires: {} },
  { name: '2 % by local limits', series: degraded('local', '0+30x200'), at: [LATER], fires: { SluiceDegraded: job } },
  { name: '0.5 % by local limits', series: degraded('local', '0+7x200'), at: [LATER], fires: {} },
  {
    name: 'a key that cannot be read',
    series: { [unreadable]: '0x20 1x100' },
    at: ['5m30s'],
    fires: { SluiceKeysUnreadable: job },
  },
  { name: 'no unreadable key since an hour', series: { [unreadable]: '3x240' }, at: ['1h'], fires: {} },
  {
    name: '50 minutes of outage in a morning',
    series: { [series('sluice_degraded_time_seconds_total')]: '0+15x200' },
    at: ['50m'],
    fires: { SluiceDegradedBudget: job },
  },
  {
    name: '40 minutes of outage that one of two processes saw',
    series: {
      [series('sluice_degraded_time_seconds_total')]: '0+15x160 2400x40',
      [series('sluice_degraded_time_seconds_total', '', 'b:80')]: '0x200',
    },
    at: ['50m'],
    fires: {},
  },
  {
    name: 'a breaker that opens every minute',
    series: { [series('sluice_breaker_open', 'sluice_store="main"')]: '0 0 1 1 '.repeat(20) },
    at: ['18m'],
    fires: { SluiceBreakerFlaps: job },
  },
  {
    name: 'a breaker that opens twice',
    series: { [series('sluice_breaker_open', 'sluice_store="main"')]: '0x20 1x4 0x4 1x4 0x40' },
    at: ['10m', '15m'],
    fires: {},
  },
  {
    name: 'late replies of 1 in 1 000 requests',
    series: late('0+1.5x200'),
    at: [LATER],
    fires: { SluiceLateReplies: job },
  },
  { name: 'late replies of 1 in 20 000 requests', series: late('0+0.075x200'), at: [LATER], fires: {} },
  {
    name: '2 requests a second that are refused',
    series: shed('0+30x200'),
    at: [LATER],
    fires: { SluiceShedding: job },
  },
  {
    name: 'a queue that stands',
    series: queueLevel('30x200'),
    at: [LATER],
    fires: { SluiceQueueStands: { ...job, sluice_queue: 'database' } },
  },
  { name: 'a queue that stood for a minute', series: queueLevel('30x4 0x196'), at: HALF_MINUTES, fires: {} },
  {
    name: '2 % of calls that the service cannot answer',
    series: served('0+30x200', 'unavailable'),
    at: [LATER],
    fires: { SluiceServerFails: job },
  },
  { name: '0.5 % of calls that fail', series: served('0+7x200', 'failed'), at: [LATER], fires: {} },
  { name: '50 % of calls over their limit', series: served('0+1500x200', 'over_limit'), at: [LATER], fires: {} },
  {
    name: 'a descriptor without a rule',
    series: served('0+1x200', 'refused'),
    at: ['30m'],
    fires: { SluiceServerRefuses: { ...job, sluice_protocol: 'grpc' } },
  },
  { name: 'a call that was wrong', series: served('0x20 1x180', 'refused'), at: ['9m', '14m', LATER], fires: {} },
  {
    name: 'a line that began again',
    series: lineRestarts('0x20 1x100'),
    at: ['5m30s'],
    fires: { SluiceLineBeganAgain: tier },
  },
  { name: 'no line that began again since an hour', series: lineRestarts('3x240'), at: ['1h'], fires: {} },
  {
    name: 'a low balance that nobody has taken',
    series: lowBalances('spent', 'no', '0x20 1x100'),
    at: ['5m30s'],
    fires: { SluiceLowBalanceNotTaken: tier },
  },
  {
    name: 'a grant that ends',
    series: lowBalances('ended', 'yes', '0x20 1x100'),
    at: ['5m30s'],
    fires: { SluiceGrantsEnd: tier },
  },
  {
    name: 'a token that asks for more than its role may',
    series: deskRequests('read', 'refused', '0x20 12x100'),
    at: ['5m30s'],
    fires: { SluiceDeskRefused: { ...job, sluice_role: 'read' } },
  },
  {
    name: 'a token that changes many clients',
    series: deskRequests('support', 'done', '0x20 120x100'),
    at: ['5m30s'],
    fires: { SluiceDeskBurst: { ...job, sluice_role: 'support' } },
  },
  {
    name: 'a day at the desk',
    series: { ...deskRequests('support', 'done', '0+1x200'), ...deskRequests('support', 'refused', '0x20 3x100') },
    at: ['5m30s', '20m'],
    fires: {},
  },
  { name: 'a low balance that was taken', series: lowBalances('spent', 'yes', '0x20 1x100'), at: ['5m30s'], fires: {} },
  {
    name: '2 clients a second that leave at the door',
    series: door('0+30x200'),
    at: [LATER],
    fires: { SluiceClientsLeave: job },
  },
  { name: 'a burst of a minute that leaves', series: door('0+30x4 120x196'), at: HALF_MINUTES, fires: {} },
  { name: 'a burst of a minute that is refused', series: shed('0+30x4 120x196'), at: HALF_MINUTES, fires: {} },
  { name: '2 % of calls above 10 ms', series: calls(30), at: [LATER], fires: { SluiceRedisSlow: job } },
  { name: '0.2 % of calls above 10 ms', series: calls(3), at: [LATER], fires: {} },
  {
    name: 'one client with most denials',
    series: { ...share('0.8'), ...outcomes('0+10000x200', '0x200', '0+300x200') },
    at: [LATER],
    fires: { SluiceOneIdentity: tier },
  },
  {
    name: 'one client with most of few denials',
    series: { ...share('0.8'), ...outcomes('0+10000x200', '0x200', '0+30x200') },
    at: [LATER],
    fires: {},
  },
  {
    name: 'many clients with denials',
    series: { ...share('0.1'), ...outcomes('0+10000x200', '0x200', '0+300x200') },
    at: [LATER],
    fires: {},
  },
  {
    name: '30 % near the limit or over it',
    series: outcomes('0+700x400', '0+200x400', '0+100x400'),
    at: ['1h10m'],
    fires: { SluiceTierTight: tier },
  },
  { name: '10 % near the limit', series: outcomes('0+900x400', '0+100x400', '0x400'), at: ['1h10m'], fires: {} },
  {
    name: '30 % over the limit of a shadow tier',
    series: outcomes('0+700x400', '0x400', '0+300x400', 'true'),
    at: ['1h10m'],
    fires: {},
  },
  {
    name: 'a store with 95 % of its keys',
    series: keys(950, 'memory'),
    at: [LATER],
    fires: { SluiceKeysNearBound: { ...job, sluice_store: 'main', sluice_store_part: 'memory' } },
  },
  {
    name: 'a list that a process cannot read',
    series: {
      [series('sluice_list_failures_total', 'sluice_store="main", sluice_list="blocked"')]: '0x20 1+1x180',
      [series('sluice_list_overdue_seconds', 'sluice_store="main", sluice_list="blocked"')]: '0x20 20+15x180',
    },
    at: [LATER],
    fires: { SluiceListStale: { ...job, sluice_list: 'blocked' } },
  },
  {
    name: 'a list that a process could not read once',
    series: {
      [series('sluice_list_failures_total', 'sluice_store="main", sluice_list="blocked"')]: '0x20 1x180',
      [series('sluice_list_overdue_seconds', 'sluice_store="main", sluice_list="blocked"')]: '0x20 5 0x180',
    },
    at: HALF_MINUTES,
    fires: {},
  },
  {
    name: 'lists that are read each 5 minutes, while another process fails now and then',
    series: {
      [series('sluice_list_failures_total', 'sluice_store="main", sluice_list="blocked"')]: '0+1x200',
      [series('sluice_list_overdue_seconds', 'sluice_store="main", sluice_list="blocked"')]: '0x20 5 0x180',
      [series('sluice_list_overdue_seconds', 'sluice_store="other", sluice_list="blocked"')]: '0x200',
    },
    at: HALF_MINUTES,
    fires: {},
  },
  {
    name: 'a list that Redis has lost',
    series: { [series('sluice_list_losses_total', 'sluice_store="main", sluice_list="blocked"')]: '0x60 1x140' },
    at: [LATER],
    fires: { SluiceListLost: { ...job, sluice_list: 'blocked' } },
  },
  {
    name: 'policies that a process refuses',
    series: { [series('sluice_policies_outdated_ratio', 'sluice_policies="limits"')]: '0x20 1x180' },
    at: [LATER],
    fires: { SluicePoliciesOutdated: { ...job, sluice_policies: 'limits' } },
  },
  {
    name: 'policies that a process could not read for a minute',
    series: { [series('sluice_policies_outdated_ratio', 'sluice_policies="limits"')]: '0x20 1x2 0x180' },
    at: HALF_MINUTES,
    fires: {},
  },
  {
    name: 'an export of usage whose sink fails',
    series: { [series('sluice_usage_export_age_seconds', 'sluice_store="main"')]: '10000+15x200' },
    at: ['45m'],
    fires: { SluiceUsageExportOld: { ...job, sluice_store: 'main' } },
  },
  {
    name: 'an export of usage whose sink has never worked, in processes that start one after the other',
    series: {
      [series('sluice_usage_export_age_seconds', 'sluice_store="main"')]: '9000+15x120',
      [series('sluice_usage_export_age_seconds', 'sluice_store="main"', 'b:80')]: '_x124 10860+15x200',
    },
    at: ['45m'],
    fires: { SluiceUsageExportOld: { ...job, sluice_store: 'main' } },
  },
  {
    name: 'an export of usage each hour, in two processes',
    series: {
      [series('sluice_usage_export_age_seconds', 'sluice_store="main"')]: '0+15x240 0+15x160',
      [series('sluice_usage_export_age_seconds', 'sluice_store="main"', 'b:80')]: '1800+15x124 0+15x276',
    },
    at: HALF_MINUTES,
    fires: {},
  },
  { name: 'a store with half of its keys', series: keys(500, 'memory'), at: [LATER], fires: {} },
  { name: 'a full deny cache', series: keys(1000, 'deny-cache'), at: [LATER], fires: {} },
  {
    name: 'a deploy: the process restarts, and cannot reach Redis for a second',
    series: {
      ...degraded('local', '0x20 50x180'),
      ...degraded('allow', '0x20 50x180'),
      [series('sluice_decisions_total', 'sluice_reason="ok"')]: '0+1500x20 1400+1500x180',
      [series('sluice_decisions_total', 'sluice_reason="unavailable"')]: '0x20 50x180',
      [series('sluice_degraded_time_seconds_total')]: '0x20 1x180',
      [series('sluice_breaker_open', 'sluice_store="main"')]: '0x20 1 0x180',
      ...calls(3),
      ...late('0x20 1x180'),
      ...keys(10, 'memory'),
      ...outcomes('0+1500x20 0+1500x180', '0x200', '0x20 20x180'),
    },
    at: HALF_MINUTES,
    fires: {},
  },
  { name: 'an outage of ten seconds', series: degraded('local', '0x20 1000x180'), at: HALF_MINUTES, fires: {} },
];

const redis = { job: 'redis', instance: 'a:9121' };
const ofRedis = (name: string) => `${name}{job="redis", instance="a:9121"}`;

const keysOf = (first: string, second = '0x312') => ({
  'redis_db_keys{job="redis", instance="a:9121", db="db0"}': first,
  'redis_db_keys{job="redis", instance="a:9121", db="db1"}': second,
});

/** Those that need a day. */
const dayCases: readonly Case[] = [
  {
    name: '20 % denied, after 3 % a day ago',
    series: surge('0+30000x312', '0+900x294 264600+7500x18'),
    interval: '5m',
    at: DAY_LATER,
    fires: { SluiceDenialsSurge: job },
  },
  {
    name: '20 % denied as a day ago',
    series: surge('0+30000x312', '0+7500x312'),
    interval: '5m',
    at: DAY_LATER,
    fires: {},
  },
  {
    name: '4 % denied, after 1 % a day ago',
    series: surge('0+30000x312', '0+300x294 88200+1200x18'),
    interval: '5m',
    at: DAY_LATER,
    fires: {},
  },
  {
    name: '20 % denied in a quiet application',
    series: surge('0+300x312', '0+5x294 1470+75x18'),
    interval: '5m',
    at: DAY_LATER,
    fires: {},
  },
  {
    name: 'three times the keys of a day ago, in two databases',
    series: keysOf('50000x294 150000x18', '50000x294 150000x18'),
    interval: '5m',
    at: DAY_LATER,
    fires: { SluiceRedisKeys: redis },
  },
  { name: 'as many keys as a day ago', series: keysOf('900000x312'), interval: '5m', at: DAY_LATER, fires: {} },
  {
    name: 'three times the few keys of a day ago',
    series: keysOf('20000x294 60000x18'),
    interval: '5m',
    at: DAY_LATER,
    fires: {},
  },
];

const busy = (user: string, system: string) => ({
  [ofRedis('redis_cpu_user_main_thread_seconds_total')]: user,
  [ofRedis('redis_cpu_sys_main_thread_seconds_total')]: system,
});

const redisCases: readonly Case[] = [
  {
    name: 'a Redis with 80 % of its memory',
    series: { [ofRedis('redis_memory_used_bytes')]: '80x200', [ofRedis('redis_memory_max_bytes')]: '100x200' },
    at: [LATER],
    fires: { SluiceRedisMemory: redis },
  },
  {
    name: 'a Redis with half of its memory',
    series: { [ofRedis('redis_memory_used_bytes')]: '50x200', [ofRedis('redis_memory_max_bytes')]: '100x200' },
    at: [LATER],
    fires: {},
  },
  {
    name: 'a Redis without a maxmemory',
    series: { [ofRedis('redis_memory_used_bytes')]: '80x200', [ofRedis('redis_memory_max_bytes')]: '0x200' },
    at: [LATER],
    fires: {},
  },
  {
    name: 'a key that was evicted',
    series: { [ofRedis('redis_evicted_keys_total')]: '0x20 1x100' },
    at: ['5m30s'],
    fires: { SluiceRedisEvicts: redis },
  },
  { name: 'no key evicted', series: { [ofRedis('redis_evicted_keys_total')]: '7x200' }, at: [LATER], fires: {} },
  {
    name: 'a replica that is half a minute behind',
    series: { 'redis_connected_slave_lag_seconds{job="redis", instance="a:9121", slave_ip="b"}': '30x200' },
    at: [LATER],
    fires: { SluiceRedisReplicaLags: redis },
  },
  {
    name: 'a replica that is a second behind',
    series: { 'redis_connected_slave_lag_seconds{job="redis", instance="a:9121", slave_ip="b"}': '1x200' },
    at: [LATER],
    fires: {},
  },
  {
    name: 'a Redis that works for 80 % of the time',
    series: busy('0+9x200', '0+3x200'),
    at: [LATER],
    fires: { SluiceRedisBusy: redis },
  },
  { name: 'a Redis that works for 40 % of the time', series: busy('0+4.5x200', '0+1.5x200'), at: [LATER], fires: {} },
];

/** Unit tests of all alerts, for promtool. */
export function alertTests(): string {
  return testFile('30s', [...cases, ...redisCases]);
}

/** Those that need a day, for which promtool would evaluate each 30 s for a minute. */
export function dayTests(): string {
  return testFile('5m', dayCases);
}

function testFile(interval: string, tests: readonly Case[]): string {
  const alerts = [...sluiceAlerts(defaults), ...redisAlerts];
  const groups = grouped(tests, ({ interval: scrapes, at }) => [scrapes, ...at].join(' '));
  const file = {
    rule_files: ['sluice-alerts.yml', 'redis-alerts.yml'],
    evaluation_interval: interval,
    tests: [...groups.values()].map((each) => testOf(each, alerts)),
  };
  return `# Made by \`npm run tool -- monitoring\`. Run it with \`promtool test rules\`.\n${stringify(file, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

/**
 * One test of cases that are looked at together: promtool evaluates all rules for each test. The job of a case is its name,
 * so that an alert of one case is not that of another.
 */
function testOf(group: readonly Case[], alerts: readonly Alert[]) {
  const { interval = '15s', at } = group[0]!;
  const fired = group.flatMap(({ name, fires }) =>
    alerts.flatMap((alert) => {
      const labels = fires[alert.name];
      return labels ? [{ alert, labels: { ...labels, job: name } }] : [];
    }),
  );
  const samples = fired.map(({ alert, labels }) => ({
    labels: `{alertname="${alert.name}", job="${labels.job}"}`,
    value: 1,
  }));
  return {
    interval,
    input_series: group.flatMap(({ name, series: numbers }) =>
      Object.entries(numbers).map(([each, values]) => ({
        series: each.replace(/job="\w+"/, `job="${name}"`),
        values: values.trim(),
      })),
    ),
    // No other alert fires.
    promql_expr_test: at.map((time) => ({
      expr: 'sum by (alertname, job) (ALERTS{alertstate="firing"})',
      eval_time: time,
      exp_samples: samples,
    })),
    alert_rule_test: at.flatMap((time) =>
      [...grouped(fired, ({ alert }) => alert.name)].map(([alertname, some]) => ({
        eval_time: time,
        alertname,
        exp_alerts: some.map(({ alert, labels }) => firedBy(alert, labels)),
      })),
    ),
  };
}

function grouped<T>(all: readonly T[], keyOf: (each: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}

function firedBy(alert: Alert, labels: Labels) {
  return {
    exp_labels: { ...labels, severity: alert.severity },
    exp_annotations: filledIn(annotationsOf(alert, defaults.guide), labels),
  };
}

/** What Prometheus makes of templates. */
function filledIn(annotations: Labels, labels: Labels): Labels {
  return Object.fromEntries(
    Object.entries(annotations).map(([name, text]) => [
      name,
      text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label]!),
    ]),
  );
}
