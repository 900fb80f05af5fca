import type { Store } from '@sluice/core';
import { randomBytes } from 'node:crypto';
import { digestIn } from '@sluice/core/internal';
import { OptionReader } from '@sluice/http/adapter';
import { AUTHOR_ROWS, type Act, type Author } from './act.js';
import type { Done } from './act-store.js';
import { auditLog } from './audit-log.js';

/** What a tier has of a client. */
export interface ClientState {
  readonly tier: string;
  readonly key: string;
}

/** Deletes states of a client in the name of a person, and those that others share with it, once for each owner in their keys. */
export async function resetClient(
  store: Store,
  states: readonly ClientState[],
  author: Author & { readonly reset: (keys: readonly string[]) => Promise<void> },
): Promise<readonly Done[]> {
  const { by, reason, reset } = author;
  const id = author.id ?? newId();
  const byOwner = new Map<string, ClientState[]>();
  for (const state of states) {
    const owner = state.key.slice(0, state.key.lastIndexOf(`:${state.tier}:`));
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), state]);
  }
  const log = auditLog(store);
  return Promise.all(
    [...byOwner].map(([owner, own]) => {
      const keys = [...new Set(own.map(({ key }) => key))];
      const tiers = [...new Set(own.map(({ tier }) => tier))].map((tier) => ({
        tier,
        digest: digestIn(own.find((each) => each.tier === tier)!.key, tier),
      }));
      const partition = partitionIn(owner);
      const act: Omit<Act, 'at'> = {
        id,
        operation: 'forget',
        ...(by !== undefined && { by }),
        ...(reason !== undefined && { reason }),
        tiers,
        ...(partition !== undefined && { partition }),
      };
      return log.forget({ owner, keys, act, reset: () => reset(keys) });
    }),
  );
}

/** @throws ConfigError that names the option and the rule */
export function readAuthor(call: string, author: object): Author {
  const reader = new OptionReader(call, author, AUTHOR_ROWS);
  return reader.read(AUTHOR_ROWS) as unknown as Author;
}

/** Names an act. */
export function newId(): string {
  return randomBytes(12).toString('base64url');
}

/** Where an owner has two digests, the first one is that of the partition. */
function partitionIn(owner: string): string | undefined {
  return /\{([\w-]{22})\}:[\w-]{22}$/.exec(owner)?.[1];
}
