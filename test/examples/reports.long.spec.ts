import { times, type Api } from './api.js';
import { examples, type Place } from './examples.js';
import { freshApis } from './fresh-api.js';

const fresh = freshApis();

describe('GET /report', () => {
  it.each<Place>(['memory', 'Redis'])(
    'admits one request a second, three from a queue, counting in %s',
    async (place) => {
      // Examples with Redis share one queue, so one group of them sends the six requests.
      const groups = place === 'Redis' ? [examples] : examples.map((example) => [example]);
      const apis = new Map<string, Api>();
      for (const { name } of examples) apis.set(name, await fresh.open(name, place));

      const answers = await Promise.all(groups.map((group) => sixReports(group.map(({ name }) => apis.get(name)!))));

      for (const { denied, admittedAfter } of answers) {
        expect(denied).toBe(2);
        expect(admittedAfter).toHaveLength(4);
        for (const [turn, after] of admittedAfter.entries()) expect(after).toBeGreaterThan(turn * 1000 - 50);
      }
    },
  );
});

/** Sends six requests at once, in turn to these APIs. Resolves with the milliseconds of each admitted request. */
async function sixReports(apis: readonly Api[]): Promise<{ denied: number; admittedAfter: number[] }> {
  const startedAt = performance.now();
  const answers = await Promise.all(
    times(6, '/report').map(async (path, index) => {
      const { status } = await apis[index % apis.length]!.get(path);
      return { status, after: performance.now() - startedAt };
    }),
  );
  const admitted = answers.filter(({ status }) => status === 200).map(({ after }) => after);
  return {
    denied: answers.filter(({ status }) => status === 429).length,
    admittedAfter: admitted.toSorted((one, other) => one - other),
  };
}
