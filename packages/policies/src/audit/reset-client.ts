import type { Store } from '@sluice/core';
import { randomBytes } from 'node:crypto';
import { digestIn } from '@sluice/core/internal';
import { OptionReader } from '@sluice/http/adapter';
import { AUTHOR_ROWS, type Author, type NewAct } from './act.js';
import type { Done, Forgetting } from './act-store.js';
import { auditLog } from './audit-log.js';

/** What a tier has of a client. */
export interface ClientState {
  readonly tier: string;
  readonly key: string;
}

/** Who resets a client. */
export interface Resetting extends Author {
  /** Deletes keys, and what layers of this process know of them. */
  readonly reset: (keys: readonly string[]) => Promise<void>;
  /** How keys of the client begin, for a repetition: what the first call has deleted is no state any more. @default those of the states */
  readonly owners?: readonly string[];
  /** The tier that was asked for. @default all */
  readonly tier?: string | undefined;
}

/**
 * Deletes states of a client in the name of a person, and those that others share with it, once for each owner in their keys. A known id
 * deletes nothing more of an owner, and has its earlier act.
 *
 * @throws StoreError; UsageError for an id that names another act
 */
export async function resetClient(
  store: Store,
  states: readonly ClientState[],
  { id = newId(), by, reason, reset, tier: asked, owners = [] }: Resetting,
): Promise<readonly Done[]> {
  const byOwner = new Map<string, ClientState[]>(owners.map((owner) => [owner, []]));
  for (const state of states) {
    const owner = state.key.slice(0, state.key.lastIndexOf(`:${state.tier}:`));
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), state]);
  }
  const log = auditLog(store);
  const forgettings = [...byOwner].map(([owner, own]): Forgetting => {
    const keys = [...new Set(own.map(({ key }) => key))];
    const tiers = [...new Set(own.map(({ tier }) => tier))].map((tier) => ({
      tier,
      digest: digestIn(own.find((each) => each.tier === tier)!.key, tier),
    }));
    const partition = partitionIn(owner);
    const act: NewAct = {
      id,
      operation: 'forget',
      ...(by !== undefined && { by }),
      ...(reason !== undefined && { reason }),
      tiers,
      ...(partition !== undefined && { partition }),
      ...(asked !== undefined && { detail: { tier: asked } }),
    };
    return { owner, keys, act, reset: () => reset(keys) };
  });
  // An id that names another act of one owner deletes nothing of the others.
  if (forgettings.length > 1) await Promise.all(forgettings.map((each) => log.forget({ ...each, keys: [] })));
  const done = await Promise.all(forgettings.map((each) => log.forget(each)));
  return done.filter((each) => each !== undefined);
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
