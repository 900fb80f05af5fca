import { useSignal } from '@preact/signals';
import type { History, Snapshot } from '../src/messages.ts';
import { Chart } from './chart.tsx';
import { feed } from './feed.ts';
import { grouped, rate, timeOfDay } from './numbers.ts';
import { Switch } from './switch.tsx';
import { TierTable } from './tier-table.tsx';

const SPANS = { seconds: '15 min', minutes: '24 h' };

/** Decisions over time, and those of each tier. */
export function TrafficPanel({ snapshot }: { readonly snapshot: Snapshot }) {
  const span = useSignal<keyof typeof SPANS>('seconds');
  const history = feed[span.value].history.value;
  const { ok, denied, never, unavailable } = snapshot.decisions;
  const isEmpty = ok + denied + never + unavailable === 0;
  return (
    <section class="panel" aria-labelledby="traffic">
      <header>
        <h2 id="traffic">Traffic</h2>
        <Switch label="Time shown" names={SPANS} value={span.value} onChoose={(value) => (span.value = value)} />
      </header>
      <dl class="totals" data-totals>
        <Total kind="ok" name="allowed" count={ok} />
        <Total kind="denied" name="denied" count={denied + never} />
        <Total kind="unavailable" name="undecided" count={unavailable} />
      </dl>
      {isEmpty ? (
        <p class="empty">No decision yet. Send a request to a route with a limit: it appears here within a second.</p>
      ) : (
        <>
          <Chart
            history={history}
            label={`Decisions a second, ${span.value === 'seconds' ? 'last 15 minutes' : 'last 24 hours'}`}
          />
          <HistoryTable history={history} />
        </>
      )}
      <TierTable tiers={snapshot.tiers} />
    </section>
  );
}

function Total({ kind, name, count }: { kind: string; name: string; count: number }) {
  return (
    <div class={`total total-${kind}`}>
      <dt>{name}</dt>
      <dd data-total={name}>{grouped(count)}</dd>
    </div>
  );
}

const ROWS = 15;

/** The numbers of the chart, summed up in a few rows. */
function HistoryTable({ history }: { readonly history: History }) {
  const size = Math.max(1, history.ok.length / ROWS);
  const sum = (counts: readonly number[], row: number) =>
    counts.slice(Math.round(row * size), Math.round((row + 1) * size)).reduce((all, count) => all + count, 0);
  const now = Date.now();
  const rows = Array.from({ length: ROWS }, (_, row) => ROWS - 1 - row);
  return (
    <details class="numbers">
      <summary>Numbers of the chart</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">from</th>
            <th scope="col">allowed</th>
            <th scope="col">denied</th>
            <th scope="col">undecided</th>
            <th scope="col">a second</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const [ok, unavailable] = [sum(history.ok, row), sum(history.unavailable, row)];
            const denied = sum(history.denied, row) + sum(history.never, row);
            return (
              <tr key={row}>
                <th scope="row">{timeOfDay(now - (ROWS - row) * size * history.step)}</th>
                <td>{grouped(ok)}</td>
                <td>{grouped(denied)}</td>
                <td>{grouped(unavailable)}</td>
                <td>{rate(((ok + denied + unavailable) / size / history.step) * 1e3)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </details>
  );
}
