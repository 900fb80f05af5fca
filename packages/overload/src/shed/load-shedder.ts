import {
  callUserFunction,
  chain,
  type Decision,
  identityText,
  type Key,
  type MaybePromise,
  undecided,
} from '@sluice/core/internal';
import { attach, hasLeft, type HttpRequest, SHED, type ShedVisit, type Visit } from '@sluice/http/internal';
import { cohortDigester, cohortOf, COHORTS } from './cohort.js';
import { LoadLevel } from './load-level.js';
import type { LoopClock } from './loop-watch.js';
import { loadEvent, type ShedEvent, shedEvent } from './shed-events.js';
import type { ScarceQueue } from './scarce-queue.js';
import type { EarlierWaits, ShedderFacets, ShedderGate } from './shedder-feature.js';
import type { Shedder, ShedderSettings, Wish } from './shedder-options.js';
import { warnOf, wishOf } from './wish.js';

/** Looks for mistakes of the application in a request. @returns false when it has found all */
export type Inspect = (request: HttpRequest) => boolean;

const OWNER = 'shedder';

/** What is known of a request. */
interface Facts {
  /** Tiers that have counted and demoted it. */
  readonly demotedBy?: readonly string[] | undefined;
  readonly wish?: Wish;
}

/** Why a request is refused. */
interface Refusal {
  readonly priority: ShedEvent['priority'];
  readonly demotedBy: readonly string[] | undefined;
  /** Overloaded, and needed. Undefined for the event loop. */
  readonly queue: ScarceQueue | undefined;
}

/** Implements `Shedder`, which has the docs. */
export class LoadShedder<S> implements Shedder<S> {
  readonly #settings: ShedderSettings<S>;
  readonly #clock: LoopClock;
  readonly #load: LoadLevel;
  /** Says that a request has come. */
  readonly #use: () => void;
  readonly #earlier: readonly EarlierWaits[];
  readonly #queues: readonly ScarceQueue[];
  /** Undefined when it is over, soon after the start. */
  #inspect: Inspect | undefined;
  /** Requests that are not refused because of `shadow`. */
  readonly #shadowed = new WeakSet<object>();
  /** What features are told of requests that go on. */
  readonly #gate: ShedderGate;
  readonly #passes: readonly NonNullable<ShedderFacets['pass']>[];

