import { chain, ConfigError, type MaybePromise } from '@sluice/core/internal';
import type { LoopClock } from '../shed/loop-watch.js';
import type { Priority } from '../shed/priority.js';
import { SHEDDER_FEATURE, type ShedderFacets } from '../shed/shedder-feature.js';
import { Line } from './line.js';
import { OverloadError } from './overload-error.js';
import { pass, passingOf, type Passing } from './passing.js';
import { PendingRoom } from './pending-room.js';
import { queueEvent, queueRefusalEvent } from './queue-events.js';
import type { QueueDelay, QueueSettings, WaitOptions } from './queue-options.js';
import { watchPool } from './watchers/watch-pool.js';
import type { Acquisition } from './watchers/watching-queue.js';

const COHORTS = 100;
/** Acquisitions that a pool is asked for together, of which nobody knows the size. */
const MAX = 10;

/** An acquisition that has to wait. */
interface Asking extends Acquisition {
  readonly passing: Passing | undefined;
  readonly priority: Priority;
  readonly signal: AbortSignal | undefined;
}

/** Implements `QueueDelay`, which has the docs. */
export class AcquisitionQueue implements QueueDelay {
  readonly name: string;
  readonly [SHEDDER_FEATURE]: ShedderFacets = { pass, scarce: this };
  readonly #settings: QueueSettings;
  readonly #clock: LoopClock;
  readonly #pending: PendingRoom;
  #line: Line;
  #isWatching = false;
  /** The turn of `wait` has come: what it asks a watched pool for is no other acquisition. */
  #isAsking = false;
  /** Says that an acquisition waits. */
  readonly #use: () => void;

  constructor(settings: QueueSettings, clock: LoopClock) {
    this.name = settings.name;
    this.#settings = settings;
    this.#clock = clock;
    this.#pending = new PendingRoom(settings.max ?? MAX);
    this.#line = new Line(settings.target, this.#pending);
    this.#use = clock.listen((now) => this.#tick(now));
  }

  get level(): number {
    return this.#line.level.level;
  }

  get standing(): number {
    return this.#line.level.standing;
  }

  get waiting(): number {
    return this.#line.size;
  }

  get max(): number | undefined {
    return this.#settings.max;
  }

  wait<T>(acquire: () => PromiseLike<T> | T, options?: WaitOptions): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const start = () => {
        this.#pending.begin();
        const end = () => {
          this.#pending.end();
          this.letIn();
        };
        this.#isAsking = true;
        const acquired = new Promise<T>((settle) => settle(acquire()));
        this.#isAsking = false;
        acquired.then(end, end);
        resolve(acquired);
      };
      this.#enter({ start, fail: reject }, options);
    });
  }

  watch<Pool extends object>(pool: Pool): Pool {
    const { name } = this;
    if (this.#isWatching) {
      const rule = 'watches a pool already: write another queueDelay for each pool';
      throw new ConfigError('OPTION_INVALID', 'watch', undefined, `queueDelay(${JSON.stringify(name)}): ${rule}`);
    }
    this.#line = new Line(this.#settings.target, watchPool(pool, this));
    this.#isWatching = true;
    return pool;
  }

  /** A watched pool is asked: the acquisition starts when it is its turn. */
  enter(acquisition: Acquisition, options?: WaitOptions): void {
    if (this.#isAsking) {
      // The pool may call back at once, and whoever is called may ask for another one.
      this.#isAsking = false;
      acquisition.start();
    } else this.#enter(acquisition, options);
  }

  #enter(acquisition: Acquisition, { request, priority, signal }: WaitOptions = {}): void {
    if (this.#settings.mode === 'off') acquisition.start();
    else {
      const passing = passingOf(request);
      if (this.#line.isOpen) {
        this.#line.countStart();
        this.#start(acquisition, passing);
      } else {
        this.#ask({
          start: () => acquisition.start(),
          fail: (error) => acquisition.fail(error),
          passing,
          // What has begun goes on: half of the work of a request is worth nothing.
          priority: passing?.isServedBy(this) ? 'critical' : (priority ?? passing?.priority ?? 'normal'),
          signal,
        });
      }
    }
  }

  countRefusal(priority: Exclude<Priority, 'critical'>): void {
    this.#line.countRefusal(priority);
  }

  /** A pool has room. */
  letIn(): void {
    if (this.#line.size > 0) this.#line.letIn(this.#clock.now());
  }

  #ask(asking: Asking): void {
    const { priority } = asking;
    this.#use();
    // Cohorts below it are refused.
    const bound = priority === 'normal' ? this.level - COHORTS : this.level;
    if (priority === 'critical' || bound <= 0) this.#stand(asking);
    else if (bound >= COHORTS) this.#refuseByLevel(asking);
    else void chain(cohortOf(asking), (cohort) => (cohort < bound ? this.#refuseByLevel(asking) : this.#stand(asking)));
  }

  #stand(asking: Asking): void {
    const { priority, passing } = asking;
    let hasLeft = false;
    let exit = () => {};
    const forget = whenLeft(asking, (reason) => {
      hasLeft = true;
      exit();
      asking.fail(reason);
    });
    if (hasLeft) return;
    exit = this.#line.enter(this.#clock.now(), {
      priority,
      start: () => {
        forget();
        this.#start(asking, passing);
      },
      refuse: () => {
        forget();
        this.#refuse(asking);
      },
    });
  }

  #start(acquisition: Acquisition, passing: Passing | undefined): void {
    passing?.serve(this);
    acquisition.start();
  }

  #refuseByLevel(asking: Asking): void {
    this.countRefusal(asking.priority as Exclude<Priority, 'critical'>);
    this.#refuse(asking);
  }

  #refuse(asking: Asking): void {
    const shadow = this.#settings.mode === 'shadow';
    if (queueRefusalEvent.hasSubscribers) {
      const { name: queue, level, standing } = this;
      const priority = asking.priority as Exclude<Priority, 'critical'>;
      queueRefusalEvent.publish({ queue, priority, level, standing, shadow });
    }
    if (shadow) this.#stand(asking);
    else asking.fail(new OverloadError(this.name));
  }

  /** @returns whether the ticks may end while nobody waits */
  #tick(now: number): boolean {
    const hasEnded = this.#line.tick(now, this.#settings.mode === 'enforce');
    if (hasEnded && queueEvent.hasSubscribers) {
      const { name: queue, level, standing, waiting } = this;
      queueEvent.publish({ queue, level, standing, waiting });
    }
    return this.#line.level.isCalm && this.#line.size === 0;
  }
}

/** Any cohort for work without a request. */
function cohortOf({ passing }: Asking): MaybePromise<number> {
  return passing?.cohort() ?? Math.random() * COHORTS;
}

/** Calls back when nobody waits any longer: at once if that has happened. @returns ends that */
function whenLeft({ signal, passing }: Asking, callback: (reason: unknown) => void): () => void {
  if (signal === undefined) return passing?.whenOver(callback) ?? (() => {});
  const leave = () => callback(signal.reason);
  if (signal.aborted) {
    leave();
    return () => {};
  }
  signal.addEventListener('abort', leave, { once: true });
  return () => signal.removeEventListener('abort', leave);
}
