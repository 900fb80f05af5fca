import { createLimiter, type Store } from '@sluice/core';
import { fine, problem, warning, type Finding } from './finding.js';
import type { Server } from './server.js';

const TIMES = 200;

/** What a PING takes, beside the deadline of the limiters. */
export async function checkRoundTrip({ redis }: Server, deadline: number): Promise<Finding> {
  return judge('round-trip', 'round trip', await measure(() => redis.ping()), deadline);
}

/** What a check takes that changes nothing, on keys of all servers. */
export async function checkScript(store: Store, { prefix, deadline }: ScriptOptions): Promise<Finding> {
  const limiter = createLimiter<number>({ store, prefix, name: 'doctor', key: String, limit: 100, window: '1m' });
  let count = 0;
  let missed = 0;
  const check = async () => {
    const { degraded } = await limiter.peek((count += 1));
    if (degraded) missed += 1;
  };
  // The first ones wait for the connection, and for the script.
  await measure(check);
  missed = 0;
  const durations = await measure(check);
  if (missed === 0) return judge('script', 'a check', durations, deadline);
  const text = `${missed} of ${TIMES} checks got no answer within the deadline of ${deadline} ms`;
  return problem('script', text, 'redisStore(…, { deadline }) with a longer one, or a Redis that is nearer');
}

interface ScriptOptions {
  readonly prefix: string;
  /** In milliseconds. */
  readonly deadline: number;
}

/** In milliseconds, sorted. */
async function measure(run: () => unknown): Promise<number[]> {
  const durations: number[] = [];
  for (let count = 0; count < TIMES; count += 1) {
    const start = performance.now();
    await run();
    durations.push(performance.now() - start);
  }
  return durations.toSorted((one, other) => one - other);
}

function judge(check: string, what: string, sorted: readonly number[], deadline: number): Finding {
  const [median, slow] = [0.5, 0.99].map((share) => sorted[Math.floor(share * sorted.length)]!);
  const text = `${what} p50 ${median!.toFixed(2)} ms, p99 ${slow!.toFixed(2)} ms of ${TIMES}; deadline ${deadline} ms`;
  const remedy = `redisStore(…, { deadline: '${Math.ceil(4 * slow!)}ms' }), or a Redis that is nearer`;
  if (slow! >= deadline) return problem(check, `${text}: requests fall back`, remedy);
  return slow! > deadline / 2 ? warning(check, text, remedy) : fine(check, text);
}
