import { useSignal } from '@preact/signals';
import { showTime } from '../../metrics/src/operations/show-time.ts';
import type { History, Snapshot } from '../src/messages.ts';
import { Chart } from './chart.tsx';
import { feed } from './feed.ts';
import { grouped, rate, sumOf, timeOfDay } from './numbers.ts';
import { Switch } from './switch.tsx';
import { TierTable } from './tier-table.tsx';

const SPANS = { seconds: '15 min', minutes: '24 h' };

/** The numbers of the panel, and the counts that they sum up. The first of these gives its color. */
const NUMBERS = [
  ['allowed', 'ok'],
  ['denied', 'denied', 'never'],
  ['undecided', 'unavailable'],
  ['refused', 'shed'],
] as const;

type Numbers = readonly (typeof NUMBERS)[number][];

/** Requests over time, and those of each tier. */
export function TrafficPanel({ snapshot }: { readonly snapshot: Snapshot }) {
  const span = useSignal<keyof typeof SPANS>('seconds');
  const history = feed[span.value].history.value;
  const { decisions, tiers } = snapshot;
  const numbers = NUMBERS.filter(([, kind]) => kind !== 'shed' || decisions.shed > 0);
  const isEmpty = sumOf(Object.values(decisions)) === 0;
  return (
    <section class="panel" aria-labelledby="traffic">
      <header>
        <h2 id="traffic">Traffic</h2>
        <Switch label="Time shown" names={SPANS} value={span.value} onChoose={(value) => (span.value = value)} />
      </header>
      <p class="hint">{periodOf(snapshot)}</p>
      <dl class="totals" data-totals>
        {numbers.map(([name, ...kinds]) => (
          <div key={name} class="total" style={{ '--kind': `var(--${kinds[0]})` }}>
            <dt>{name}</dt>
            <dd data-total={name}>{grouped(sumOf(kinds.map((kind) => decisions[kind])))}</dd>
          </div>
        ))}
      </dl>
      {isEmpty && !history.outage.includes(1) ? (
        <p class="empty">No decision yet. Send a request to a route with a limit: it appears here within a second.</p>
      ) : (
        <>
          <Chart
            history={history}
            label={`Requests a second, ${span.value === 'seconds' ? 'last 15 minutes' : 'last 24 hours'}`}
          />
          {history.outage.includes(1) && (
            <p class="hint outage" data-outage>
              In the marked time the store did not answer, and <code>onStoreFailure</code> decided.
            </p>
          )}
          <HistoryTable history={history} numbers={numbers} />
        </>
      )}
      <TierTable tiers={tiers} />
    </section>
  );
}

/** What the totals and the counts of tiers are of. */
function periodOf({ processes }: Snapshot): string {
  const [own, ...others] = processes;
  if (own === undefined) return '';
  if (others.length > 0) return `Requests of ${processes.length} processes, each since it started`;
  return `Requests since this process started, ${showTime(own.uptime)} ago`;
}

const ROWS = 15;

/** The numbers of the chart, summed up in a few rows. */
function HistoryTable({ history, numbers }: { readonly history: History; readonly numbers: Numbers }) {
  const size = Math.max(1, history.ok.length / ROWS);
  const sum = (counts: readonly number[], row: number) =>
    sumOf(counts.slice(Math.round(row * size), Math.round((row + 1) * size)));
  const now = Date.now();
  const hasOutage = history.outage.includes(1);
  const isOut = (row: number) => sum(history.outage, row) > 0;
  const rows = Array.from({ length: ROWS }, (_, row) => ROWS - 1 - row);
  return (
    <details class="numbers">
      <summary>Numbers of the chart</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">from</th>
            {numbers.map(([name]) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">a second</th>
            {hasOutage && <th scope="col">store</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const counts = numbers.map(([, ...kinds]) => sumOf(kinds.map((kind) => sum(history[kind], row))));
            return (
              <tr key={row}>
                <th scope="row">{timeOfDay(now - (ROWS - row) * size * history.step)}</th>
                {counts.map((count, index) => (
                  <td key={index}>{grouped(count)}</td>
                ))}
                <td>{rate((sumOf(counts) / size / history.step) * 1e3)}</td>
                {hasOutage && <td>{isOut(row) ? 'did not answer' : ''}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </details>
  );
}