  constructor(settings: ShedderSettings<S>, clock: LoopClock, inspect?: Inspect) {
    this.#inspect = inspect;
    this.#settings = settings;
    const { facets } = settings;
    this.#earlier = facets.flatMap((facet) => facet.measure?.() ?? []);
    this.#queues = facets.flatMap(({ scarce }) => scarce ?? []);
    this.#passes = facets.flatMap((facet) => facet.pass ?? []);
    this.#gate = {
      priorityOf: (request: S) => this.#wishOf(request).is,
      cohortOf: (visit: ShedVisit<S>) => this.#cohortOf(visit),
    };
    this.#clock = clock;
    this.#load = new LoadLevel(settings.target);
    this.#use = settings.mode === 'off' ? () => {} : clock.listen((...tick) => this.#tick(...tick));
  }

  get level(): number {
    return this.#load.level;
  }

  get standing(): number {
    return this.#load.standing;
  }

  [SHED](visit: ShedVisit<S>, demotedBy?: readonly string[]): MaybePromise<Decision | undefined> {
    if (this.#settings.mode === 'off') return undefined;
    this.#use();
    if (this.#inspect?.(visit.request as HttpRequest) === false) this.#inspect = undefined;
    // A demoted request has been through the door.
    if (demotedBy !== undefined) return this.#decide(visit, { demotedBy });
    const decided = this.#clock.door.isQueued ? this.#hold(visit) : this.#decide(visit, {});
    // What is refused at once needs nothing. What waits goes on in the context of this turn.
    if (decided === undefined || decided instanceof Promise) this.#pass(visit);
    return decided;
  }

  #pass(visit: ShedVisit<S>): void {
    for (const pass of this.#passes) pass(visit as ShedVisit<never>, this.#gate);
  }

  /** A native promise, which keeps the context of the request for the functions of the application. */
  #hold(visit: ShedVisit<S>): Promise<Decision | undefined> {
    // When it is released, its client can be gone, and its address with it.
    visit.captureAddress();
    const wish = this.#wishOf(visit.request);
    return new Promise<boolean>((release) => {
      this.#clock.door.hold({ priority: wish.is, hasLeft: () => hasLeft(visit as ShedVisit<HttpRequest>), release });
    }).then((isThere) => (isThere ? this.#decide(visit, { wish }) : undefined));
  }

  #decide(visit: ShedVisit<S>, { demotedBy, wish: known }: Facts): MaybePromise<Decision | undefined> {
    const now = this.#clock.now();
    const own = this.#load.levelAt(now, this.#clock.late(now), demotedBy === undefined ? this.#ageOf(visit, now) : 0);
    if (own <= 0 && !this.#isScarce()) return this.#admit(demotedBy);
    const { is, needs = [] } = known ?? this.#wishOf(visit.request);
    if (is === 'critical') return this.#admit(demotedBy);
    const queue = needs.find(({ level }) => level > own);
    const points = queue?.level ?? own;
    const priority = demotedBy === undefined ? is : 'sheddable';
    const facts = { priority, demotedBy, queue };
    // Cohorts below it are refused.
    const bound = priority === 'normal' ? points - COHORTS : points;
    if (bound <= 0) return this.#admit(demotedBy);
    if (bound >= COHORTS) return this.#refuse(visit, facts);
    return chain(this.#cohortOf(visit), (cohort) =>
      cohort < bound ? this.#refuse(visit, facts) : this.#admit(demotedBy),
    );
  }

  /** A queue is overloaded. */
  #isScarce(): boolean {
    for (const { level } of this.#queues) if (level > 0) return true;
    return false;
  }

  /** Milliseconds that a request has waited before it came. 0 where nothing tells. */
  #ageOf({ request }: ShedVisit<S>, now: number): number {
    let age = 0;
    for (const earlier of this.#earlier) age = Math.max(age, earlier.of(request as HttpRequest, now));
    return age;
  }

  #admit(demotedBy: readonly string[] | undefined): undefined {
    // A demoted request was counted when it came.
    if (demotedBy === undefined) this.#load.admit();
  }

  #refuse({ request }: ShedVisit<S>, { priority, demotedBy, queue }: Refusal): Decision | undefined {
    const shadow = this.#settings.mode === 'shadow';
    // One that is refused when it comes is never demoted.
    if (shedEvent.hasSubscribers && !this.#shadowed.has(request as object)) {
      const { level, standing } = queue ?? this.#load;
      shedEvent.publish({
        priority,
        level,
        standing,
        shadow,
        ...(demotedBy && { demotedBy }),
        ...(queue && { queue: queue.name }),
      });
    }
    if (!shadow) {
      this.#load.refuse();
      queue?.countRefusal?.(priority);
      return refusal();
    }
    this.#shadowed.add(request as object);
    this.#admit(demotedBy);
    return undefined;
  }

  #wishOf(request: S): Wish {
    return wishOf(request, this.#settings);
  }

  #cohortOf(visit: ShedVisit<S>): MaybePromise<number> {
    visit.captureAddress();
    // So that an identity finds the address which the gate has read.
    attach(visit as ShedVisit<S> & Visit);
    const key = callUserFunction(OWNER, 'key', this.#settings.key, visit.request);
    const cohort = (of: unknown) => cohortOfKey(of, this.#clock.date(), visit.limiter);
    if (key instanceof Promise) return key.then(cohort, () => cohort(undefined));
    return cohort(key);
  }

  /** @returns whether the level is 0, at which it may stay while no request comes */
  #tick(now: number, late: number, busy: () => number): boolean {
    const waits = this.#earlier.map((earlier) => earlier.delay(now, busy));
    const hasEnded = this.#load.tick(now, Math.max(late, ...waits), busy);
    const { level, standing } = this.#load;
    if (hasEnded && loadEvent.hasSubscribers) {
      loadEvent.publish({ level, standing, target: this.#settings.target });
    }
    return level === 0;
  }
}

/** Any cohort for a client without an identity. */
function cohortOfKey(key: unknown, now: number, limiter: object | undefined): number {
  const text = identityText(key as Key);
  if (text !== undefined) return cohortOf(text, now, cohortDigester(limiter));
  warnOf('key', 'must return an identity. Clients without one are refused at random');
  return Math.random() * COHORTS;
}

/** Clients that are refused together must not return together. */
function refusal(): Decision {
  const retryAfter = 1_000 * (1 + Math.floor(Math.random() * 5));
  return Object.assign(undecided(), { reason: 'shed', degraded: false, retryAfter } as const);
}
