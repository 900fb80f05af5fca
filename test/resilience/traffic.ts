import { setTimeout as delay } from 'node:timers/promises';
import type { Decision, Limiter, OnStoreFailure } from '../../packages/core/src/index.js';
import { Lag } from './lag.js';
import { isHonest } from './honest.js';

// How to add a fault:
//
//   1. Write what it needs as a `Fault` (fault.ts): `set()` starts the servers, sound, and gives a scene that can
//      `strike`, `heal` and `stop`. A wire that breaks is in test/support/wire.ts.
//   2. Say in `expects` what it does to a limiter where that differs: the bounds that always hold are in verdict.ts.
//   3. Put it into a list of faults: `npm run faults` runs it in full, a spec runs it shorter, both by `runFault`
//      (fault-run.ts), and both judge its row by `brokenBounds` (verdict.ts).
//
// What runs otherwise (several processes, a soak) takes the parts: `Traffic` over limiters of `limitersOn`
// (limiters.ts), `Journal` for events, `hitsOn` (ledger.ts) for what Redis has counted, `firstPong` (pong.ts).

/** Somebody who asks. Nothing of it may be seen in an event. */
export interface Subject {
  readonly id: string;
}

export interface Limited {
  readonly onStoreFailure: OnStoreFailure;
  readonly limiter: Limiter<Subject>;
}

export interface TrafficOptions {
  /** Of each limiter, each with one request under way. @default 4 */
  readonly callers?: number;
  /** Subjects that the callers of a limiter take turns with. @default 6 */
  readonly subjects?: number;
  /** Milliseconds that a caller rests after each decision. @default 4 */
  readonly pace?: number;
}

/** Who has decided: Redis, or what was done without it. */
export type DecidedBy = 'redis' | OnStoreFailure;

/** One limiter has begun to be answered by somebody else. */
export interface Turn {
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
  readonly limiter: OnStoreFailure;
  readonly by: DecidedBy;
}

/** What every subject's identity begins with. */
export const IDENTITY = 'ada.lovelace+';

/** Steady traffic of several callers, from now until it is stopped, and what became of it. */
export class Traffic {
  readonly rejections: unknown[] = [];
  readonly turns: Turn[] = [];
  /** Decisions that are not what their `source` and the limiter's settings say. */
  readonly dishonest: Decision[] = [];
  readonly decidedBy: Record<DecidedBy, number> = { redis: 0, local: 0, allow: 0, deny: 0 };
  /** Admitted by Redis, which has counted one hit for each. */
  admitted = 0;
  /** Milliseconds that a caller has waited at most. */
  longest = 0;
  readonly #lag = new Lag();
  readonly #pace: number;
  readonly #callers: Promise<void>[];
  readonly #lastBy = new Map<Limited, DecidedBy>();
  #waiting: { by: DecidedBy; resolve: (at: number) => void }[] = [];
  #stopped = false;

  constructor(limited: readonly Limited[], { callers = 4, subjects = 6, pace = 4 }: TrafficOptions = {}) {
    this.#pace = pace;
    this.#callers = limited.flatMap((each) =>
      Array.from({ length: callers }, (_, index) => this.#call(each, index, subjects)),
    );
  }

  get decisions(): number {
    const { redis, local, allow, deny } = this.decidedBy;
    return redis + local + allow + deny;
  }

  /** Milliseconds that the event loop was late at most. */
  get lag(): number {
    return this.#lag.worst;
  }

  /** Resolves when the next decision is made so, to the milliseconds of `performance.now()`. */
  next(by: DecidedBy): Promise<number> {
    return new Promise((resolve) => void this.#waiting.push({ by, resolve }));
  }

  /** Resolves when the last caller has its decision. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#callers);
    this.#lag.stop();
    // Its last probes arrive.
    await delay(this.#pace);
  }

  async #call(limited: Limited, caller: number, subjects: number): Promise<void> {
    for (let turn = caller; !this.#stopped; turn += 1) {
      const begun = performance.now();
      try {
        const decision = await limited.limiter.consume({ id: `${IDENTITY}${turn % subjects}@example.org` });
        this.#note(limited, decision);
      } catch (reason) {
        this.rejections.push(reason);
      }
      this.longest = Math.max(this.longest, performance.now() - begun);
      await delay(this.#pace);
    }
  }

  #note(limited: Limited, decision: Decision): void {
    const by = decidedBy(decision);
    this.decidedBy[by] += 1;
    if (by === 'redis' && decision.allowed) this.admitted += 1;
    if (!isHonest(decision, limited.onStoreFailure)) this.dishonest.push(decision);
    const at = performance.now();
    if (this.#lastBy.get(limited) !== by) this.turns.push({ at, limiter: limited.onStoreFailure, by });
    this.#lastBy.set(limited, by);
    if (this.#waiting.length === 0) return;
    const told = this.#waiting.filter((each) => each.by === by);
    this.#waiting = this.#waiting.filter((each) => each.by !== by);
    for (const { resolve } of told) resolve(at);
  }
}

function decidedBy({ source, allowed }: Decision): DecidedBy {
  if (source !== 'none') return source === 'local' ? 'local' : 'redis';
  return allowed ? 'allow' : 'deny';
}
