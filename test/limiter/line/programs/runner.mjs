// A process that runs jobs within a limit that it shares with another one.
import { createLimiter, run, subscribe } from '../../../../packages/core/dist/esm/index.js';
import { line, lineEvent } from '../../../../packages/overload/dist/esm/line.js';
import { redisStore } from '../../../../packages/redis/dist/esm/index.js';

const [url = ''] = process.argv.slice(2);
const store = redisStore({ url }, { deadline: '5s' });
await store.ready();
const limiter = createLimiter(
  /** @type {import('@sluice/core').LimiterOptions<object>} */ ({
    store,
    secret: 'pepper',
    name: 'upstream',
    key: () => 'upstream',
    algorithm: 'token-bucket',
    limit: 600,
    window: '1m',
    burst: 121,
    // What a busy machine may come late.
    line: line({ longest: '1h', keep: '6s' }),
  }),
);
/** Requests that have got a place, and those that were denied at theirs. */
const told = { places: 0, deniedInTime: 0 };
subscribe(lineEvent, ({ came }) => {
  if (came === undefined) told.places += 1;
  if (came === 'in-time') told.deniedInTime += 1;
});

process.on('disconnect', () => void limiter.close().then(() => store.close()));

process.on('message', (/** @type {{ spend?: number; jobs?: number }} */ message) => void answer(message));
process.send?.({ isReady: true });

async function answer(/** @type {{ spend?: number; jobs?: number }} */ { spend, jobs = 0 }) {
  if (spend !== undefined) await limiter.consume({}, { cost: spend });
  /** @type {number[]} */
  const began = [];
  const ran = await Promise.all(
    Array.from({ length: jobs }, (_, job) => run(limiter, {}, () => void began.push(job), { wait: '10m' })),
  );
  process.send?.({ ...told, began, admitted: ran.filter(({ admitted }) => admitted).length });
}
