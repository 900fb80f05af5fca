import type { TierState } from '../src/messages.ts';
import { Bar } from './bar.tsx';
import { grouped, percent, rate, sumOf } from './numbers.ts';
import { Sparkline } from './sparkline.tsx';

/** A row for each tier. */
export function TierTable({ tiers }: { readonly tiers: readonly TierState[] }) {
  if (tiers.length === 0) return <p class="empty">No limiter uses this store yet.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Tiers">
      <table class="tiers">
        <thead>
          <tr>
            <th scope="col">tier</th>
            <th scope="col">within</th>
            <th scope="col">near</th>
            <th scope="col">over</th>
            <th scope="col" class="wide">
              last minute
            </th>
          </tr>
        </thead>
        <tbody>
          {tiers.toSorted(byDenials).map((tier) => (
            <TierRow key={tier.name} tier={tier} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The tiers that deny most come first, and then those with the most requests of the last minute. */
function byDenials(one: TierState, other: TierState): number {
  const denials = ({ shadow, outcomes: { over, never } }: TierState) => (shadow ? 0 : over + never);
  return denials(other) - denials(one) || sumOf(other.recent) - sumOf(one.recent);
}

function TierRow({ tier: { name, shadow, policy, outcomes, recent } }: { readonly tier: TierState }) {
  const { within, near, over, never, paid, 'not-needed': unneeded } = outcomes;
  const isBalance = paid + unneeded > 0;
  const all = within + near + over + never + paid + unneeded;
  const lastSeconds = recent.slice(-5);
  const perSecond = sumOf(lastSeconds) / lastSeconds.length;
  const denied = over + never;
  return (
    <tr data-tier={name}>
      <th scope="row">
        <span class="name">{name}</span>
        {shadow && <span class="badge">shadow</span>}
        <span class="policy">{policy}</span>
        <Bar
          parts={[
            { kind: 'within', value: within + paid },
            { kind: 'near', value: near },
            { kind: 'unneeded', value: unneeded },
            { kind: 'over', value: denied },
          ]}
        />
      </th>
      <td>
        {grouped(within + paid)}
        {isBalance && <small>paid</small>}
      </td>
      <td>
        {grouped(near + unneeded)}
        {isBalance && <small>not needed</small>}
      </td>
      <td class={denied > 0 && !shadow ? 'is-denied' : ''}>
        {grouped(denied)}
        {denied > 0 && (
          <small>
            {percent(denied / all)} {shadow ? 'over' : 'denied'}
          </small>
        )}
      </td>
      <td class="wide">
        <Sparkline values={recent} />
        <small>{rate(perSecond)} a second</small>
      </td>
    </tr>
  );
}
