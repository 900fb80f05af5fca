import type { Acts } from '../src/messages.ts';

/** Who has changed something of a client, when and why, newest first. */
export function HistoryList({ acts }: Acts) {
  if (acts.length === 0) return null;
  return (
    <details class="history" open>
      <summary>Who has changed what</summary>
      <ul>
        {acts.map(({ id, at, by, operation, tiers, detail = {}, reason }) => (
          <li key={`${id} ${operation}`}>
            <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleString()}</time>{' '}
            <b>{by ?? 'a program'}</b> {WORDS[operation] ?? operation} {tiers.map(({ tier }) => tier).join(', ')}
            {changeText(detail)}
            {reason !== undefined && `: ${reason}`}
          </li>
        ))}
      </ul>
    </details>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  override: 'changed the limit of',
  'end-override': 'ended the override of',
  pause: 'paused',
  release: 'released',
  forget: 'forgot',
  credit: 'credited',
  debit: 'debited',
  reconcile: 'reconciled',
};

/** The numbers of a change, in words. */
function changeText({ limit, until, units }: Readonly<Record<string, string | number | null>>): string {
  const limitText = limit === undefined ? '' : ` to ${limit ?? 'no limit'}`;
  const unitsText = units === undefined ? '' : ` by ${Math.abs(Number(units))}`;
  return `${limitText}${unitsText}${until === undefined ? '' : ` until ${new Date(Number(until)).toLocaleString()}`}`;
}
