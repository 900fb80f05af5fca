import { showTime } from '../../metrics/src/operations/show-time.ts';
import type { TierLook } from '../src/messages.ts';
import { Bar } from './bar.tsx';
import { grouped, timeOfDay } from './numbers.ts';

interface TierCardProps {
  readonly tier: TierLook;
  /** Milliseconds since the store was read. */
  readonly elapsed: number;
}

/** What one tier has of a client. */
export function TierCard({ tier, elapsed }: TierCardProps) {
  const { tier: name, shadow, policy, reasons, recorded, balance } = tier;
  const allowed = balance?.isEnough ?? tier.allowed;
  return (
    <article class="card" data-tier={name} data-allowed={String(allowed)}>
      <header>
        <h4>
          {name}
          {shadow && <span class="badge">shadow</span>}
        </h4>
        <span class="policy">{policy}</span>
      </header>
      {balance === undefined ? <Used tier={tier} elapsed={elapsed} /> : <Held tier={tier} />}
      <p class={allowed ? 'fits' : 'denies'} data-fits>
        {balance === undefined ? fitText(tier, elapsed) : `${balance.text}.`}
      </p>
      <ul class="reasons" aria-label="As it was read">
        <li>read at {timeOfDay(Date.now() - elapsed)}:</li>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {recorded.length > 0 && (
        <details>
          <summary>Recorded, newest first</summary>
          <ol class="recorded">
            {recorded.map((text, index) => (
              <li key={index}>{text}</li>
            ))}
          </ol>
        </details>
      )}
    </article>
  );
}

/** What is used of a limit. */
function Used({ tier: { allowed, limit, remaining, replenishAfter }, elapsed }: TierCardProps) {
  const used = Math.max(0, limit - remaining);
  const more = replenishAfter - elapsed;
  return (
    <>
      <Bar parts={[{ kind: allowed ? 'within' : 'over', value: used }]} whole={limit} />
      <p class="used">
        <b>{grouped(used)}</b> of {grouped(limit)} used
        {remaining < limit && more > 0 && <span>; one more in {showTime(more)}</span>}
      </p>
    </>
  );
}

/** What a balance holds: it has no limit. */
function Held({ tier: { remaining } }: Pick<TierCardProps, 'tier'>) {
  return (
    <p class="used">
      <b>{grouped(remaining)}</b> left
    </p>
  );
}

function fitText({ retryAfter, allowed, shadow }: TierLook, elapsed: number): string {
  if (allowed) return 'The next request fits.';
  const verb = shadow ? 'Would deny' : 'Denies';
  if (retryAfter === null) return `${verb}: the limit is 0, or the cost is more than it can hold.`;
  const left = retryAfter - elapsed;
  if (left <= 0) return 'The next request fits now.';
  return `${verb}: fits in ${showTime(left)}, at ${timeOfDay(Date.now() + left)}.`;
}
