// passing/ remembers a request behind its gate: its priority, its deadline, and who waits for its answer. A request enters
// with what its shedder knows of it. It imports no other room.
import { AsyncLocalStorage } from 'node:async_hooks';

import { type MaybePromise, processWide } from '@sluice/core/internal';
import { type HttpRequest, onClose, type ShedVisit } from '@sluice/http/internal';
import type { Priority } from './priority.js';

/** What a shedder tells of its requests when somebody asks. */
export interface PassedGate {
  priorityOf(request: never): Priority;
  /** From 0 to 99: those below a level are refused. */
  cohortOf(visit: ShedVisit<never>): MaybePromise<number>;
  /** Milliseconds that clients wait for an answer. @default as long as they like */
  readonly deadline: number | undefined;
}

/** A request that a gate has let through, while its handler works. */
export class Passing {
  readonly #visit: ShedVisit<never>;
  readonly #gate: PassedGate;
  /** Monotonic milliseconds. Infinity without a deadline. */
  readonly until: number;
  /** Queues that have served it: what has begun goes on. Undefined while there is none. */
  #served: Set<object> | undefined;
  #priority: Priority | undefined;
  #controller: AbortController | undefined;

  constructor(visit: ShedVisit<never>, gate: PassedGate) {
    this.#visit = visit;
    this.#gate = gate;
    this.until = gate.deadline === undefined ? Infinity : performance.now() + gate.deadline;
  }

  get request(): object {
    return this.#visit.request;
  }

  /** Asks the application once. */
  get priority(): Priority {
    return (this.#priority ??= this.#gate.priorityOf(this.#visit.request));
  }

  cohort(): MaybePromise<number> {
    return this.#gate.cohortOf(this.#visit);
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

/** The request whose handler works, for all copies of this package. */
const current = () => processWide('passing', () => new AsyncLocalStorage<Passing>());

/** A registered symbol, so that all copies of this package find it. Its number changes with its form. */
const PASSING = Symbol.for('sluice.passing.1');

interface Carrier {
  [PASSING]?: Passing;
}

/** Remembers a request for all that its gate calls next. */
export function pass(visit: ShedVisit<never>, gate: PassedGate): void {
  const passing = new Passing(visit, gate);
  if (Object.isExtensible(visit.request)) (visit.request as Carrier)[PASSING] = passing;
  current().enterWith(passing);
}

/** @param request that of the gate. @default the request whose handler calls */
export function passingOf(request?: object): Passing | undefined {
  if (request === undefined) return current().getStore();
  const passing = Object.hasOwn(request, PASSING) ? (request as Carrier)[PASSING] : undefined;
  // A copy of a request is no request of a gate.
  return passing?.request === request ? passing : undefined;
}
