import type { Tier } from '@sluice/core';
import { balance, notices } from '@sluice/quotas';

/** Who makes a request, and what it asks for. */
export interface Customer {
  /** The identity of the tier. In another organization it is another customer. */
  readonly user: string;
  readonly organization: string;
  readonly cost: number;
}

type Shape = Partial<Tier<Customer>>;

/** One kind of tier whose units are billed. The law of bills runs over every kind. */
export interface BillKind {
  readonly name: string;
  /** The options of the tier, without key and cost, in the shapes that it takes one after the other. */
  readonly shapes: readonly Shape[];
  /** Whether the keys of an organization share a slot, and its customers have names that other organizations have too. */
  readonly partitioned?: true;
  /** Whether the tier names its customers. */
  readonly labelled?: true;
  /** Units of a balance that pays where the tier denies. */
  readonly credits?: number;
  /** Whether a function chooses the tiers. */
  readonly plans?: true;
  /** What `createLimiter` answers to such a tier. @default it takes it */
  readonly refused?: RegExp;
}

const limit = 30;
const fixed = { algorithm: 'fixed-window', limit } as const;
const hour = { ...fixed, window: '1h' } as const;
const sliding = { algorithm: 'sliding-window', limit, window: '1h' } as const;
const bucket = { algorithm: 'token-bucket', limit, window: '1h' } as const;

export const BILL_KINDS: readonly BillKind[] = [
  { name: 'windows of several lengths', shapes: [hour, { ...fixed, window: '1d' }, { ...hour, anchor: 'clock' }] },
  {
    name: 'periods of several lengths',
    shapes: [
      { ...fixed, period: 'day' },
      { ...fixed, period: 'week' },
      { ...fixed, period: 'month' },
    ],
  },
  {
    name: 'periods in several time zones',
    shapes: [
      { ...fixed, period: 'day' },
      { ...fixed, period: 'day', timeZone: 'Europe/Berlin' },
      { ...fixed, period: 'day', timeZone: 'America/New_York' },
    ],
  },
  {
    name: 'months that begin on several days',
    shapes: [
      { ...fixed, period: 'month' },
      { ...fixed, period: 'month', startsOn: 15 },
      { ...fixed, period: 'month', startsOn: ({ user }: Customer) => 1 + (user.length % 9) },
    ],
  },
  {
    name: 'several algorithms',
    shapes: [
      hour,
      sliding,
      { ...sliding, limit: 90, precision: 10 },
      { algorithm: 'sliding-window-log', limit, window: '1h' },
      bucket,
      { algorithm: 'leaky-bucket', limit, window: '1h', queue: 6 },
      {
        algorithm: 'multi-window',
        windows: [
          { limit: 9, window: '10m' },
          { limit, window: '1h' },
        ],
      },
    ],
  },
  {
    name: 'limits of a function',
    shapes: [
      { ...hour, limit: ({ cost }: Customer) => 20 + cost },
      { ...sliding, limit: ({ cost }: Customer) => 20 + cost },
    ],
  },
  { name: 'an overdraft', shapes: [{ ...bucket, overdraft: 20 }, bucket] },
  { name: 'notices', shapes: [{ ...hour, notices: notices(0.5, 1) }, hour] },
  { name: 'a tier in shadow', shapes: [{ ...hour, mode: 'shadow' }, hour] },
  { name: 'a tier of plans', shapes: [hour, { ...fixed, window: '2h' }], plans: true },
  { name: 'a tier that gets another name', shapes: [hour, { ...hour, name: 'requests:of an hour' }] },
  { name: 'partitions', shapes: [hour, sliding], partitioned: true },
  { name: 'labels', shapes: [hour, bucket], labelled: true },
  { name: 'labels in partitions', shapes: [{ ...fixed, period: 'month' }, hour], partitioned: true, labelled: true },
  { name: 'a balance', shapes: [{ algorithm: balance() }], credits: 60 },
  {
    name: 'credits that pay for a month',
    shapes: [
      { ...fixed, limit: 9, period: 'month' },
      { ...fixed, limit: 9, period: 'month', timeZone: 'Europe/Berlin' },
    ],
    credits: 60,
  },
  {
    name: 'credits that pay for an hour, in partitions',
    shapes: [{ ...hour, limit: 9 }],
    credits: 60,
    partitioned: true,
    labelled: true,
  },
  {
    name: 'a lease',
    shapes: [{ ...hour, lease: { units: 8, duration: '1s' } }],
    refused: /lease cannot be combined with usage: .*crash/,
  },
];
