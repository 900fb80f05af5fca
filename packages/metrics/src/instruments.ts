import type { AttributeName } from './attributes.js';

/** What is measured, and by which attributes it is split: by the naming rules of OpenTelemetry. */
export interface Instrument {
  readonly name: `sluice.${string}`;
  readonly kind: 'counter' | 'gauge' | 'updowncounter' | 'histogram';
  /** In UCUM: `s`, `1` for a ratio, or a noun in braces. */
  readonly unit: string;
  readonly description: string;
  readonly attributes: readonly AttributeName[];
  /** The upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
  /** How the numbers of several processes become one. @default `sum` */
  readonly across?: 'max';
  /** It exists only with this option. */
  readonly option?: 'top' | 'watch' | 'policies';
}

/**
 * All instruments. Metrics, reference, dashboard and alerts are made from this table.
 *
 * @example
 * const names = instruments.map(({ name }) => name);
 */
export const instruments = [
  {
    name: 'sluice.decisions',
    kind: 'counter',
    unit: '{decision}',
    description: 'Decisions of limiters',
    attributes: ['sluice.reason', 'sluice.source'],
  },
  {
    name: 'sluice.tier.outcomes',
    kind: 'counter',
    unit: '{outcome}',
    description: 'Outcomes of a tier: one for each decision that it took part in',
    attributes: ['sluice.tier', 'sluice.outcome', 'sluice.shadow'],
  },
  {
    name: 'sluice.tier.units',
    kind: 'counter',
    unit: '{unit}',
    description: 'Units that a tier has charged',
    attributes: ['sluice.tier'],
  },
  {
    name: 'sluice.tier.notices',
    kind: 'counter',
    unit: '{notice}',
    description: 'Notices that a tier has given in this process',
    attributes: ['sluice.tier'],
  },
  {
    name: 'sluice.tier.limit',
    kind: 'gauge',
    unit: '{unit}',
    description: 'The limit of a tier, unless a function returns it',
    across: 'max',
    attributes: ['sluice.tier'],
  },
  {
    name: 'sluice.tier.overrides',
    kind: 'gauge',
    unit: '{override}',
    description: 'Identities whose limit in a tier is overridden in this process',
    across: 'max',
    attributes: ['sluice.tier'],
  },
  {
    name: 'sluice.tier.delay',
    kind: 'histogram',
    unit: 's',
    description: 'How long requests wait in the queue of a tier; requests without a wait are left out',
    attributes: ['sluice.tier'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
  {
    name: 'sluice.balance.spent',
    kind: 'counter',
    unit: '{unit}',
    description: 'Units that a balance has paid, before refunds and settlements',
    attributes: ['sluice.tier'],
  },
  {
    name: 'sluice.usage.export.age',
    kind: 'gauge',
    unit: 's',
    description: 'Time that the oldest usage waits to be exported by any process, since its hour has ended',
    across: 'max',
    attributes: ['sluice.store'],
  },
  {
    name: 'sluice.refund.units',
    kind: 'counter',
    unit: '{unit}',
    description: 'Units that refunds and settlements have given back, in all tiers',
    attributes: [],
  },
  {
    name: 'sluice.lease.units',
    kind: 'counter',
    unit: '{unit}',
    description: 'Units that leases have moved',
    attributes: ['sluice.tier', 'sluice.lease.state'],
  },
  {
    name: 'sluice.permit.held',
    kind: 'gauge',
    unit: '{unit}',
    description: 'Units that running requests of this process hold',
    attributes: ['sluice.tier'],
  },
  {
    name: 'sluice.permit.lapsed',
    kind: 'counter',
    unit: '{unit}',
    description: 'Units of running requests that had lapsed when they were renewed',
    attributes: ['sluice.tier'],
  },
  {
    name: 'sluice.call.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Time from the sending of a call to Redis to its end',
    attributes: ['sluice.call.outcome', 'error.type', 'server.address'],
    buckets: [0.00025, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5],
  },
  {
    name: 'sluice.call.requests',
    kind: 'histogram',
    unit: '{request}',
    description: 'Requests in a call to Redis; 0 for a refund, a reset or a probe',
    attributes: [],
    buckets: [0, 1, 2, 4, 8, 16, 24, 32],
  },
  {
    name: 'sluice.late.requests',
    kind: 'counter',
    unit: '{request}',
    description: 'Requests in calls without a reply before the deadline or the end of the connection',
    attributes: [],
  },
  {
    name: 'sluice.degraded.operations',
    kind: 'counter',
    unit: '{operation}',
    description: 'Operations that the store could not answer',
    attributes: ['sluice.operation', 'sluice.fallback', 'error.type'],
  },
  {
    name: 'sluice.degraded.time',
    kind: 'counter',
    unit: 's',
    description: 'Seconds in which at least one operation was degraded',
    attributes: [],
  },
  {
    name: 'sluice.breaker.open',
    kind: 'updowncounter',
    unit: '{breaker}',
    description: 'Circuit breakers that are open or half-open',
    attributes: ['sluice.store', 'server.address'],
  },
  {
    name: 'sluice.shed.level',
    kind: 'gauge',
    unit: '{point}',
    description:
      'How overloaded the process is, or a queue: at 100 all sheddable requests are refused, at 200 all normal ones too',
    across: 'max',
    attributes: ['sluice.queue'],
  },
  {
    name: 'sluice.shed.delay',
    kind: 'gauge',
    unit: 's',
    description: 'The standing delay of the event loop, or the standing wait of a queue',
    across: 'max',
    attributes: ['sluice.queue'],
  },
  {
    name: 'sluice.shed.requests',
    kind: 'counter',
    unit: '{request}',
    description: 'Requests that a shedder has refused, or would have, and acquisitions of a queue',
    attributes: ['sluice.priority', 'sluice.shadow', 'sluice.queue'],
  },
  {
    name: 'sluice.door.requests',
    kind: 'counter',
    unit: '{request}',
    description: 'Requests that a shedder has held while new connections queued',
    attributes: ['sluice.left'],
  },
  {
    name: 'sluice.door.hold',
    kind: 'gauge',
    unit: 's',
    description: 'The longest time that a request was held in the last minute, while new connections queued',
    across: 'max',
    attributes: [],
  },
  {
    name: 'sluice.config.faults',
    kind: 'counter',
    unit: '{fault}',
    description: 'Refusals of Redis that last until an operator changes a configuration',
    attributes: [],
  },
  {
    name: 'sluice.store.key.usage',
    kind: 'gauge',
    unit: '{key}',
    description: 'Keys that a part of a store holds in this process',
    attributes: ['sluice.store', 'sluice.store.part'],
  },
  {
    name: 'sluice.store.key.limit',
    kind: 'gauge',
    unit: '{key}',
    description: 'Keys that a part of a store can hold in this process',
    attributes: ['sluice.store', 'sluice.store.part'],
  },
  {
    name: 'sluice.list.entries',
    kind: 'gauge',
    unit: '{network}',
    description: 'Networks on a list of addresses in this process, with its seed',
    across: 'max',
    attributes: ['sluice.store', 'sluice.list'],
  },
  {
    name: 'sluice.list.overdue',
    kind: 'gauge',
    unit: 's',
    description: 'Time since a refresh of a list of addresses was due that has not succeeded; 0 for a current list',
    across: 'max',
    attributes: ['sluice.store', 'sluice.list'],
  },
  {
    name: 'sluice.list.failures',
    kind: 'counter',
    unit: '{refresh}',
    description: 'Refreshes of a list of addresses that have failed',
    attributes: ['sluice.store', 'sluice.list'],
  },
  {
    name: 'sluice.list.losses',
    kind: 'counter',
    unit: '{loss}',
    description: 'How often Redis had lost changes of a list of addresses that this process knew',
    attributes: ['sluice.store', 'sluice.list'],
  },
  {
    name: 'sluice.top.share',
    kind: 'gauge',
    unit: '1',
    description: "The part of a tier's denials in the last minute that the identity of a rank has caused",
    across: 'max',
    attributes: ['sluice.tier', 'sluice.rank'],
    option: 'top',
  },
  {
    name: 'sluice.watched.utilization',
    kind: 'gauge',
    unit: '1',
    description: 'The part of its limit that a watched identity has used',
    across: 'max',
    attributes: ['sluice.watched', 'sluice.tier'],
    option: 'watch',
  },
  {
    name: 'sluice.policies.version',
    kind: 'gauge',
    unit: '{version}',
    description: 'The version in Redis of policies that are in force; 0 for those of a file',
    across: 'max',
    attributes: ['sluice.policies'],
    option: 'policies',
  },
  {
    name: 'sluice.policies.age',
    kind: 'gauge',
    unit: 's',
    description: 'Time since policies were last read from their source',
    across: 'max',
    attributes: ['sluice.policies'],
    option: 'policies',
  },
  {
    name: 'sluice.policies.outdated',
    kind: 'gauge',
    unit: '1',
    description: '1 while the newest text of policies is not in force, else 0',
    across: 'max',
    attributes: ['sluice.policies'],
    option: 'policies',
  },
  {
    name: 'sluice.policies.rejected',
    kind: 'counter',
    unit: '{text}',
    description: 'Texts of policies that were refused or could not be read',
    attributes: ['sluice.policies'],
    option: 'policies',
  },
  {
    name: 'sluice.policies.overrides',
    kind: 'gauge',
    unit: '{override}',
    description: 'Limits of single identities that are in force',
    across: 'max',
    attributes: ['sluice.policies'],
    option: 'policies',
  },
] as const satisfies readonly Instrument[];

export type InstrumentName = (typeof instruments)[number]['name'];

/** The buckets of a histogram. */
export function bucketsOf(name: InstrumentName): readonly number[] {
  const { buckets = [] }: Instrument = instruments.find((each) => each.name === name)!;
  return buckets;
}
