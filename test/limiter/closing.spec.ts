import { fairBy } from '@sluice/overload/fair';
import { createLimiter, memoryStore, type Decision } from '@sluice/core';

interface Subject {
  readonly caller: string;
}

/** `npm run tool -- waiting-line` measures the turns of 20 000. */
const WAITING = 2_000;

function scene(isFair: boolean) {
  const store = memoryStore();
  const limiterOf = (name: string) =>
    createLimiter<Subject>({
      store,
      name,
      key: () => 'all',
      algorithm: 'concurrency',
      limit: 2,
      wait: '10m',
      queue: WAITING,
      ...(isFair && { fair: fairBy(({ caller }: Subject) => caller) }),
    });
  const limiter = limiterOf('one');
  const answers = new Map<string, number>();
  const send = (count: number, to = limiter) => {
    const sent = Array.from({ length: count }, async (_, each) => {
      const { allowed }: Decision = await to.consume({ caller: `${each}` });
      answers.set(String(allowed), (answers.get(String(allowed)) ?? 0) + 1);
    });
    return Promise.all(sent);
  };
  return { store, limiter, limiterOf, answers, send };
}

describe.each([
  ['by arrival', false],
  ['by turns of their callers', true],
])('2 000 requests that wait %s', (_order, isFair) => {
  it('are all denied when their store closes', async () => {
    const { store, answers, send } = scene(isFair);
    const sent = send(WAITING + 2);

    await new Promise(setImmediate);
    await store.close();
    await sent;

    expect([...answers]).toEqual([
      ['true', 2],
      ['false', WAITING],
    ]);
  });

  it('are all denied when their limiter closes, and those of another limiter wait on', async () => {
    const { store, limiter, limiterOf, answers, send } = scene(isFair);
    const other = limiterOf('other');
    const sent = send(WAITING + 2);
    const theirs = [await other.consume({ caller: 'a' }), await other.consume({ caller: 'a' })];
    const third = other.consume({ caller: 'a' });

    await new Promise(setImmediate);
    await limiter.close();
    await sent;
    await other.release(theirs[0]!);

    expect(answers.get('false')).toBe(WAITING);
    expect((await third).allowed).toBe(true);
    await store.close();
  });
});
