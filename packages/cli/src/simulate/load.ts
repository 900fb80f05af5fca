import { usage } from '../failure/failure.js';
import { parseTime } from '../invocation/time.js';
import { MAX_ARRIVALS, type Arrival } from './arrivals.js';
import { randomOf } from './random/random.js';

/** A part of a load: `steady:10/s`, `bursts:50/1m`, `poisson:5/s`. */
interface Pattern {
  readonly kind: 'steady' | 'bursts' | 'poisson';
  /** Requests. */
  readonly count: number;
  /** In milliseconds. */
  readonly every: number;
}

export interface LoadSetup {
  /** Of the simulation, in milliseconds. */
  readonly duration: number;
  readonly seed: number;
  /** Requests of files. @default none */
  readonly traced?: readonly Arrival[];
  /** Requests. @default 5 million */
  readonly most?: number;
}

/** The requests of a simulation, and how many clients send them. */
export interface Load {
  readonly arrivals: readonly Arrival[];
  readonly clients: number;
  /** Milliseconds. Of files alone it is the time of their last request. */
  readonly duration: number;
}

const KINDS = ['steady', 'bursts', 'poisson'] as const;

/**
 * The requests of all parts of a load together. Each client sends all of them, at times of its own. A file has the
 * requests themselves.
 *
 * @throws Failure for a text that is no load
 */
export function loadOf(texts: readonly string[], setup: LoadSetup): Load {
  const { duration, seed, traced = [], most = MAX_ARRIVALS } = setup;
  const arrivals = [...traced];
  const patterns: Pattern[] = [];
  let clients = 1;
  for (const text of texts) {
    const [, count] = /^clients:(\d+)$/.exec(text) ?? [];
    if (count !== undefined) clients = Math.max(1, Number(count));
    else patterns.push(patternOf(text));
  }
  const expected = patterns.reduce(
    (sum, { count, every }) => sum + (count * duration * clients) / every,
    arrivals.length,
  );
  if (expected > most) {
    throw usage(`--load: ${expected.toPrecision(3)} requests are too many; at most ${most}: shorten --for`);
  }
  const random = randomOf(seed);
  for (let client = 0; client < clients; client += 1) {
    for (const pattern of patterns) {
      // The first client begins at 0, so that a load of one client is easy to read.
      const phase = client === 0 ? 0 : random() * pattern.every;
      for (const time of timesOf(pattern, { phase, duration, random })) arrivals.push({ time, client, cost: 1 });
    }
  }
  arrivals.sort((one, other) => one.time - other.time);
  if (arrivals.length === 0) throw usage('--load: there is no request');
  const names = new Set(arrivals.map(({ client }) => client));
  return { arrivals, clients: names.size, duration: patterns.length > 0 ? duration : arrivals.at(-1)!.time + 1 };
}

/** @throws Failure */
function patternOf(text: string): Pattern {
  const [, name, count, every] = /^([a-z]+):(\d+)\/(.+)$/.exec(text) ?? [];
  const kind = KINDS.find((each) => each === name);
  // `10/s` is `10/1s`.
  const time = every === undefined ? undefined : parseTime(/^\d/.test(every) ? every : `1${every}`);
  if (kind !== undefined && time !== undefined && Number(count) > 0) return { kind, count: Number(count), every: time };
  throw usage(
    `--load ${text}: write a whole number of requests and a time, such as steady:10/s, bursts:50/1m or poisson:5/s; clients:100; or the name of a file`,
  );
}

function* timesOf(
  { kind, count, every }: Pattern,
  { phase, duration, random }: { phase: number; duration: number; random: () => number },
): Generator<number> {
  if (kind === 'poisson') {
    for (let time = wait(random, every / count); time < duration; time += wait(random, every / count))
      yield exact(time);
    return;
  }
  for (let index = 0; ; index += 1) {
    const time = phase + (kind === 'bursts' ? Math.floor(index / count) * every : (index * every) / count);
    if (time >= duration) return;
    yield exact(time);
  }
}

/** The time between two requests of a Poisson process. */
function wait(random: () => number, mean: number): number {
  return -Math.log(1 - random()) * mean;
}

/** Whole microseconds, as stores count. */
function exact(milliseconds: number): number {
  return Math.round(milliseconds * 1e3) / 1e3;
}
