import { showTime } from '../../metrics/src/operations/show-time.ts';
import type { BreakerHealth, Health, ProcessState, Snapshot } from '../src/messages.ts';
import { Bar } from './bar.tsx';
import { grouped, latency } from './numbers.ts';

const STORES = { redis: 'Redis', memory: 'memory of this process', other: 'a store of the application' };
const PARTS = { memory: 'memory', local: 'local, in outages', 'deny-cache': 'deny cache', lease: 'leases' };

/** How well the store answers. */
export function HealthPanel({ snapshot: { health, processes } }: { readonly snapshot: Snapshot }) {
  const { store, calls, breakers, keys, inFlight, degradedFor, degraded, fault, facts } = health;
  const troubled = breakers.filter((breaker) => !isUp(breaker));
  return (
    <section class="panel" aria-labelledby="health" data-health={healthOf(health)}>
      <header>
        <h2 id="health">Health</h2>
        <Status health={health} />
      </header>
      <dl class="facts">
        <Fact name="Store">{STORES[store]}</Fact>
        {store === 'redis' && (
          <>
            <Fact name="Calls">
              {calls ? `p50 ${latency(calls.p50)}, p99 ${latency(calls.p99)}` : 'none in the last minute'}
            </Fact>
            <Fact name="In flight">{grouped(inFlight)}</Fact>
            <Fact name="Circuit breakers">
              {troubled.length === 0 ? 'none is open' : troubled.map(breakerText).join(', ')}
            </Fact>
            <Fact name="Degraded">
              {degradedFor === undefined
                ? `${grouped(degraded)} operations`
                : `for ${showTime(degradedFor)}, ${grouped(degraded)} operations`}
            </Fact>
          </>
        )}
        {facts.map(({ name, text, detail }) => (
          <Fact key={name} name={name}>
            {spaced(text)} {detail !== undefined && <small>{spaced(detail)}</small>}
          </Fact>
        ))}
        {fault && (
          <Fact name="Last problem">
            <span class="fault">{fault.problem}</span> <small>{showTime(fault.age)} ago</small>
          </Fact>
        )}
      </dl>
      <table class="keys">
        <caption>Keys in this process</caption>
        <thead>
          <tr>
            <th scope="col">part</th>
            <th scope="col">used</th>
            <th scope="col">of</th>
          </tr>
        </thead>
        <tbody>
          {keys.map(({ part, used, limit }, index) => (
            <tr key={index}>
              <th scope="row">
                {PARTS[part]}
                <Bar parts={[{ kind: used / limit > 0.9 ? 'near' : 'within', value: used }]} whole={limit} />
              </th>
              <td>{grouped(used)}</td>
              <td>{grouped(limit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {processes.length > 1 && <Processes processes={processes} />}
    </section>
  );
}

/** Has the thousands of large numbers apart. */
function spaced(text: string): string {
  return text.replace(/\d{4,}/g, (digits) => grouped(Number(digits)));
}

/** A store is down while its connection is lost, also when no request has needed it. */
export function healthOf({ degradedFor, breakers }: Health): 'up' | 'down' {
  return degradedFor !== undefined || !breakers.every(isUp) ? 'down' : 'up';
}

function isUp({ state, isConnected }: BreakerHealth): boolean {
  return isConnected && state === 'closed';
}

function breakerText({ state, isConnected, primary = '' }: BreakerHealth): string {
  return `${primary} ${isConnected ? state : `${state}, not connected`}`.trim();
}

function Status({ health }: { readonly health: Health }) {
  const answers = healthOf(health) === 'up';
  return (
    <p class={`status ${answers ? 'is-up' : 'is-down'}`} role="status">
      {answers ? 'answers' : 'does not answer'}
    </p>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Processes({ processes }: { readonly processes: readonly ProcessState[] }) {
  return (
    <table class="keys">
      <caption>{processes.length} processes</caption>
      <thead>
        <tr>
          <th scope="col">process</th>
          <th scope="col">allowed</th>
          <th scope="col">denied</th>
          <th scope="col">up for</th>
        </tr>
      </thead>
      <tbody>
        {processes.map(({ id, decisions, uptime, isDegraded }) => (
          <tr key={id}>
            <th scope="row">
              <span class="code">{id}</span>
              {isDegraded && <span class="badge">degraded</span>}
            </th>
            <td>{grouped(decisions.ok)}</td>
            <td>{grouped(decisions.denied + decisions.never)}</td>
            <td>{showTime(uptime)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
