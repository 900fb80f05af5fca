import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { findAgain, forget, type Found } from './find.ts';
import { HistoryList } from './history-list.tsx';
import { now } from './now.ts';
import { OverrideForm } from './override-form.tsx';
import { TierCard } from './tier-card.tsx';

interface FoundClientProps {
  readonly found: Found;
  readonly readOnly: boolean;
  readonly canOverride: boolean;
}

/** What each tier has of one client, counting down to the moment at which it fits again. */
export function FoundClient({ found, readOnly, canOverride }: FoundClientProps) {
  const { name, look, readAt } = found;
  const heading = useRef<HTMLHeadingElement>(null);
  const elapsed = Math.max(0, now.value - readAt);
  const waits = look.tiers.flatMap(({ retryAfter }) => (retryAfter ? [retryAfter] : []));
  const nextChange = waits.length > 0 ? Math.min(...waits) : Infinity;

  useEffect(() => heading.current?.focus(), [name]);
  useEffect(() => {
    // A tier fits again now, by the clock of this computer: the store knows it exactly.
    if (elapsed >= nextChange) void findAgain();
  }, [elapsed >= nextChange, readAt]);

  return (
    <div class="found">
      <h3 ref={heading} tabIndex={-1}>
        {name}
      </h3>
      {look.tiers.length === 0 && <NothingStored />}
      {look.tiers.map((tier) => (
        <TierCard key={tier.tier} tier={tier} elapsed={elapsed} />
      ))}
      {look.notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
      <HistoryList acts={found.acts} />
      {canOverride && look.names.length > 0 && <OverrideForm found={found} />}
      {!readOnly && look.tiers.length > 0 && <ForgetButton found={found} />}
    </div>
  );
}

/** Says nothing about the next request, which may be counted by another identity. */
function NothingStored() {
  return (
    <>
      <p class="empty">Nothing is stored of this identity.</p>
      <p class="hint">Limits may count this client by another one, such as its account or its address.</p>
    </>
  );
}

/** Asks in the page, because a dialog of the browser stops the feed. */
function ForgetButton({ found }: { readonly found: Found }) {
  const isAsking = useSignal(false);
  const reason = useSignal('');
  const names = found.look.tiers.map(({ tier }) => tier).join(', ');
  if (!isAsking.value) {
    return (
      <button type="button" class="danger" onClick={() => (isAsking.value = true)}>
        Forget…
      </button>
    );
  }
  return (
    <div class="confirm" role="group" aria-label="Forget this client?">
      <p>
        Delete what <b>{names}</b> {found.look.tiers.length === 1 ? 'has' : 'have'} of this client? Its next request
        passes.
      </p>
      <label>
        <span>
          Reason <small>(optional)</small>
        </span>
        <input
          name="reason"
          maxLength={200}
          value={reason.value}
          onInput={(event) => (reason.value = event.currentTarget.value)}
        />
      </label>
      <button
        type="button"
        class="danger"
        ref={(button) => button?.focus()}
        onClick={() => void forget(found, reason.value.trim()).then(() => (isAsking.value = false))}
      >
        Forget
      </button>
      <button type="button" onClick={() => (isAsking.value = false)}>
        Cancel
      </button>
    </div>
  );
}
