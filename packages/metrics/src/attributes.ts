import type { OutcomeKind } from './outcome-kind.js';
import type { AttributeDefinition, Decision, KeyStats, OnStoreFailure, Source } from '@sluice/core/internal';

/** What metrics are split by. No value comes from a client. */
export const attributes = {
  'sluice.reason': {
    description: 'why a request was allowed or denied',
    values: ['ok', 'denied', 'never', 'unavailable'] satisfies Decision['reason'][],
  },
  'sluice.source': {
    description: 'what decided a request',
    values: ['redis', 'memory', 'store', 'deny-cache', 'lease', 'local', 'none'] satisfies Source[],
  },
  'sluice.tier': { description: 'the name of a tier; `_other` for each after the 200th' },
  'sluice.outcome': {
    description:
      '`near`: allowed, with at most a fifth of the limit left; a balance has no limit, and has `paid` or was `not-needed`',
    values: ['within', 'near', 'over', 'never', 'paid', 'not-needed'] satisfies OutcomeKind[],
  },
  'sluice.shadow': { description: 'true for what counts and never denies', values: ['true', 'false'] },
  'sluice.call.outcome': {
    description: '`late`: no reply within the deadline',
    values: ['answered', 'failed', 'late'],
  },
  'error.type': { description: 'the code of an error; `_OTHER` for one that has none' },
  'server.address': { description: 'host and port of a primary; on a Cluster only' },
  'sluice.operation': { description: 'what could not reach the store', values: ['consume', 'peek', 'refund'] },
  'sluice.fallback': {
    description: 'what `onStoreFailure` did instead',
    values: ['local', 'allow', 'deny', 'none'] satisfies (OnStoreFailure | 'none')[],
  },
  'sluice.store': { description: 'the name that the application gave a store' },
  'sluice.store.part': {
    description: 'what holds keys in this process',
    values: ['memory', 'local', 'deny-cache', 'lease'] satisfies KeyStats['part'][],
  },
  'sluice.list': { description: 'the name of a list of addresses' },
  'sluice.lease.state': { description: 'where units of a lease went', values: ['granted', 'spent', 'returned'] },
  'sluice.rank': { description: '`1` is the identity that was denied most' },
  'sluice.policies': { description: 'the name that the application gave policies' },
  'sluice.watched': { description: 'the name that the application gave a watched identity' },
} as const satisfies Record<string, AttributeDefinition>;

export type AttributeName = keyof typeof attributes;
