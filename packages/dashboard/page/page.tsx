import { showTime } from '../../metrics/src/operations/show-time.ts';
import { feed, type Connection } from './feed.ts';
import { FindPanel } from './find-panel.tsx';
import { HealthPanel, healthOf } from './health-panel.tsx';
import { TailPanel } from './tail-panel.tsx';
import { TopPanel } from './top-panel.tsx';
import { TrafficPanel } from './traffic-panel.tsx';

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  opening: 'connecting',
  live: 'live',
  lost: 'connection lost, trying again',
  full: 'this process serves 10 pages already: close one. Trying again',
  closed: 'this page is closed: sign in, or open the link that the process prints',
};

/** The dashboard. */
export function Page() {
  const state = feed.state.value;
  const snapshot = feed.snapshot.value;
  const connection = feed.connection.value;
  const own = snapshot?.processes[0];
  return (
    <>
      <header class="top-bar">
        <h1>Sluice</h1>
        {own && (
          <p class="hint">
            {snapshot.processes.length > 1 ? `${snapshot.processes.length} processes` : `since ${showTime(own.uptime)}`}
          </p>
        )}
        <p class={`connection is-${connection}`} role="status" data-connection={connection}>
          {CONNECTIONS[connection]}
        </p>
      </header>
      {snapshot && healthOf(snapshot.health) === 'down' && (
        <p class="alarm" role="alert">
          <b>Redis does not answer.</b> Requests are decided by what <code>onStoreFailure</code> says.
        </p>
      )}
      {state && snapshot ? (
        <main>
          <div class="column">
            <TrafficPanel snapshot={snapshot} />
            <TailPanel />
          </div>
          <div class="column">
            <FindPanel readOnly={state.readOnly} canOverride={state.canOverride} />
            <TopPanel top={snapshot.top} isKeyed={state.isKeyed} />
            <HealthPanel snapshot={snapshot} />
          </div>
        </main>
      ) : (
        <main class="waiting">
          <p class="empty">{CONNECTIONS[connection]}</p>
        </main>
      )}
    </>
  );
}
