import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import * as bargauge from '@grafana/grafana-foundation-sdk/bargauge';
import { GraphThresholdsStyleMode, StackingMode, VizOrientation } from '@grafana/grafana-foundation-sdk/common';
import * as common from '@grafana/grafana-foundation-sdk/common';
import * as grafana from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';
import { measuredFeatures } from './features/features.js';
import { nameOfQuantile, type Panel, perSecond, quantile, selection } from './panel.js';
import { anyNamesOf, namesOf, type Names, type Settings } from './settings.js';

const datasource = { type: 'prometheus', uid: '${datasource}' };

/** The dashboard for Grafana. */
export function dashboardOf(settings: Settings): grafana.Dashboard {
  const dashboard = new grafana.DashboardBuilder('Sluice')
    .uid('sluice')
    .description('Rate limits: decisions, tiers, Redis and this process.')
    .tags(['sluice', 'rate-limit'])
    .time({ from: 'now-1h', to: 'now' })
    .refresh('30s')
    .timezone('browser')
    .tooltip(grafana.DashboardCursorSync.Crosshair)
    .readonly()
    .variables(variablesOf(namesOf(settings)));
  for (const [title, panels] of Object.entries(rowsOf(settings))) {
    dashboard.withRow(new grafana.RowBuilder(title));
    for (const panel of panels) dashboard.withPanel(panelOf(panel));
  }
  const built = dashboard.build();
  built.panels!.forEach((panel, index) => (panel.id = index + 1));
  return built;
}

function variablesOf(name: Names): Builder<grafana.VariableModel>[] {
  const labels = (variable: string, label: string, text: string, query: string) =>
    new grafana.QueryVariableBuilder(variable)
      .label(text)
      .datasource(datasource)
      .query(`label_values(${query}, ${label})`)
      .refresh(grafana.VariableRefresh.OnTimeRangeChanged)
      .multi(true)
      .includeAll(true)
      .allValue('.+')
      .current({ text: ['All'], value: ['$__all'] });
  const decisions = name('sluice.decisions');
  return [
    new grafana.DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'),
    labels('job', 'job', 'Job', decisions),
    labels('instance', 'instance', 'Instance', `${decisions}{job=~"$job"}`),
    labels('tier', 'sluice_tier', 'Tier', `${name('sluice.tier.units')}{job=~"$job", instance=~"$instance"}`),
  ];
}

/** By the names of prom-client. OpenTelemetry has others, which depend on what an application starts. */
const PROCESS: readonly Panel[] = [
  {
    title: 'CPU of the process',
    description:
      'Cores that each process uses. Compare it with the denials: an attack that is denied still costs CPU. Needs `collectDefaultMetrics` of prom-client.',
    unit: 'short',
    queries: [[`rate(process_cpu_seconds_total${selection()}[$__rate_interval])`, '{{instance}}']],
  },
  {
    title: 'Memory of the process',
    description:
      'Resident memory of each process. It must not grow with the number of clients that are denied. Needs `collectDefaultMetrics` of prom-client.',
    unit: 'bytes',
    queries: [[`process_resident_memory_bytes${selection()}`, '{{instance}}']],
  },
];

