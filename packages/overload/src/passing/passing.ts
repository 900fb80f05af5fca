// passing/ remembers a request behind its gate: its priority, its deadline, and who waits for its answer. A request enters
// with what its shedder knows of it. It imports no other room.
import { AsyncLocalStorage } from 'node:async_hooks';

import { type MaybePromise, processWide } from '@sluice/core/internal';
import { type HttpRequest, onClose, type ShedVisit } from '@sluice/http/internal';
import type { Priority } from './priority.js';

/** What a shedder tells of a request when somebody asks. */
export interface PassingFacts {
  readonly priority: () => Priority;
  /** From 0 to 99: those below a level are refused. */
  readonly cohort: () => MaybePromise<number>;
  /** Milliseconds from now. @default none */
  readonly deadline: number | undefined;
}

/** A request that a gate has let through, while its handler works. */
export class Passing {
  readonly #visit: ShedVisit<unknown>;
  readonly #facts: PassingFacts;
  /** Monotonic milliseconds. Infinity without a deadline. */
  readonly until: number;
  /** Queues that have served it: what has begun goes on. Undefined while there is none. */
  #served: Set<object> | undefined;
  #priority: Priority | undefined;
  #controller: AbortController | undefined;

  constructor(visit: ShedVisit<unknown>, facts: PassingFacts) {
    this.#visit = visit;
    this.#facts = facts;
    this.until = facts.deadline === undefined ? Infinity : performance.now() + facts.deadline;
  }

  /** Asks the application once. */
  get priority(): Priority {
    return (this.#priority ??= this.#facts.priority());
  }

  cohort(): MaybePromise<number> {
    return this.#facts.cohort();
  }

  isServedBy(queue: object): boolean {
    return this.#served !== undefined && this.#served.has(queue);
  }

  serve(queue: object): void {
    (this.#served ??= new Set()).add(queue);
  }

  /** Aborts when the client has left, or its deadline is over. It is made when it is first asked for. */
  signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      this.#watch(this.#controller);
    }
    return this.#controller.signal;
  }

  #watch(controller: AbortController): void {
    const { request, response } = this.#visit as ShedVisit<HttpRequest>;
    let end = () => {};
    const stop = onClose(response, request.socket, () => {
      end();
      controller.abort(new DOMException('The client of the request has left, or has its answer', 'AbortError'));
    });
    if (this.until === Infinity || controller.signal.aborted) return;
    const timer = setTimeout(
      () => {
        stop();
        controller.abort(new DOMException('The deadline of the request is over', 'TimeoutError'));
      },
      Math.max(0, this.until - performance.now()),
    );
    timer.unref();
    end = () => clearTimeout(timer);
  }
}

/** Where requests are found again: by the work that runs for them, and by themselves. */
interface Passings {
  readonly current: AsyncLocalStorage<Passing>;
  readonly byRequest: WeakMap<object, Passing>;
}

const passings = () =>
  processWide('passings', (): Passings => ({ current: new AsyncLocalStorage(), byRequest: new WeakMap() }));

/** Remembers a request for all that its gate calls next. */
export function pass(visit: ShedVisit<unknown>, facts: PassingFacts): void {
  const passing = new Passing(visit, facts);
  const { current, byRequest } = passings();
  byRequest.set(visit.request as object, passing);
  current.enterWith(passing);
}

/** @param request that of the gate. @default the request whose handler calls */
export function passingOf(request?: object): Passing | undefined {
  const { current, byRequest } = passings();
  return request === undefined ? current.getStore() : byRequest.get(request);
}
