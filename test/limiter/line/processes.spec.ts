import { startProgram, type Program } from '../../support/program.js';
import { withRedis } from '../../support/redis-store.js';

const JOBS = 10;

interface Report {
  /** Requests that have got a place. */
  readonly places: number;
  /** Requests that were denied when they have brought their place in time. */
  readonly deniedInTime: number;
  /** The numbers of its jobs, as they began. */
  readonly began: readonly number[];
  readonly admitted: number;
}

describe('run in two processes with a line that keeps places', () => {
  const redis = withRedis();
  let programs: readonly Program[];

  beforeEach(async () => {
    const start = () => startProgram('test/limiter/line/programs/runner.mjs', [redis.server.url]);
    programs = [await start(), await start()];
  });
  afterEach(() => Promise.all(programs.map((program) => program.stop())));

  it('runs all jobs in their order, each of which gets one place and is let in with it', async () => {
    await programs[0]!.request({ spend: 121 });

    const reports = (await Promise.all(programs.map((program) => program.request({ jobs: JOBS })))) as Report[];

    const order = Array.from({ length: JOBS }, (_, job) => job);
    for (const { places, deniedInTime, began, admitted } of reports) {
      expect({ deniedInTime, began, admitted }).toEqual({ deniedInTime: 0, began: order, admitted: JOBS });
      // After a pause of the machine some units are free.
      expect(places).toBeGreaterThan(0);
      expect(places).toBeLessThanOrEqual(JOBS);
    }
  });
});
