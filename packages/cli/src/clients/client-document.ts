import type { TierState } from '@sluice/core/operations';
import type { Terminal } from '../terminal/terminal.js';

/** The part of `--json` that all commands about a client share. Milliseconds; null for never, and without a limit. */
export function tierDocument({ limiter, tier, explanation, isLimitKnown }: TierState): object {
  const { outcome, recorded, key, readAt } = explanation;
  const { allowed, never, limit, remaining, retryAfter, replenishAfter, resetAfter } = outcome;
  const { algorithm } = explanation.policy;
  const about = { tier: tier.name, shadow: tier.shadow, prefix: limiter.prefix, key, algorithm, readAt, recorded };
  if (!isLimitKnown) return { ...about, limit: null };
  return {
    ...about,
    allowed,
    never,
    limit,
    used: Math.max(0, limit - remaining),
    remaining,
    retryAfter: finite(retryAfter),
    replenishAfter,
    resetAfter,
    fitsAt: finite(explanation.fitsAt),
  };
}

/** JSON has no Infinity. */
export function finite(milliseconds: number): number | null {
  return Number.isFinite(milliseconds) ? milliseconds : null;
}

/** The line for a client of which nothing can be shown. */
export function printNothing(name: string, states: readonly TierState[], terminal: Terminal): void {
  const hidden = states.filter(({ explanation }) => explanation.isStored).map(({ tier }) => tier.name);
  if (hidden.length > 0) return terminal.print(`${name} has a state that needs --limit: ${hidden.join(', ')}`);
  terminal.print(`nothing stored for ${name} in ${states.length} ${states.length === 1 ? 'tier' : 'tiers'}`);
}
