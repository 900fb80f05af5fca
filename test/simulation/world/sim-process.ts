import { START, type Host } from './globals.js';
import type { World } from './world.js';

/** A timer of a simulated process, as Node has it. */
class SimTimer {
  /** By the monotonic clock of its process. */
  dueAt = 0;
  isActive = true;
  isRef = true;

  constructor(
    readonly callback: () => void,
    readonly milliseconds: number,
    readonly number: number,
    readonly start: (timer: SimTimer) => void,
  ) {}

  ref(): this {
    this.isRef = true;
    return this;
  }

  unref(): this {
    this.isRef = false;
    return this;
  }

  hasRef(): boolean {
    return this.isRef;
  }

  refresh(): this {
    this.start(this);
    return this;
  }
}

type Phase = 'timers' | 'poll' | 'check';

/** Milliseconds between two turns of an event loop that has something to do. */
const TURN_MS = 0.02;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A process of the fleet: an event loop of its own, with clocks that drift. It lives until it is killed. */
export class SimProcess implements Host {
  isDead = false;
  /** Simulated milliseconds. Infinity: it lives. */
  diedAt = Infinity;
  /** Its loop does nothing before. */
  stalledUntil = 0;
  /** Of all stalls that have begun. In milliseconds. */
  stalled = 0;
  #phase: Phase = 'timers';
  #timers: SimTimer[] = [];
  #made = 0;
  /** What has come from outside, and when. */
  readonly #inbox: { readonly at: number; readonly act: () => void }[] = [];
  #immediates: (() => void)[] = [];
  #checking: (() => void)[] = [];
  #wakesAt = Infinity;

  /** @param rate of its clock */
  constructor(
    readonly world: World,
    readonly name: string,
    readonly rate: number,
  ) {}

  monotonic(): number {
    return this.world.now * this.rate;
  }

  wall(): number {
    return START + Math.floor(this.world.now * this.rate);
  }

  random(): number {
    return this.world.random.fraction();
  }

  setTimer(callback: () => void, milliseconds: number): SimTimer {
    const wait = milliseconds >= 1 && milliseconds <= MAX_TIMER_MS ? Math.trunc(milliseconds) : 1;
    this.#made += 1;
    const start = (timer: SimTimer) => {
      if (this.isDead) return;
      // Node counts from the whole millisecond in which its loop has begun.
      timer.dueAt = Math.floor(this.monotonic()) + timer.milliseconds;
      if (!this.#timers.includes(timer)) this.#timers.push(timer);
      timer.isActive = true;
      this.#wakeAt(this.#timeOf(timer.dueAt));
    };
    const timer = new SimTimer(callback, wait, this.#made, start);
    start(timer);
    return timer;
  }

  clearTimer(timer: unknown): void {
    if (!(timer instanceof SimTimer)) return;
    timer.isActive = false;
    this.#timers = this.#timers.filter((each) => each !== timer);
  }

  setImmediate(callback: () => void): object {
    this.#immediates.push(callback);
    this.#wakeAt(this.world.now + TURN_MS);
    return {};
  }

  /** Timers that would keep it alive. */
  timers(): number {
    return this.#timers.filter(({ isRef }) => isRef).length;
  }

  /** Something comes from outside: a reply, a request, or the loss of a connection. */
  deliver(act: () => void): void {
    if (this.isDead) return;
    this.#inbox.push({ at: this.world.now, act });
    this.#wakeAt(this.world.now);
  }

  /** Its loop stands still, as in a long computation. */
  stall(milliseconds: number): void {
    this.stalledUntil = Math.max(this.stalledUntil, this.world.now + milliseconds);
    this.stalled += milliseconds;
    // What stalls it may be the answer to a request, behind which the loop has not looked at its sockets yet, or a timer: then
    // requests come before the timers that are due since.
    if (this.world.random.chance(0.5)) this.#beginCheck();
    else this.#phase = 'poll';
  }

  kill(): void {
    this.isDead = true;
    this.diedAt = this.world.now;
    this.#timers = [];
    this.#inbox.length = 0;
    this.#immediates = [];
    this.#checking = [];
  }

  /** The next callback of a turn. Undefined at its end. */
  next(): (() => void) | undefined {
    if (this.isDead) return undefined;
    if (this.#phase === 'timers') {
      const due = this.#dueTimer();
      if (due) {
        this.clearTimer(due);
        return due.callback;
      }
      this.#phase = 'poll';
    }
    if (this.#phase === 'poll') {
      const item = this.#inbox.shift();
      if (item) return item.act;
      this.#beginCheck();
    }
    const immediate = this.#checking.shift();
    if (immediate === undefined) this.#phase = 'timers';
    return immediate;
  }

  /** Called when a turn has ended. */
  rest(): void {
    this.#wakesAt = Infinity;
    if (this.isDead) return;
    if (this.#immediates.length + this.#inbox.length > 0) this.#wakeAt(this.world.now + TURN_MS);
    let first = Infinity;
    for (const { dueAt } of this.#timers) first = Math.min(first, dueAt);
    if (first < Infinity) this.#wakeAt(this.#timeOf(first));
  }

  #beginCheck(): void {
    this.#phase = 'check';
    this.#checking.push(...this.#immediates);
    this.#immediates = [];
  }

  #dueTimer(): SimTimer | undefined {
    const now = this.monotonic();
    let first: SimTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueAt > now) continue;
      if (first === undefined || timer.dueAt < first.dueAt) first = timer;
    }
    return first;
  }

  /** When its clock shows a time, or a little later: no timer fires before its time. */
  #timeOf(shown: number): number {
    return shown / this.rate + 1e-6;
  }

  #wakeAt(time: number): void {
    const at = Math.max(time, this.world.now);
    if (at >= this.#wakesAt) return;
    this.#wakesAt = at;
    this.world.at(at, () => this.#wake(at));
  }

  #wake(at: number): void {
    if (this.isDead || at !== this.#wakesAt) return;
    if (this.stalledUntil > this.world.now) {
      this.#wakesAt = this.stalledUntil;
      const { stalledUntil } = this;
      this.world.at(stalledUntil, () => this.#wake(stalledUntil));
      return;
    }
    this.world.turn(this);
  }
}
