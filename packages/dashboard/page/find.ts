import { signal } from '@preact/signals';
import type { Acts, Look, Overriding, Target } from '../src/messages.ts';
import { api } from './api.ts';

/** What was found of a client. */
export interface Found {
  readonly name: string;
  readonly target: Target;
  readonly look: Look;
  /** What people have done to it, newest first. */
  readonly acts: Acts['acts'];
  /** In milliseconds of `performance.now()`. */
  readonly readAt: number;
}

/** The client that is looked at. */
export const finding = {
  found: signal<Found | undefined>(undefined),
  isBusy: signal(false),
  problem: signal<string | undefined>(undefined),
  /** What was forgotten last, as a sentence. */
  notice: signal<string | undefined>(undefined),
};

/** @param name of the client, for the page alone */
export async function find(target: Target, name: string): Promise<void> {
  finding.notice.value = undefined;
  await show({ target, name }, () => api.look(target));
}

/** Looks again at the same client. */
export async function findAgain(): Promise<void> {
  const { value } = finding.found;
  if (value) await show(value, () => api.look(value.target));
}

/** @param reason for the history. '' for none */
export async function forget(found: Found, reason: string): Promise<void> {
  await show(found, async () => {
    const { tiers, deniedFor } = await api.forget({ ...found.target, ...(reason !== '' && { reason }) });
    finding.notice.value =
      tiers.length === 0
        ? 'There was nothing to forget.'
        : `Forgotten in ${tiers.join(', ')}. Other processes may deny this client for up to ${deniedFor / 1e3} s more.`;
    return api.look(found.target);
  });
}

/** @param change null removes it */
export async function override(found: Found, tier: string, change: Overriding['override']): Promise<void> {
  await show(found, async () => {
    const look = await api.override({ ...found.target, tier, override: change });
    finding.notice.value = change
      ? `The limit in ${tier} is overridden: ${change.reason}`
      : `${tier} has its own limit again.`;
    return look;
  });
}

/** Shows what work answers about a client. */
async function show({ target, name }: Pick<Found, 'target' | 'name'>, work: () => Promise<Look>): Promise<void> {
  finding.isBusy.value = true;
  finding.problem.value = undefined;
  try {
    const look = await work();
    const readAt = performance.now();
    // What is known of the client is worth showing without it.
    const { acts } = await api.history({ ...target, limit: 10 }).catch((): Acts => ({ acts: [] }));
    finding.found.value = { name, target, look, acts, readAt };
  } catch (error) {
    // A mistake in another client's name must not leave the former client beside it.
    if (finding.found.value?.name !== name) finding.found.value = undefined;
    finding.problem.value = (error as Error).message;
  } finally {
    finding.isBusy.value = false;
  }
}
