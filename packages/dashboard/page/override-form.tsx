import { useSignal } from '@preact/signals';
import { override, type Found } from './find.ts';

const HOUR = 3.6e6;
const FIELDS = [
  { title: 'Limit (0: never)', name: 'limit', type: 'number', min: 0, required: true },
  { title: 'Hours (optional)', name: 'hours', type: 'number', min: 0.1, step: 0.1 },
  { title: 'Reason', name: 'reason', maxLength: 200, required: true },
] as const;

/** Gives one client another limit in a tier, and takes that back. */
export function OverrideForm({ found }: { readonly found: Found }) {
  const isOpen = useSignal(false);
  const { names, tiers } = found.look;
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const { tier, limit, hours, reason } = Object.fromEntries(new FormData(form)) as Record<string, string>;
    const end = hours === '' ? {} : { lasts: Number(hours) * HOUR };
    void override(found, tier!, { limit: Number(limit), reason: reason!, ...end }).then(() => (isOpen.value = false));
  };
  if (!isOpen.value) {
    return (
      <>
        <button type="button" onClick={() => (isOpen.value = true)}>
          Change the limit…
        </button>
        {tiers.map(
          ({ tier, isOverridden }) =>
            isOverridden && (
              <button key={tier} type="button" onClick={() => void override(found, tier, null)}>
                End the override of {tier}
              </button>
            ),
        )}
      </>
    );
  }
  return (
    <form class="confirm" aria-label="Change the limit" onSubmit={onSubmit} autocomplete="off">
      <label>
        <span>Tier</span>
        <select name="tier">
          {names.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      {FIELDS.map(({ title, ...input }) => (
        <label key={title}>
          <span>{title}</span>
          <input {...input} />
        </label>
      ))}
      <button type="submit" class="primary">
        Change the limit
      </button>
      <button type="button" onClick={() => (isOpen.value = false)}>
        Cancel
      </button>
    </form>
  );
}
