import type { Kind } from './kinds.js';
import { newUser, type Law } from './law.js';
import { memoryPlace, type Place } from './places.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BLOCKER, expectAlike, take, World, type Step } from './world.js';

/** A request that another tier denies, in this slot or another, leaves the state as if it had never been made. */
export const deniedLeavesNoTrace: Law = {
  name: 'denied-leaves-no-trace',
  says: 'is after a request that another tier denies as if it had never been made',
  check: compare,
};

/** The same of a request that fails, because the other slot cannot be read. */
export const failedLeavesNoTrace: Law = {
  name: 'failed-leaves-no-trace',
  says: 'is after a request whose other slot fails as if it had never been made',
  isAbout: (_kind, place) => place === 'cluster',
  check: (kind, place, history) =>
    compare(kind, place, history, {
      prepare: () => place.spoil!(`:${BLOCKER}:`),
      // The caller does not wait for the undo, which a server without its script gets two turns later.
      async afterBlocked(tried) {
        for (let turn = 0; turn < 3; turn += 1) {
          await nextTurn();
          await tried.look();
        }
      },
    }),
};

interface Faults {
  /** Runs before the history. */
  prepare(): Promise<void>;
  /** Runs after a request that was blocked. */
  afterBlocked(tried: World): Promise<void>;
}

async function compare(
  kind: Kind,
  place: Place,
  history: readonly Step[],
  { prepare, afterBlocked }: Partial<Faults> = {},
): Promise<void> {
  const user = newUser();
  const tried = new World(kind, place.newStore(), { user });
  // This one sees none of the denied requests.
  const spared = new World(kind, memoryPlace(place.clock).newStore(), { user });
  await tried.block();
  await prepare?.();
  for (const step of history) {
    if (step.kind === 'ask' && step.blocked) {
      const { allowed } = await tried.ask(step.cost, step.limit, true);
      expect(allowed).toBe(false);
      await afterBlocked?.(tried);
    } else {
      await take(tried, place.clock, step);
      if (step.kind !== 'wait') await take(spared, place.clock, step);
    }
    expectAlike(kind, await tried.look(), await spared.look());
    expect(await tried.beside()).toEqual(await spared.beside());
  }
}
