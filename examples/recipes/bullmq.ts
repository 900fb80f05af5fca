// BullMQ 6: workers that call an API of others, at most ten times a second and two at once for each tenant.
//
// - The limiter of BullMQ itself counts all jobs of a queue together. This one counts tenants, on all workers.
// - A job that does not fit goes back as delayed, so it holds no worker, and the jobs of other tenants go on.
// - `DelayedError` costs no attempt of the job.
// - A call has a deadline, because one that hangs would hold its permit. Its body is read, else its connection stays open.
// - A job that stalls runs twice, and its call counts twice.
// - An answer 429 of the API pauses its tenant on all workers: the work throws a `CoolDown`.

import { CoolDown, createLimiter, run } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { DelayedError, Worker, type ConnectionOptions, type Job } from 'bullmq';

export interface Call {
  readonly tenant: string;
  readonly url: string;
}

export function startWorker(queue: string, redis: ConnectionOptions & { readonly url: string }): Worker<Call> {
  // A job can wait, so the deadline is longer than that of a request.
  const store = redisStore({ url: redis.url }, { deadline: '2s' });
  const key = ({ tenant }: Call) => tenant;
  const limiter = createLimiter<Call>({
    store,
    tiers: [
      { name: 'tenant-rate', key, algorithm: 'token-bucket', limit: 10, window: '1s', burst: 2 },
      { name: 'tenant-running', key, algorithm: 'concurrency', limit: 2 },
      { name: 'tenant-pause', key, algorithm: 'pause' },
    ],
  });

  async function work(job: Job<Call>, token?: string): Promise<number> {
    try {
      const ran = await run(limiter, job.data, () => call(job.data));
      return ran.admitted ? ran.value : await later(job, ran.decision.retryAfter, token);
    } catch (error) {
      if (error instanceof CoolDown) return later(job, error.milliseconds, token);
      throw error;
    }
  }

  async function call({ url }: Call): Promise<number> {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    await response.arrayBuffer();
    if (response.status === 429) throw CoolDown.of(response);
    return response.status;
  }

  async function later(job: Job<Call>, wait: number, token?: string): Promise<never> {
    await job.moveToDelayed(Date.now() + wait, token);
    throw new DelayedError();
  }

  const worker = new Worker<Call>(queue, work, { connection: redis, concurrency: 20 });
  worker.once('closed', () => void store.close());
  return worker;
}
