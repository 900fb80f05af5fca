import { balanceText, showTime, type TierState, waitingLine } from '@sluice/metrics/operations';
import { green, red, yellow, type Part } from '../terminal/styled.js';
import type { Terminal } from '../terminal/terminal.js';
import type { StoredKey } from './stored-keys.js';

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

/** What each tier has of a client: a row each. @param others states that no tier explains */
export function printClientTable(
  terminal: Terminal,
  states: readonly TierState[],
  others: readonly StoredKey[] = [],
): void {
  terminal.printTable(COLUMNS, [...states.map(rowOf), ...others.map(rowOfOther)]);
}

/** Below the table, for each tier whose denied requests stand in line, how long that is. */
export function printLines(terminal: Terminal, states: readonly TierState[]): void {
  for (const state of states) {
    const { waiting, readAt } = state.inspection;
    if (waiting !== undefined && state.isLimitKnown)
      terminal.print(`${nameOf(state)}: ${waitingLine(waiting, readAt)}`);
  }
}

function rowOf(state: TierState): readonly Part[] {
  const { tier, inspection, isLimitKnown } = state;
  if (!isLimitKnown) return [tier.name, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, 'limit by request'];
  const { limit, remaining, replenishAfter, resetAfter } = inspection.outcome;
  const balance = balanceText(inspection);
  const text = balance?.text ?? ruling(state);
  const isGood = balance?.isEnough ?? inspection.outcome.allowed;
  return [
    nameOf(state),
    balance !== undefined ? NOTHING : `${Math.max(0, limit - remaining)}/${limit}`,
    String(remaining),
    remaining > 0 || replenishAfter === 0 ? NOTHING : showTime(replenishAfter),
    resetAfter === 0 ? NOTHING : showTime(resetAfter),
    isGood ? green(text) : tier.shadow ? yellow(text) : red(text),
  ];
}

/** With the plan that the row is about. */
export function nameOf({ tier, plan }: TierState): string {
  return plan === undefined ? tier.name : `${tier.name}, plan ${plan}`;
}

function rowOfOther({ tier, ttl, isPartitioned }: StoredKey): readonly Part[] {
  const end = ttl === undefined || ttl < 0 ? UNKNOWN : showTime(ttl);
  const why = isPartitioned ? 'not known: needs --partition' : 'not known: no tier of the configuration';
  return [tier, UNKNOWN, UNKNOWN, UNKNOWN, end, yellow(why)];
}

function ruling({ tier, inspection }: TierState): string {
  const { allowed, never, retryAfter, delay } = inspection.outcome;
  const { waiting } = inspection;
  const turn = delay > 0 ? `, and waits ${showTime(delay)}` : '';
  if (allowed) return `fits${turn}${tier.shadow ? ' (shadow)' : ''}`;
  const verb = tier.shadow ? 'would be denied' : 'denied';
  if (never) return `${verb}: never fits`;
  return `${verb}: ${waiting === undefined ? 'fits' : 'its place in line is'} in ${showTime(retryAfter)}`;
}