function rowsOf(settings: Settings): Readonly<Record<string, readonly Panel[]>> {
  const name = namesOf(settings);
  const anyName = anyNamesOf(settings);
  const ofTier = (...labels: string[]) => selection('sluice_tier=~"$tier"', ...labels);
  const decisions = name('sluice.decisions');
  const outcomes = name('sluice.tier.outcomes');
  const operations = name('sluice.degraded.operations');
  const duration = name('sluice.call.duration');
  const requests = name('sluice.call.requests');
  const usage = name('sluice.store.key.usage');
  const denied = 'sluice_outcome=~"over|never"';
  return {
    Now: [
      {
        title: 'Decisions',
        description: 'Decisions by reason. `unavailable` is a 503 during an outage; `never` costs more than its limit.',
        unit: 'reqps',
        as: 'areas',
        queries: [[perSecond(`${decisions}${selection()}`, 'sluice_reason'), '{{sluice_reason}}']],
      },
      {
        title: 'Denied',
        description:
          'The part of the requests that is denied. Compare it with its usual value: a 429 by itself is no fault.',
        unit: 'percentunit',
        queries: [
          [
            `${perSecond(`${decisions}${selection('sluice_reason=~"denied|never"')}`)} / ${perSecond(`${decisions}${selection()}`)}`,
            'denied',
          ],
        ],
      },
      {
        title: 'Decided without the store',
        description: 'The part of the requests that Redis could not decide. 0 in good times.',
        unit: 'percentunit',
        line: settings.degraded,
        queries: [
          [
            `${perSecond(`${operations}${selection('sluice_operation="consume"')}`, 'sluice_fallback')} / on () group_left () ${perSecond(`${decisions}${selection()}`)}`,
            '{{sluice_fallback}}',
          ],
        ],
      },
      {
        title: 'Open breakers',
        description: 'Circuit breakers that keep calls from Redis, in all processes. 0 in good times.',
        unit: 'short',
        queries: [[`sum by (sluice_store) (${name('sluice.breaker.open')}${selection()})`, '{{sluice_store}}']],
      },
      {
        title: 'Time without the store',
        description: 'The part of the time in which a process had degraded operations: the worst process.',
        unit: 'percentunit',
        queries: [[`max(rate(${name('sluice.degraded.time')}${selection()}[$__rate_interval]))`, 'worst process']],
      },
      {
        title: 'Refused by Redis',
        description: 'Refusals that last until a configuration changes: a right, a password, a certificate. 0 always.',
        unit: 'short',
        queries: [
          [
            `sum by (instance) (increase(${name('sluice.config.faults')}${selection()}[$__rate_interval]))`,
            '{{instance}}',
          ],
        ],
      },
    ],
    Tiers: [
      {
        title: 'Outcomes',
        description:
          'Requests in tiers. `near` is admitted with at most a fifth of the limit left. A balance has `paid`, or was `not-needed`.',
        unit: 'reqps',
        as: 'areas',
        queries: [[perSecond(`${outcomes}${ofTier('sluice_shadow="false"')}`, 'sluice_outcome'), '{{sluice_outcome}}']],
      },
      {
        title: 'Denials',
        description: 'Denials of each tier.',
        unit: 'reqps',
        queries: [
          [perSecond(`${outcomes}${ofTier(denied, 'sluice_shadow="false"')}`, 'sluice_tier'), '{{sluice_tier}}'],
        ],
      },
      {
        title: 'Shadow tiers would deny',
        description: 'Requests that tiers in shadow mode would deny if they were enforced.',
        unit: 'reqps',
        queries: [
          [perSecond(`${outcomes}${ofTier(denied, 'sluice_shadow="true"')}`, 'sluice_tier'), '{{sluice_tier}}'],
        ],
      },
      {
        title: 'Units',
        description: 'Units that each tier charges, and those that balances pay.',
        unit: 'ops',
        queries: [
          [perSecond(`${name('sluice.tier.units')}${ofTier()}`, 'sluice_tier'), '{{sluice_tier}}'],
          [perSecond(`${name('sluice.balance.spent')}${ofTier()}`, 'sluice_tier'), '{{sluice_tier}} pays'],
        ],
      },
      {
        title: 'Limits',
        description: 'The limit of each tier in units of its window: the highest of the chosen instances.',
        unit: 'short',
        as: 'bars',
        queries: [[`max by (sluice_tier) (${name('sluice.tier.limit')}${ofTier()})`, '{{sluice_tier}}']],
      },
      {
        title: 'Overridden limits',
        description: 'How many identities of a tier have a limit of their own: the highest of the chosen instances.',
        unit: 'short',
        as: 'bars',
        queries: [[`max by (sluice_tier) (${name('sluice.tier.overrides')}${ofTier()})`, '{{sluice_tier}}']],
      },
      {
        title: 'Notices',
        description: 'Clients that have used a part of their limit of which the tier gives notice.',
        unit: 'short',
        as: 'bars',
        queries: [
          [
            `sum by (sluice_tier) (increase(${name('sluice.tier.notices')}${ofTier()}[$__rate_interval]))`,
            '{{sluice_tier}}',
          ],
        ],
      },
      {
        title: 'Age of the export of usage',
        description:
          'Seconds that the oldest usage waits to be exported, since its hour has ended. Below an hour and some minutes in good times.',
        unit: 's',
        line: settings.exportAge,
        queries: [[`max by (sluice_store) (${name('sluice.usage.export.age')}${selection()})`, '{{sluice_store}}']],
      },
      {
        title: 'Given back',
        description: 'Units that refunds and settlements give back, in all tiers.',
        unit: 'ops',
        queries: [[perSecond(`${name('sluice.refund.units')}${selection()}`), 'given back']],
      },
      {
        title: 'Waits in queues',
        description: 'How long delayed requests wait for their turn. Requests without a wait are left out.',
        unit: 's',
        queries: ['0.5', '0.99'].map((part) => [
          quantile(part, `${name('sluice.tier.delay')}_bucket${ofTier()}`, 'sluice_tier'),
          `{{sluice_tier}}, ${nameOfQuantile(part)}`,
        ]),
      },
      {
        title: 'Shares of denied clients',
        description: 'What part of the denials of a minute the most denied clients have. Needs the option `top`.',
        unit: 'percentunit',
        as: 'bars',
        queries: [
          [
            `max by (sluice_tier, sluice_rank) (${name('sluice.top.share')}${ofTier()})`,
            '{{sluice_tier}}, {{sluice_rank}}',
          ],
        ],
      },
      {
        title: 'Watched clients',
        description: 'What part of its limit each watched identity has used. Needs the option `watch`.',
        unit: 'percentunit',
        as: 'bars',
        queries: [
          [
            `max by (sluice_watched, sluice_tier) (${name('sluice.watched.utilization')}${ofTier()})`,
            '{{sluice_watched}}, {{sluice_tier}}',
          ],
        ],
      },
    ],
    Redis: [
      {
        title: 'Time of calls',
        description: 'How long calls to Redis take. The line is the deadline.',
        unit: 's',
        line: settings.deadline,
        queries: ['0.5', '0.99'].map((part) => [
          quantile(part, `${duration}_bucket${selection()}`),
          nameOfQuantile(part),
        ]),
      },
      {
        title: 'Calls',
        description: 'Calls to Redis by outcome. Failed and late ones are 0 in good times.',
        unit: 'ops',
        queries: [
          [
            perSecond(`${duration}_count${selection()}`, 'sluice_call_outcome, error_type'),
            '{{sluice_call_outcome}} {{error_type}}',
          ],
        ],
      },
      {
        title: 'Requests in a call',
        description: 'How many requests share a call on average. More under load, which is cheaper.',
        unit: 'short',
        queries: [
          [
            `${perSecond(`${requests}_sum${selection()}`)} / ${perSecond(`${requests}_count${selection()}`)}`,
            'requests',
          ],
        ],
      },
      {
        title: 'Late requests',
        description: 'Requests in calls without a reply in time: at most so many were counted twice.',
        unit: 'reqps',
        queries: [[perSecond(`${name('sluice.late.requests')}${selection()}`, 'instance'), '{{instance}}']],
      },
      {
        title: 'Degraded operations',
        description: 'Operations that Redis could not answer, what happened instead, and why. 0 in good times.',
        unit: 'ops',
        queries: [
          [
            perSecond(`${operations}${selection()}`, 'sluice_operation, sluice_fallback, error_type'),
            '{{sluice_operation}}, {{sluice_fallback}}, {{error_type}}',
          ],
        ],
      },
    ],
    Process: [
      ...(settings.names === 'otlp' ? PROCESS : []),
      ...measuredFeatures.flatMap(({ panels }) => panels(anyName)),
      {
        title: 'Keys in memory',
        description: 'How full the tables of the fullest process are.',
        unit: 'percentunit',
        queries: [
          [
            `max by (sluice_store, sluice_store_part) (${usage}${selection()} / ${name('sluice.store.key.limit')}${selection()})`,
            '{{sluice_store}}, {{sluice_store_part}}',
          ],
        ],
      },
      {
        title: 'Overdue lists',
        description:
          'Seconds since a refresh of a list of addresses was due, in the process that is furthest behind. 0: all are current.',
        unit: 's',
        queries: [[`max by (sluice_list) (${name('sluice.list.overdue')}${selection()})`, '{{sluice_list}}']],
      },
      {
        title: 'Lists of addresses',
        description: 'The shortest and the longest list of all processes; refreshes that failed, and losses of Redis.',
        unit: 'short',
        queries: [
          [`min by (sluice_list) (${name('sluice.list.entries')}${selection()})`, '{{sluice_list}}, shortest'],
          [`max by (sluice_list) (${name('sluice.list.entries')}${selection()})`, '{{sluice_list}}, longest'],
          [perSecond(`${name('sluice.list.failures')}${selection()}`, 'sluice_list'), '{{sluice_list}} failed'],
          [perSecond(`${name('sluice.list.losses')}${selection()}`, 'sluice_list'), '{{sluice_list}} lost'],
        ],
      },
      {
        title: 'Policies',
        description:
          'The oldest and the newest version that a process has, limits of single clients, and refused texts.',
        unit: 'short',
        queries: [
          [
            `min by (sluice_policies) (${name('sluice.policies.version')}${selection()})`,
            '{{sluice_policies}}, oldest',
          ],
          [
            `max by (sluice_policies) (${name('sluice.policies.version')}${selection()})`,
            '{{sluice_policies}}, newest',
          ],
          [
            `max by (sluice_policies) (${name('sluice.policies.overrides')}${selection()})`,
            '{{sluice_policies}} overrides',
          ],
          [
            perSecond(`${name('sluice.policies.rejected')}${selection()}`, 'sluice_policies'),
            '{{sluice_policies}} refused',
          ],
        ],
      },
      {
        title: 'Outdated policies',
        description:
          'Seconds since a process has read its policies, and 1 for one without the newest. Needs the option `policies`.',
        unit: 's',
        queries: [
          [`max by (sluice_policies) (${name('sluice.policies.age')}${selection()})`, '{{sluice_policies}} age'],
          [
            `max by (sluice_policies) (${name('sluice.policies.outdated')}${selection()})`,
            '{{sluice_policies}} outdated',
          ],
        ],
      },
      {
        title: 'Permits',
        description: 'Units that running requests hold, and those that lapsed although the requests ran.',
        unit: 'short',
        queries: [
          [`sum by (sluice_tier) (${name('sluice.permit.held')}${ofTier()})`, '{{sluice_tier}}'],
          [perSecond(`${name('sluice.permit.lapsed')}${ofTier()}`, 'sluice_tier'), '{{sluice_tier}} lapsed'],
        ],
      },
      {
        title: 'Leases',
        description: 'Units that leases charge ahead, spend and give back.',
        unit: 'ops',
        queries: [
          [perSecond(`${name('sluice.lease.units')}${ofTier()}`, 'sluice_lease_state'), '{{sluice_lease_state}}'],
        ],
      },
      {
        title: 'What decides',
        description: 'The part of the decisions by source. Deny cache and leases need no call to Redis.',
        unit: 'percentunit',
        as: 'areas',
        queries: [
          [
            `${perSecond(`${decisions}${selection()}`, 'sluice_source')} / on () group_left () ${perSecond(`${decisions}${selection()}`)}`,
            '{{sluice_source}}',
          ],
        ],
      },
    ],
  };
}

