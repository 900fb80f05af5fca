import { useSignal } from '@preact/signals';
import type { State, Top, TopEntry } from '../src/messages.ts';
import { Bar } from './bar.tsx';
import { find } from './find.ts';
import { grouped, percent } from './numbers.ts';
import { Switch } from './switch.tsx';

const LISTS = { denied: 'denied', sending: 'sending' };

interface TopPanelProps {
  readonly top: Top;
  readonly isKeyed: State['isKeyed'];
}

/** The clients that tiers deny most, and those that send most. A click finds one. */
export function TopPanel({ top, isKeyed }: TopPanelProps) {
  const list = useSignal<keyof Top>('denied');
  const entries = top[list.value];
  return (
    <section class="panel" aria-labelledby="top">
      <header>
        <h2 id="top">Clients, last minute</h2>
        <Switch label="List shown" names={LISTS} value={list.value} onChoose={(value) => (list.value = value)} />
      </header>
      {entries.length === 0 ? (
        <p class="empty">
          {list.value === 'denied'
            ? 'No client was denied in the last minute.'
            : 'No client has sent a request since the page was opened.'}
        </p>
      ) : (
        <ol class="top">
          {entries.map((entry) => (
            <TopRow key={`${entry.tier} ${entry.digest}`} entry={entry} />
          ))}
        </ol>
      )}
      {!isKeyed && (
        <p class="hint">
          The digest of an address can be guessed: set <code>secret</code> on the limiters.
        </p>
      )}
    </section>
  );
}

function TopRow({ entry }: { readonly entry: TopEntry }) {
  const { tier, digest, label, count, error, share } = entry;
  return (
    <li>
      <button type="button" class="row" onClick={() => void find({ tier, digest }, label ?? digest)}>
        <span class={label === undefined ? 'code' : 'name'}>{label ?? digest}</span>
        <span class="tier">{tier}</span>
        <span class="number">
          {grouped(count)}
          {error > 0 && <small> ±{grouped(error)}</small>}
        </span>
        <span class="share">{percent(share)}</span>
        <Bar parts={[{ kind: 'over', value: share }]} whole={1} />
      </button>
    </li>
  );
}
