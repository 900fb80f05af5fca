import type { IncomingMessage } from 'node:http';

import { createGate, memoryStore, type GateOptions, type GateTier } from '@sluice/core';
import type { FakeClock } from '@sluice/core/testing';

import { exchange, type Exchange } from '../../../packages/core/src/testing/internal/exchange.js';

/** Visits a gate, at these costs one after the other, and returns the last visit. */
export type Visitor = (...costs: number[]) => Exchange;

/** Someone who visits a gate with these tiers, once and at a cost of 1 where nothing is said. */
export function visitor(
  clock: FakeClock,
  tiers: readonly GateTier<IncomingMessage>[],
  headers: GateOptions<IncomingMessage>['headers'],
): Visitor {
  let cost = 1;
  const gate = createGate<IncomingMessage>({
    store: memoryStore({ clock }),
    tiers,
    cost: () => cost,
    ...(headers && { headers }),
  });
  return (...costs) => {
    let last = exchange();
    for (const each of costs.length > 0 ? costs : [1]) {
      cost = each;
      last = exchange();
      void gate.admit(last.request, last.response);
    }
    return last;
  };
}
