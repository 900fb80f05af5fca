import { createLimiter, type Tier } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { CallPlayer } from '../drive/call-player.js';
import { RecordingClient } from '../drive/recording-client.js';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf } from '../measure/row.js';
import type { Sample } from '../measure/sample.js';
import { KEYS, type Mode } from '../mode.js';
import type { Bench, Part, PartResult } from './bench.js';
import { raceSeconds } from './plan.js';

export const INCREMENT = 'INCR and PEXPIRE in a script';
const DAY = '1d';
const MANY = 1_000_000;
const ALGORITHMS = ['fixed-window', 'sliding-window', 'token-bucket'] as const;
/** Checks of a full batch. */
const FULL = 32;
/** Checks that are sent together, so that most batches are full. */
const WAVE = 1_024;

interface Work {
  readonly name: string;
  readonly tiers: readonly Tier<string>[];
  /** Checks in a call. */
  readonly size: number;
}

type Algorithm = (typeof ALGORITHMS)[number];

const rate = (algorithm: Algorithm, limit = MANY, name = 'one'): Tier<string> => ({
  name,
  key: (key) => `${name} ${key}`,
  algorithm,
  limit,
  window: DAY,
});
const three = (algorithm: Algorithm, limit = MANY) => [
  rate(algorithm, limit),
  rate(algorithm, MANY, 'two'),
  rate(algorithm, MANY, 'three'),
];
const permit: Tier<string> = { name: 'running', key: (key) => key, algorithm: 'concurrency', limit: 5 };

/** Calls of a full batch and of one check. */
const all = [
  ...ALGORITHMS.map((algorithm) => [`Sluice ${algorithm}`, [rate(algorithm)]] as const),
  ...ALGORITHMS.map((algorithm) => [`Sluice ${algorithm}, three tiers`, three(algorithm)] as const),
  ['Sluice concurrency', [permit]] as const,
  ['Sluice fixed-window and concurrency', [rate('fixed-window'), permit]] as const,
  ['Sluice token-bucket, denied', [rate('token-bucket', 1)]] as const,
  ['Sluice fixed-window, three tiers, denied by one', three('fixed-window', 1)] as const,
].flatMap(([name, tiers]) => [1, FULL].map((size): Work => ({ name: `${name}, ${size} a call`, tiers, size })));

const BARRED = new Set(
  ['fixed-window, 1 a call', 'fixed-window, 32 a call', 'fixed-window, three tiers, 1 a call'].map(
    (name) => `Sluice ${name}`,
  ),
);

/** CPU of Redis for a check, by the calls that a store has made, sent again without it. */
export const scriptsPart: Part = {
  plan: (mode) => raceSeconds(mode, worksOf(mode).length) + worksOf(mode).length / 2,
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const { mode, port, progress, seed, meter } = bench;
  const title = 'Scripts: CPU of Redis for a check, by checks in a call';
  const works = worksOf(mode);
  const names = works.map(({ name }) => name);
  progress.begin(title, names.length + sliceCount({ contestants: names, rounds: mode.rounds }));
  await meter.flush();
  const player = await CallPlayer.connect(port);
  try {
    const calls = new Map([[INCREMENT, await player.increments(callsOf(mode, 1))]]);
    for (const work of works) {
      calls.set(work.name, await record(work, port, mode));
      progress.step();
    }
    const measure = async (name: string): Promise<Sample> => {
      const recorded = calls.get(name)!;
      await player.play(recorded, mode.slice / 4);
      const { value: checks, used } = await meter.around(() => player.play(recorded, mode.slice));
      const [redisCpu, scriptTime] = [used.cpu / checks, used.scripts / checks];
      const bytes = { bytesIn: used.bytesIn / checks, bytesOut: used.bytesOut / checks };
      const none = { p50: NaN, p99: NaN, cpu: NaN, fromProcess: 0, commands: 1 / recorded.size };
      return { ...none, ...bytes, rate: 1e6 / redisCpu, redisCpu, scriptTime };
    };
    const onSlice = () => progress.step();
    const options = { contestants: names, reference: INCREMENT, rounds: mode.rounds, seed, measure, onSlice };
    const rows = rowsOf(
      works.map(({ name }) => ({ name, kind: 'sluice' as const })),
      await interleave(options),
    );
    return { tables: [{ part: 'scripts', title, reference: INCREMENT, rows }] };
  } finally {
    player.end();
  }
}

/** A short run has what the bars are about. */
function worksOf({ field }: Mode): readonly Work[] {
  return field === 'all' ? all : all.filter(({ name }) => BARRED.has(name));
}

/** How many calls are recorded: in all of them some ten thousand keys. */
function callsOf({ name }: Mode, size: number): number {
  return Math.ceil((name === 'smoke' ? KEYS / 20 : KEYS) / size / (size === 1 ? 4 : 1));
}

/** The calls for checks of keys that are there. */
async function record(work: Work, port: number, mode: Mode) {
  const { tiers, size } = work;
  const client = new RecordingClient(port, size * tiers.length);
  const store = redisStore(client, { deadline: '10s' });
  const limiter = createLimiter<string>({ store, prefix: `s${all.indexOf(work)}`, tiers, denyCache: false });
  const wanted = callsOf(mode, size);
  const wave = size === 1 ? 1 : WAVE;
  for (let key = 0; client.commands.length < wanted; key += wave) {
    const decisions = Array.from({ length: wave }, (_, index) => limiter.consume(String(key + index)));
    await Promise.all(decisions);
  }
  await limiter.close();
  await store.close();
  client.end();
  return { commands: client.commands.slice(0, wanted), size };
}
