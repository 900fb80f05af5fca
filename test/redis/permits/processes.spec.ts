import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../support/until.js';
import { startCrew, type Crew } from './crew.js';

const LIMIT = 4;
const KEPT = 3;
/** Each process takes and ends hundreds of permits in this time. */
const WORK_MS = 400;

describe('three processes with one concurrency tier on one Redis', () => {
  let crew: Crew;

  afterEach(() => crew.stop());

  const start = async (hold: string) => {
    crew = await startCrew({ limit: LIMIT, hold });
    const [first, ...others] = crew.members;
    return {
      first: first!,
      others,
      all: (verb: 'work' | 'rest', units?: number) => others.map((each) => each.ask(verb, units)),
    };
  };

  it('run at most the limit, and leave nothing in Redis', async () => {
    const { first, all } = await start('3s');

    await Promise.all([first.ask('work', LIMIT), ...all('work', LIMIT)]);
    await delay(WORK_MS);
    await Promise.all([first.ask('rest'), ...all('rest')]);

    expect(await crew.most()).toBe(LIMIT);
    expect(await crew.stored()).toBe(0);
  });

  it('get back what a killed process held, within its hold, and run at most the limit before', async () => {
    const { first, others, all } = await start('3s');
    expect(await first.ask('keep', KEPT)).toBe(KEPT);
    await Promise.all(all('work', LIMIT));
    // A renewal has prolonged them.
    await delay(1_500);
    const mostBefore = await crew.most();

    await first.kill();
    const longest = await crew.longestHold();
    await crew.watch();
    await delay(WORK_MS);
    const mostAtFirst = await crew.most();
    await until(async () => (await crew.running()) === LIMIT);
    await Promise.all(all('rest'));

    expect([mostBefore, mostAtFirst, await crew.most()]).toEqual([LIMIT, LIMIT - KEPT, LIMIT]);
    expect(longest).toBeLessThanOrEqual(3_000);
    expect(await crew.stored()).toBe(0);
    expect(await Promise.all(others.map((each) => each.ask('lapsed')))).toEqual([0, 0]);
  });

  it('run no more beyond the limit than a stopped process held, and none once it has renewed', async () => {
    const { first, others, all } = await start('1s');
    expect(await first.ask('keep', KEPT)).toBe(KEPT);

    first.signal('SIGSTOP');
    await Promise.all(all('work', LIMIT));
    await until(async () => (await crew.most()) === LIMIT + KEPT);
    first.signal('SIGCONT');
    await until(async () => (await first.ask('lapsed')) === KEPT);
    const during = await crew.most();
    // What ran too many has ended by then.
    await until(async () => (await crew.running()) <= LIMIT);
    await crew.watch();
    await delay(WORK_MS);
    await Promise.all(all('rest'));

    expect([during, await crew.most()]).toEqual([LIMIT + KEPT, LIMIT]);
    expect(await crew.stored()).toBe(KEPT);
    expect(await Promise.all(others.map((each) => each.ask('lapsed')))).toEqual([0, 0]);
    await first.ask('end');
    expect(await crew.stored()).toBe(0);
  });

  it('count what a stopped process runs before it takes more', async () => {
    const { first } = await start('1s');
    await first.ask('keep', KEPT);

    first.signal('SIGSTOP');
    await delay(1_500);
    const more = first.ask('keep', LIMIT);
    first.signal('SIGCONT');

    expect(await more).toBe(LIMIT - KEPT);
    expect(await crew.most()).toBe(LIMIT);
  });

  it('run at most the limit on a Redis that has restarted empty, once all have connected', async () => {
    const { first, all } = await start('30s');
    await first.ask('keep', KEPT);
    await Promise.all(all('work', LIMIT));
    await delay(300);

    await crew.server.restart();
    // The first process has connected again, and Redis counts what it runs.
    await until(async () => (await first.ask('lapsed')) === KEPT);
    const between = await crew.most();
    await until(async () => (await crew.running()) <= LIMIT);
    await crew.watch();
    await delay(WORK_MS);
    await Promise.all(all('rest'));

    // A process that is ready first does not know what the others run.
    expect(between).toBeLessThanOrEqual(2 * LIMIT);
    expect(await crew.most()).toBe(LIMIT);
    expect(await crew.stored()).toBe(KEPT);
  });
});
