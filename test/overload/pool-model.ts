import { randomOf } from '../../packages/cli/src/simulate/random/random.js';
import { AcquisitionQueue } from '../../packages/overload/src/queues/acquisition-queue.js';
import type { QueueSettings } from '../../packages/overload/src/queues/queue-options.js';
import { PRIORITIES, type Priority } from '../../packages/overload/src/shed/priority.js';
import { ManualLoop } from '../support/manual-loop.js';

/** A pool under a load, in milliseconds of the model's time. */
export interface PoolScene {
  /** Requests that arrive, as a part of those that the pool can serve. */
  readonly load: number;
  /** Connections. @default 10 */
  readonly max?: number;
  /** What queries take, at random. @default [50] */
  readonly queries?: readonly number[];
  /** The parts of the capacity that critical requests take, and that normal ones take. The others are sheddable. @default 0.2 */
  readonly critical?: number;
  /** @default 0.4 */
  readonly normal?: number;
  /** When no connection is released, and for how long. @default never */
  readonly stuck?: { readonly at: number; readonly lasts: number };
  /** Milliseconds of the load, after which the pool is left alone. @default 10 seconds */
  readonly lasts?: number;
  readonly mode?: QueueSettings['mode'];
  readonly seed?: number;
}

export interface PoolSeen {
  readonly came: Record<Priority, number>;
  /** Within a second. */
  readonly served: Record<Priority, number>;
  readonly refused: Record<Priority, number>;
  /** Of the capacity, within a second of the request. */
  readonly goodput: number;
  /** Milliseconds from the end of the load until the level is 0. */
  readonly calmAfter: number;
  /** When requests were refused, and how long they had waited. */
  readonly refusals: readonly (readonly [at: number, waited: number])[];
  /** When requests that came after the pool was stuck were served. */
  readonly servedAt: readonly number[];
  readonly levels: readonly number[];
}

const PATIENCE = 1_000;
const REST = 6_000;

/** A pool of connections, and requests that each need one for a query. */
export function runPool(scene: PoolScene): PoolSeen {
  const { load, max = 10, queries = [50], critical = 0.2, normal = 0.4, stuck, lasts = 10_000 } = scene;
  const next = randomOf(scene.seed ?? 1);
  const clock = new ManualLoop();
  const queue = new AcquisitionQueue({ name: 'pool', target: 200, max, mode: scene.mode ?? 'enforce' }, clock);
  const agenda = new Map<number, (() => void)[]>();
  const at = (time: number, act: () => void) => {
    const due = Math.max(now + 1, Math.ceil(time));
    const acts = agenda.get(due);
    if (acts === undefined) agenda.set(due, [act]);
    else acts.push(act);
  };
  let now = 0;
  const counts = () => Object.fromEntries(PRIORITIES.map((each) => [each, 0])) as Record<Priority, number>;
  const [came, served, refused] = [counts(), counts(), counts()];
  const refusals: (readonly [number, number])[] = [];
  const servedAt: number[] = [];
  const levels: number[] = [];
  let busy = 0;
  queue.watch({
    totalCount: max,
    waitingCount: 0,
    get idleCount() {
      return max - busy;
    },
    options: { max },
    on: () => {},
    connect: (callback: () => void) => {
      busy += 1;
      callback();
    },
  });
  const release = (then: () => void) => {
    if (stuck !== undefined && now >= stuck.at && now < stuck.at + stuck.lasts) {
      at(stuck.at + stuck.lasts, () => release(then));
      return;
    }
    busy -= 1;
    then();
    queue.letIn();
  };
  const mean = queries.reduce((sum, each) => sum + each, 0) / queries.length;
  const capacity = max / mean;
  const arrive = (priority: Priority) => {
    const since = now;
    came[priority] += 1;
    queue.enter(
      {
        start: () => {
          busy += 1;
          const query = queries[Math.floor(next() * queries.length)]!;
          at(now + query, () =>
            release(() => {
              if (now - since <= PATIENCE) served[priority] += 1;
              servedAt.push(now);
            }),
          );
        },
        fail: () => {
          refused[priority] += 1;
          refusals.push([now, now - since]);
        },
      },
      { priority },
    );
  };
  const sources: (() => void)[] = [];
  /** Requests at random times. */
  const source = (priority: Priority, rate: number) => {
    const pause = () => -Math.log(1 - next()) / rate;
    let following = pause();
    const arriveUntilNow = () => {
      for (; following <= now; following += pause()) arrive(priority);
    };
    if (rate > 0) sources.push(arriveUntilNow);
  };
  source('critical', capacity * Math.min(load, critical));
  source('normal', capacity * Math.min(Math.max(0, load - critical), normal));
  source('sheddable', capacity * Math.max(0, load - critical - normal));
  let calmAt = 0;
  for (now = 1; now <= lasts + REST; now += 1) {
    const acts = agenda.get(now) ?? [];
    agenda.delete(now);
    clock.advance(now);
    for (const act of acts) act();
    if (now <= lasts) for (const arriveUntilNow of sources) arriveUntilNow();
    if (now % 10 === 0) clock.tickAt(now);
    if (queue.level > 0) calmAt = now;
    if (now % 100 === 0) levels.push(Math.round(queue.level));
  }
  const good = PRIORITIES.reduce((sum, each) => sum + served[each], 0);
  return {
    came,
    served,
    refused,
    goodput: good / (capacity * lasts),
    calmAfter: Math.max(0, calmAt - lasts),
    refusals,
    servedAt,
    levels,
  };
}
