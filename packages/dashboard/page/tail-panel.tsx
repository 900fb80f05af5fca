import { find } from './find.ts';
import { grouped, timeOfDay } from './numbers.ts';
import { tail, type TailRow } from './tail.ts';

const REASONS = { ok: 'allowed', denied: 'denied', never: 'never fits', unavailable: 'undecided' };

/** The newest decisions: a sample. */
export function TailPanel() {
  const rows = tail.rows.value;
  const dropped = tail.dropped.value;
  return (
    <section class="panel" aria-labelledby="tail">
      <header>
        <h2 id="tail">Newest decisions</h2>
        <button
          type="button"
          class="quiet"
          aria-pressed={tail.isPaused.value}
          onClick={() => (tail.isPaused.value = !tail.isPaused.value)}
        >
          {tail.isPaused.value ? 'Continue' : 'Pause'}
        </button>
      </header>
      <p class="hint">
        {dropped > 0
          ? `A sample: ${grouped(dropped)} more in the last second are not shown.`
          : 'At most 10 denied and 10 other requests of a second.'}
      </p>
      {rows.length === 0 ? (
        <p class="empty">Nothing since the page was opened.</p>
      ) : (
        <div class="scroll tail" tabIndex={0} role="region" aria-label="Newest decisions">
          <table>
            <thead>
              <tr>
                <th scope="col">time</th>
                <th scope="col">decision</th>
                <th scope="col">tier</th>
                <th scope="col">client</th>
                <th scope="col">by</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row key={row.id} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ row: { time, reason, tiers, digest, label, source } }: { readonly row: TailRow }) {
  const [tier] = tiers;
  return (
    <tr>
      <td class="number">{timeOfDay(time)}</td>
      <td>
        <span class={`mark mark-${reason}`}>{REASONS[reason]}</span>
      </td>
      <td>{tiers.join(', ')}</td>
      <td>
        {digest !== undefined && reason === 'denied' ? (
          <button type="button" class="link" onClick={() => void find({ tier: tier!, digest }, label ?? digest)}>
            {label ?? digest}
          </button>
        ) : (
          <span class="code">{label ?? digest}</span>
        )}
      </td>
      <td>{source}</td>
    </tr>
  );
}
