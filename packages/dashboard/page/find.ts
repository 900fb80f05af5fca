import { signal } from '@preact/signals';
import type { Look, Overriding, Target } from '../src/messages.ts';
import { api } from './api.ts';

/** What was found of a client. */
export interface Found {
  readonly name: string;
  readonly target: Target;
  readonly look: Look;
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
  await look(target, name);
}

/** Looks again at the same client. */
export async function findAgain(): Promise<void> {
  const { value } = finding.found;
  if (value) await look(value.target, value.name);
}

export async function forget({ target, name }: Found): Promise<void> {
  await run(async () => {
    const { tiers, deniedFor } = await api.forget(target);
    finding.notice.value =
      tiers.length === 0
        ? 'There was nothing to forget.'
        : `Forgotten in ${tiers.join(', ')}. Other processes may deny this client for up to ${deniedFor / 1e3} s more.`;
    finding.found.value = { name, target, look: await api.look(target), readAt: performance.now() };
  });
}

/** @param override null removes it */
export async function override({ target, name }: Found, tier: string, change: Overriding['override']): Promise<void> {
  await run(async () => {
    const answer = await api.override({ ...target, tier, override: change });
    finding.notice.value =
      change === null ? `${tier} has its own limit again.` : `The limit in ${tier} is overridden: ${change.reason}`;
    finding.found.value = { name, target, look: answer, readAt: performance.now() };
  });
}

async function look(target: Target, name: string): Promise<void> {
  await run(async () => {
    const answer = await api.look(target);
    finding.found.value = { name, target, look: answer, readAt: performance.now() };
  });
}

async function run(work: () => Promise<void>): Promise<void> {
  finding.isBusy.value = true;
  finding.problem.value = undefined;
  try {
    await work();
  } catch (error) {
    finding.problem.value = (error as Error).message;
  } finally {
    finding.isBusy.value = false;
  }
}
