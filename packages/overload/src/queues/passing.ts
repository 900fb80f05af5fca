import { AsyncLocalStorage } from 'node:async_hooks';

import { type MaybePromise, processWide } from '@sluice/core/internal';
import { type HttpRequest, onClose, type ShedVisit } from '@sluice/http/internal';
import type { Priority } from '../shed/priority.js';
import type { ShedderGate } from '../shed/shedder-feature.js';

/** One for all requests: nobody waits for the answer, and the place where it was made says nothing. */
let [left, late]: (DOMException | undefined)[] = [];
const hasLeft = () =>
  (left ??= new DOMException('The client of the request has left, or has its answer', 'AbortError'));
const isLate = () => (late ??= new DOMException('The deadline of the request is over', 'TimeoutError'));

/** A request that a gate has let through, while its handler works. */
export class Passing {
  readonly #visit: ShedVisit<never>;
  readonly #gate: ShedderGate;
  /** Monotonic milliseconds. Infinity without a deadline. */
  #until = Infinity;
  /** Queues that have served it: what has begun goes on. Undefined while there is none. */
  #served: Set<object> | undefined;
  #priority: Priority | undefined;
  #controller: AbortController | undefined;

  constructor(visit: ShedVisit<never>, gate: ShedderGate) {
    this.#visit = visit;
    this.#gate = gate;
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

  isOf(request: object, gate: ShedderGate): boolean {
    return this.#gate === gate && this.#visit.request === request;
  }

  /** Nobody waits longer for the answer. @param milliseconds from now on */
  endIn(milliseconds: number): void {
    this.#until = Math.min(this.#until, performance.now() + milliseconds);
  }

  isServedBy(queue: object): boolean {
    return this.#served !== undefined && this.#served.has(queue);
  }

  serve(queue: object): void {
    (this.#served ??= new Set()).add(queue);
  }

  /** Calls back when the client has left, or its deadline is over: at once if that has happened. @returns ends that */
  whenOver(callback: (reason: DOMException) => void): () => void {
    const { request, response } = this.#visit as ShedVisit<HttpRequest>;
    const remaining = this.#until - performance.now();
    if (remaining <= 0) {
      callback(isLate());
      return () => {};
    }
    let isOver = false;
    let end = () => {};
    const stop = onClose(response, request.socket, () => {
      isOver = true;
      end();
      callback(hasLeft());
    });
    if (remaining === Infinity || isOver) return stop;
    const timer = setTimeout(() => {
      stop();
      callback(isLate());
    }, remaining);
    timer.unref();
    end = () => clearTimeout(timer);
    return () => {
      stop();
      end();
    };
  }

  /** Aborts when the request is over. It is made when it is first asked for. */
  signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      this.whenOver((reason) => controller.abort(reason));
    }
    return this.#controller.signal;
  }
}

/** The request whose handler works, for all copies of this package. */
let storage: AsyncLocalStorage<Passing> | undefined;
const current = () => (storage ??= processWide('passing', () => new AsyncLocalStorage<Passing>()));

/** A registered symbol, so that all copies of this package find it. Its number changes with its form. */
const PASSING = Symbol.for('sluice.passing.2');

interface Carrier {
  [PASSING]?: Passing;
}

/** Remembers a request for all that its gate calls next: once for all features of a shedder. */
export function pass(visit: ShedVisit<never>, gate: ShedderGate): Passing {
  const known = current().getStore();
  if (known?.isOf(visit.request, gate)) return known;
  // An asynchronous function between two gates can have lost its context.
  const carried = passingOf(visit.request);
  const passing = carried?.isOf(visit.request, gate) ? carried : new Passing(visit, gate);
  if (Object.isExtensible(visit.request)) (visit.request as Carrier)[PASSING] = passing;
  current().enterWith(passing);
  return passing;
}

/** @param request that of the gate. @default the request whose handler calls */
export function passingOf(request?: object): Passing | undefined {
  if (request === undefined) return current().getStore();
  const passing = Object.hasOwn(request, PASSING) ? (request as Carrier)[PASSING] : undefined;
  // A copy of a request is no request of a gate.
  return passing?.request === request ? passing : undefined;
}
