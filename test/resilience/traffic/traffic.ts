import { setTimeout as delay } from 'node:timers/promises';
import type { Decision, Limiter, OnStoreFailure } from '../../../packages/core/src/index.js';
import { Lag } from './lag.js';
import { isHonest } from './honest.js';

/** A client. No event may contain its identity. */
export interface Subject {
  readonly id: string;
}

export interface Limited {
  readonly onStoreFailure: OnStoreFailure;
  readonly limiter: Limiter<Subject>;
}

export interface TrafficOptions {
  /** Callers of each limiter, with one request in flight each. @default 4 */
  readonly callers?: number;
  /** Subjects of a limiter, in rotation. @default 6 */
  readonly subjects?: number;
  /** Milliseconds between the requests of a caller. @default 4 */
  readonly pace?: number;
}

/** Redis, or what happened without it. */
export type DecidedBy = 'redis' | OnStoreFailure;

/** A change of what decides for a limiter. */
export interface Turn {
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
  readonly limiter: OnStoreFailure;
  readonly by: DecidedBy;
}

/** The start of every subject's identity. */
export const IDENTITY = 'ada.lovelace+';

/** Steady traffic of several callers until `stop`, and its results. */
export class Traffic {
  readonly rejections: unknown[] = [];
  readonly turns: Turn[] = [];
  /** Decisions that contradict their `source` or the limiter's settings. */
  readonly dishonest: Decision[] = [];
  readonly decidedBy: Record<DecidedBy, number> = { redis: 0, local: 0, allow: 0, deny: 0 };
  /** Admitted by Redis, which counted each once. */
  admitted = 0;
  /** The longest wait of a caller, in milliseconds. */
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

  /** The maximum delay of the event loop, in milliseconds. */
  get lag(): number {
    return this.#lag.worst;
  }

  /** Resolves at the next such decision, with the time of `performance.now()`. */
  next(by: DecidedBy): Promise<number> {
    return new Promise((resolve) => void this.#waiting.push({ by, resolve }));
  }

  /** Resolves after the last decision. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#callers);
    this.#lag.stop();
    // The last probes arrive.
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
    const matching = this.#waiting.filter((each) => each.by === by);
    this.#waiting = this.#waiting.filter((each) => each.by !== by);
    for (const { resolve } of matching) resolve(at);
  }
}

function decidedBy({ source, allowed }: Decision): DecidedBy {
  if (source !== 'none') return source === 'local' ? 'local' : 'redis';
  return allowed ? 'allow' : 'deny';
}