function panelOf({ title, description, unit, queries, as, line }: Panel): Builder<grafana.Panel> {
  const panel = as === 'bars' ? bars() : lines(as === 'areas', line);
  panel.title(title).description(description).datasource(datasource).unit(unit).min(0).span(8).height(8);
  for (const [index, [expression, legend]] of queries.entries()) {
    const query = new DataqueryBuilder()
      .refId(String.fromCodePoint(65 + index))
      .datasource(datasource)
      .expr(expression)
      .legendFormat(legend);
    panel.withTarget(as === 'bars' ? query.instant() : query.range());
  }
  return panel;
}

function bars(): bargauge.PanelBuilder {
  return new bargauge.PanelBuilder().orientation(VizOrientation.Horizontal);
}

function lines(stacked: boolean, line?: number): timeseries.PanelBuilder {
  const panel = new timeseries.PanelBuilder().fillOpacity(stacked ? 30 : 0);
  if (stacked) panel.stacking(new common.StackingConfigBuilder().mode(StackingMode.Normal));
  if (line === undefined) return panel;
  const steps = [
    { value: null, color: 'green' },
    { value: line, color: 'red' },
  ];
  return panel
    .thresholds(new grafana.ThresholdsConfigBuilder().mode(grafana.ThresholdsMode.Absolute).steps(steps))
    .thresholdsStyle(new common.GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed));
}
