import { ipList } from '../../packages/http/src/lists/index.js';
import { redisStore } from '../../packages/redis/src/index.js';
import { buildPackages, startProgram } from '../support/program.js';
import { startRedis } from '../support/redis.js';
import { table } from './table.js';

// Run by `npm run tool -- list-starts`: processes that start with a long deny list, one after the other, at the default settings.
const STARTS = Number(process.argv[2] ?? 50);
const NETWORKS = 100_000;
const LISTED = '198.51.100.7';

/** What a process reports: list-starts.mjs. Times in milliseconds. */
interface Start {
  readonly entries: number;
  readonly load: number;
  readonly waitBefore: number;
  readonly waitWhile: number;
  readonly checks: number;
  readonly local: number;
  readonly breakers: number;
  readonly first: number;
}

// Processes load the packages as users do.
await buildPackages();
const redis = await startRedis();
const store = redisStore({ url: redis.url });
const list = ipList({ name: 'long', store });
await list.ready();
const low = (index: number) => `${(index >> 8) & 255}.${index & 255}`;
await list.add(
  Array.from({ length: NETWORKS - 1 }, (_, index) =>
    index % 2 === 0 ? `10.${index >> 16}.${low(index)}` : `2001:db8::${index >> 16}:${(index & 0xff_ff).toString(16)}`,
  ),
);
await list.add(LISTED);
list.close();
await store.close();

const starts: Start[] = [];
for (let start = 0; start < STARTS; start += 1) {
  const program = await startProgram('test/tools/list-starts.mjs', [redis.url, LISTED]);
  starts.push(program.started as Start);
  await program.stop();
}
await redis.stop();

const of = (valueOf: (start: Start) => number) => starts.map(valueOf).toSorted((one, other) => one - other);
const spread = (name: string, values: readonly number[]) => [
  name,
  ...[0, 0.5, 0.9, 1].map((part) => values[Math.round(part * (values.length - 1))]!.toFixed(1)),
];
console.log(
  table([
    [`${STARTS} starts, ${NETWORKS} networks`, 'least', 'median', '90 %', 'most'],
    spread(
      'networks loaded',
      of(({ entries }) => entries),
    ),
    spread(
      'load, ms',
      of(({ load }) => load),
    ),
    spread(
      'longest wait of a check before the load, ms',
      of(({ waitBefore }) => waitBefore),
    ),
    spread(
      'longest wait of a check while it loads, ms',
      of(({ waitWhile }) => waitWhile),
    ),
    spread(
      'added, ms',
      of(({ waitBefore, waitWhile }) => Math.max(0, waitWhile - waitBefore)),
    ),
    spread(
      'checks while it loads',
      of(({ checks }) => checks),
    ),
    spread(
      'of them decided locally',
      of(({ local }) => local),
    ),
    spread(
      'changes of the breaker',
      of(({ breakers }) => breakers),
    ),
    spread(
      'status of the first request, listed',
      of(({ first }) => first),
    ),
  ]),
);
