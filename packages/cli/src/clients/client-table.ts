import { table } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import { showTime, type TierState } from '@sluice/core/operations';

const COLUMNS = [
  { title: 'tier' },
  { title: 'used', align: 'right' },
  { title: 'left', align: 'right' },
  { title: 'one more in', align: 'right' },
  { title: 'empty in', align: 'right' },
  { title: 'next request' },
] as const;

const NOTHING = '–';
const UNKNOWN = '?';

/** What each tier has of a client: a row each. */
export function clientTable(states: readonly TierState[], { colors }: Terminal): string {
  const rows = states.map((state) => {
    const { tier, explanation, isLimitKnown } = state;
    if (!isLimitKnown) return [tier.name, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, 'limit by request'];
    const { limit, remaining, replenishAfter, resetAfter } = explanation.outcome;
    const text = ruling(state);
    return [
      tier.name,
      `${Math.max(0, limit - remaining)}/${limit}`,
      String(remaining),
      remaining > 0 || replenishAfter === 0 ? NOTHING : showTime(replenishAfter),
      resetAfter === 0 ? NOTHING : showTime(resetAfter),
      explanation.outcome.allowed ? colors.green(text) : tier.shadow ? colors.yellow(text) : colors.red(text),
    ];
  });
  return table(COLUMNS, rows);
}

function ruling({ tier, explanation: { outcome } }: TierState): string {
  const { allowed, never, retryAfter, delay } = outcome;
  const turn = delay > 0 ? `, and waits ${showTime(delay)}` : '';
  if (allowed) return `fits${turn}${tier.shadow ? ' (shadow)' : ''}`;
  const verb = tier.shadow ? 'would be denied' : 'denied';
  return never ? `${verb}: never fits` : `${verb}: fits in ${showTime(retryAfter)}`;
}
