import type { Inspection } from '@sluice/core';
import { limitSource, type TierState } from '@sluice/metrics/operations';
import type { Terminal } from '../terminal/terminal.js';
import { uncountedText } from './counting.js';
import type { TypedIdentity } from './identity.js';
import type { StoredKey } from './stored-keys.js';
import type { ClientStates } from './tier-states.js';

/** The part of `--json` that all commands about a client share. Milliseconds; null for never, and without a limit. */
export function tierDocument(state: TierState): object {
  const { limiter, tier, inspection, isLimitKnown } = state;
  const { outcome, recorded, key, readAt } = inspection;
  const { allowed, never, limit, remaining, retryAfter, replenishAfter, resetAfter } = outcome;
  const { name: algorithm } = inspection.policy.algorithm;
  const about = { tier: tier.name, shadow: tier.shadow, prefix: limiter.prefix, key, algorithm, readAt, recorded };
  if (!isLimitKnown) return { ...about, limit: null };
  return {
    ...about,
    allowed,
    never,
    limit,
    limitOf: limitSource(state),
    override: overrideDocument(inspection),
    used: Math.max(0, limit - remaining),
    remaining,
    retryAfter: finite(retryAfter),
    replenishAfter,
    resetAfter,
    fitsAt: finite(inspection.fitsAt),
    waiting: inspection.waiting ?? null,
  };
}

/** What has decided instead of the limit of the tier. Null without an override, `until` null for one that stays. */
function overrideDocument({ override }: Inspection): object | null {
  if (override === undefined) return null;
  const { limit, until = null, reason } = override;
  return { limit, until, reason };
}

/** JSON has no Infinity. */
export function finite(milliseconds: number): number | null {
  return Number.isFinite(milliseconds) ? milliseconds : null;
}

/** The part of `--json` for states that no tier explains. `expiresIn`: null if it is not known. */
export function otherDocument({ tier, kind, key, ttl, isPartitioned }: StoredKey): object {
  const expiresIn = ttl === undefined || ttl < 0 ? null : ttl;
  return { tier, algorithm: kind.name, key, partitioned: isPartitioned, expiresIn };
}

/** The line for a client of which nothing can be shown. */
export function printNothing(identity: TypedIdentity, states: ClientStates, terminal: Terminal): void {
  if (!states.counting.isCounted) return terminal.print(uncountedText(identity, states.counting));
  const { length } = states.tiers;
  const elsewhere = states.isSearched ? ', and no other key of it in Redis' : '';
  terminal.print(`nothing stored for ${identity.name} in ${length} ${length === 1 ? 'tier' : 'tiers'}${elsewhere}`);
}
