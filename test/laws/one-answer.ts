import type { Decision } from '@sluice/core';
import { newUser, type Law } from './law.js';
import { memoryPlace } from './places.js';
import { take, World, type Ask } from './world.js';

/** A server gives the same answers to a history as memory does, to one request after the other and to all at once. */
export const oneAnswer: Law = {
  name: 'one-answer',
  says: 'answers a history as memory does',
  isAbout: ({ rounds }, place) => place !== 'memory' && !(rounds && place === 'cluster'),
  async check(kind, place, history) {
    const user = newUser();
    const away = new World(kind, place.newStore(), { user, denyCache: false });
    const near = new World(kind, memoryPlace(place.clock).newStore(), { user, denyCache: false });
    await Promise.all([away.block(), near.block()]);
    for (const step of history) {
      const answer = await take(away, place.clock, step);
      if (step.kind === 'wait') continue;
      expect(factsOf(answer)).toEqual(factsOf(await take(near, place.clock, step)));
    }
  },
};

/** The same of requests that share a call. */
export const oneAnswerInBatches: Law = {
  name: 'one-answer-in-batches',
  says: 'answers requests that are made at once as memory does one after the other',
  isAbout: (_kind, place) => place === 'redis',
  async check(kind, place, history) {
    const user = newUser();
    const away = new World(kind, place.newStore(), { user, denyCache: false });
    const near = new World(kind, memoryPlace(place.clock).newStore(), { user, denyCache: false });
    await Promise.all([away.block(), near.block()]);
    let batch: Ask[] = [];
    for (const step of [...history, { kind: 'wait', milliseconds: 0 } as const]) {
      if (step.kind === 'ask') {
        batch.push(step);
        continue;
      }
      const [some, others] = await Promise.all([away.askAtOnce(batch), near.askAtOnce(batch)]);
      expect(some.map(factsOf)).toEqual(others.map(factsOf));
      batch = [];
      await take(away, place.clock, step);
      if (step.kind !== 'wait') await take(near, place.clock, step);
    }
  },
};

function factsOf(decision: Decision | undefined): unknown {
  if (decision === undefined) return undefined;
  const { reason, paidBy, deniedBy, retryAfter, delay, outcomes } = decision;
  return { reason, paidBy, deniedBy, retryAfter, delay, outcomes };
}
