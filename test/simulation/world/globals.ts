import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** What a simulated process has in the place of its clocks, timers and chance. */
export interface Host {
  /** Milliseconds since it began: `performance.now()`. */
  monotonic(): number;
  /** Milliseconds since 1970: `Date.now()`. */
  wall(): number;
  /** From 0, below 1. */
  random(): number;
  setTimer(callback: () => void, milliseconds: number): unknown;
  clearTimer(timer: unknown): void;
  setImmediate(callback: () => void): unknown;
}

/** When simulated time begins: shortly before a day, a month and a year end. Milliseconds since 1970. */
export const START = Date.UTC(2035, 0, 1) - 1_200;
/** Constants that modules compute when they are loaded are the same in each run. */
const loading: Partial<Host> = { monotonic: () => 0, wall: () => START };

let current: Partial<Host> | undefined = loading;

/** The simulated process whose code runs, with all that it does until it waits. */
export function setHost(host: Host | undefined): void {
  current = host;
}

/** What code reads by the clocks of a process, while its loop does not turn. */
export function readBy<T>(host: Host, read: () => T): T {
  const before = current;
  current = host;
  try {
    return read();
  } finally {
    current = before;
  }
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  now: performance.now.bind(performance),
  wall: Date.now.bind(Date),
  hrtime: process.hrtime.bind(process),
  random: Math.random.bind(Math),
  randomBytes: crypto.randomBytes.bind(crypto),
  randomUUID: crypto.randomUUID.bind(crypto),
  emitWarning: process.emitWarning.bind(process),
};

function seconds(milliseconds: number): [number, number] {
  const whole = Math.floor(milliseconds / 1e3);
  return [whole, Math.round((milliseconds - whole * 1e3) * 1e6)];
}

function bytes(count: number, random: () => number): Buffer {
  return Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)));
}

type AnyFunction = (...args: never[]) => unknown;

/** What a simulated process calls instead, and what all others go on to call. */
function replace(owner: object, name: string, simulated: AnyFunction, others: AnyFunction, has: keyof Host): void {
  const value = (...args: never[]) => (current?.[has] === undefined ? others(...args) : simulated(...args));
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}

// The product reads these globals when it needs them, so that no module of it knows of the simulation.
replace(performance, 'now', () => current!.monotonic!(), real.now, 'monotonic');
replace(Date, 'now', () => current!.wall!(), real.wall, 'wall');
replace(process, 'hrtime', () => seconds(current!.monotonic!()), real.hrtime, 'monotonic');
replace(Math, 'random', () => current!.random!(), real.random, 'random');
replace(
  globalThis,
  'setTimeout',
  (callback: () => void, milliseconds: number) => current!.setTimer!(callback, milliseconds),
  real.setTimeout,
  'setTimer',
);
replace(globalThis, 'clearTimeout', (timer: unknown) => current!.clearTimer!(timer), real.clearTimeout, 'clearTimer');
replace(
  globalThis,
  'setImmediate',
  (callback: () => void) => current!.setImmediate!(callback),
  real.setImmediate,
  'setImmediate',
);
replace(crypto, 'randomBytes', (count: number) => bytes(count, () => current!.random!()), real.randomBytes, 'random');
replace(crypto, 'randomUUID', () => bytes(16, () => current!.random!()).toString('hex'), real.randomUUID, 'random');
replace(process, 'emitWarning', () => undefined, real.emitWarning, 'setTimer');
syncBuiltinESMExports();

/** Runs simulated code turn by turn, each with all promises that it settles. @param step false at the end */
export function runSteps(step: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const settled = Promise.resolve();
    const later = () => process.nextTick(next);
    const next = () => {
      try {
        // Behind all callbacks of promises that the step has settled, and those that they settle.
        if (step()) void settled.then(later);
        else resolve();
      } catch (error) {
        reject(error);
      }
    };
    process.nextTick(next);
  });
}
