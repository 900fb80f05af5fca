import {
  actState,
  consumeStates,
  peekStates,
  refundState,
  renewState,
  sharedLayers,
  type AbleStore,
  type Claim,
  type Receipt,
} from '@sluice/core/own-store';
import type { Pool, PoolConfig } from 'pg';
import { StateTable, type StateTableOptions } from './state-table.js';

/**
 * A store in Postgres 12 or later, whose clock decides. Create its table first, with `SCHEMA`.
 *
 * @param from where to connect, or a pool of `openPool` that you end yourself
 */
export function postgresStore(from: Pool | PoolConfig, options?: StateTableOptions): AbleStore {
  const table = new StateTable(from, options);

  return {
    layers: sharedLayers,

    consume: (group) =>
      table.change(keysOf(group), (stored) => {
        const { answer, states, records } = consumeStates(group, stored.textOf, stored.now);
        for (const [key, state] of states) stored.save(key, state);
        for (const { key, text } of records) stored.record(key, text);
        return answer;
      }),

    peek: (group) => table.read(keysOf(group), ({ textOf, now }) => peekStates(group, textOf, now)),

    refund: (receipts) =>
      table.change(keysOf(receipts), (stored) => {
        let sum = 0;
        for (const receipt of receipts) {
          const { units, state } = refundState(receipt, stored.textOf(receipt.key), stored.now);
          if (state) stored.save(receipt.key, state);
          sum += units;
        }
        return sum;
      }),

    renew: (receipts) =>
      table.change(keysOf(receipts), (stored) =>
        receipts.map((receipt) => {
          const { lapsed, state } = renewState(receipt, stored.textOf(receipt.key), stored.now);
          stored.save(receipt.key, state);
          return lapsed;
        }),
      ),

    act: (owner, act) =>
      table.change([owner.key], (stored) => {
        const { reply, state } = actState(owner, act, stored.textOf(owner.key), stored.now);
        if (state) stored.save(owner.key, state);
        return reply;
      }),

    reset: (keys) => table.delete(keys),

    recorded: (key) => table.read([key], (stored) => stored.recordsOf(key)),

    close: () => table.close(),
  };
}

function keysOf(items: readonly (Claim | Receipt)[]): string[] {
  return items.map(({ key }) => key);
}
