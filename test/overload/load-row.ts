import { Contestant, type Entry } from './contestant.js';
import { sumOf, type Seen } from './flood.js';
import { hasShedder, PRIORITIES, type ServerState } from './terms.js';

/** What one load has shown. Parts are of 1. */
export interface LoadRow extends Entry {
  readonly kind: 'load';
  /** Of the capacity. */
  readonly load: number;
  /** Which of several runs. */
  readonly run: number;
  readonly seconds: number;
  readonly version: string;
  readonly date: string;
  /** Requests a second. */
  readonly capacity: number;
  /** Served within a second, of those that came. */
  readonly critical: number;
  readonly normal: number;
  readonly sheddable: number;
  /** Of the critical requests of the first three seconds, and of those after them. */
  readonly first: number;
  readonly later: number;
  /** All that were served in time, of the capacity, and of what refusals and other programs leave of it. */
  readonly good: number;
  readonly ofRest: number;
  /** Refusals a second. */
  readonly refused: number;
  /** Milliseconds. */
  readonly p99: number;
  /** Milliseconds from the end of the load until the level was 0. Absent without a shedder, and where it did not fall. */
  readonly calmAfter?: number | undefined;
  /** The part of the time in which the server waited for a core. */
  readonly noCore: number;
}

const BEFORE = 1_000;
const AFTER = 2_000;
/** Of the capacity, before and after a load. */
const CALM = 0.5;

/** What a server can do. */
export interface Power {
  /** Requests a second. */
  readonly capacity: number;
  /** Milliseconds of a core that a refusal takes. */
  readonly refusal: number;
}

export async function powerOf(contestant: Contestant, entry: Entry): Promise<Power> {
  await contestant.flood.answered(1_500);
  const measured: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const before = contestant.waited();
    const { requests, lasts } = await contestant.flood.answered(1_000);
    // With a core for all of the time.
    measured.push((requests * 1_000) / (lasts - contestant.waited() + before));
  }
  return {
    capacity: measured.toSorted((one, other) => one - other)[1]!,
    refusal: entry.server === 'nothing' ? 0 : await refusalOf(entry),
  };
}

/** Milliseconds of processor that a server takes for a refusal, with its connection: other programs change it little. */
export async function refusalOf(entry: Entry): Promise<number> {
  const contestant = await Contestant.start(entry, { sheds: 'always' });
  const refuse = async (requests: number) => {
    let left = requests;
    const client = async () => {
      while ((left -= 1) >= 0) {
        const status = await contestant.flood.ask('sheddable', 10_000);
        if (status !== 503) throw new Error(`the server has answered ${status}`);
      }
    };
    await Promise.all(Array.from({ length: 32 }, client));
  };
  // @fastify/under-pressure looks at its process from time to time.
  while ((await contestant.flood.ask('sheddable', 10_000)) !== 503);
  await refuse(2_000);
  const before = await contestant.state();
  await refuse(2_000);
  const after = await contestant.state();
  await contestant.stop();
  return (after.used - before.used) / 1_000 / 2_000;
}

/** Half of the capacity, the load, and half of the capacity again. */
export async function loadRow(
  contestant: Contestant,
  entry: Entry,
  { load, run, seconds, power }: { load: number; run: number; seconds: number; power: Power },
): Promise<LoadRow> {
  const { capacity, refusal } = power;
  let [waited, ended, noCore] = [0, 0, 0];
  const calm = CALM * capacity;
  const [, seen] = await contestant.flood.send(
    [
      { rate: calm, lasts: BEFORE },
      { rate: load * capacity, lasts: seconds * 1_000, begins: () => (waited = contestant.waited()) },
      {
        rate: calm,
        lasts: AFTER,
        begins: () => {
          noCore = (contestant.waited() - waited) / (seconds * 1_000);
          ended = Date.now();
        },
      },
    ],
    capacity,
  );
  const state = await contestant.state();
  const parts = Object.fromEntries(PRIORITIES.map((each) => [each, part(seen!.served[each], seen!.came[each])]));
  const good = sumOf(seen!.served) / (capacity * seconds);
  const refused = sumOf(seen!.refused) / seconds;
  return {
    kind: 'load',
    ...entry,
    load,
    run,
    seconds,
    version: state.version,
    date: new Date().toISOString().slice(0, 10),
    capacity: round(capacity, 1),
    ...(parts as Pick<LoadRow, 'critical' | 'normal' | 'sheddable'>),
    ...firstAndLater(seen!),
    good: round(good),
    ofRest: round(good / Math.max(0.01, 1 - noCore - (refused * refusal) / 1_000)),
    refused: round(refused, 1),
    p99: Math.round(seen!.times.toSorted((one, other) => one - other)[Math.floor(seen!.times.length * 0.99)] ?? 0),
    calmAfter: calmAfter(entry, state, ended),
    noCore: round(noCore),
  };
}

/** Undefined without a shedder, and where the level has not fallen. */
export function calmAfter({ server }: Entry, { level, troubled }: ServerState, ended: number): number | undefined {
  if (!hasShedder(server) || level > 0) return undefined;
  return Math.max(0, troubled - ended);
}

function firstAndLater({ came, served, first }: Seen): Pick<LoadRow, 'first' | 'later'> {
  return {
    first: part(first.served, first.came),
    later: part(served.critical - first.served, came.critical - first.came),
  };
}

function part(of: number, all: number): number {
  return all === 0 ? 1 : round(of / all);
}

export function round(value: number, digits = 4): number {
  return Number(value.toFixed(digits));
}
