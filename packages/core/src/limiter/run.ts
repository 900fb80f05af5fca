import { parseDuration, type Duration } from '../model/duration.js';
import type { Decision } from '../model/decision.js';
import { UsageError } from '../model/errors.js';
import type { StopSignal } from '../model/stop-signal.js';
import { checkCallOptions } from '../options/call-options.js';
import { durationRule } from '../options/duration-rule.js';
import { show } from '../options/option-reader.js';
import { checkUnits, signalOf, type ConsumeOptions, type CostOptions } from './arguments.js';
import { CoolDown } from './cool-down.js';
import type { Costs } from './decisions/settlement.js';
import type { Lines } from './lines.js';
import { pauseOf } from './pause.js';
import { sleep } from './sleep.js';

/** How `run` waits, and what its work costs. */
export interface RunOptions<T> {
  /** Units that the work reserves. @default 1 */
  cost?: number;
  /** The real cost by the result, as `settle` takes it. @default what was reserved */
  settle?: (value: T) => Costs;
  /**
   * How long the work may wait in sum until it begins, up to a day: for rates, pauses and permits.
   *
   * @default 0: only as long as the `wait` of a concurrency tier
   */
  wait?: Duration;
  /** Ends the wait. The work gets it too, and has to watch it by itself. */
  signal?: StopSignal;
  /**
   * The pause that an upstream asks for by a result, such as a Response with Retry-After: milliseconds or a text. The work is
   * tried again if `wait` allows that; else `run` resolves with the result.
   */
  coolDown?: (value: T) => Duration | undefined;
}

/** What `run` has done. */
export type Ran<T> =
  | { readonly admitted: true; readonly value: T; readonly decision: Decision }
  | { readonly admitted: false; readonly value?: undefined; readonly decision: Decision };

/** The parts of a limiter that `run` needs. */
export interface Runner<S> {
  /** @param wait for a permit, in milliseconds. @default as long as its tier says */
  consume(subject: S, options: ConsumeOptions, wait: number | undefined): PromiseLike<Decision> | Decision;
  peek(subject: S, options: CostOptions): PromiseLike<Decision> | Decision;
  settle(decision: Decision, cost: Costs): Promise<number>;
  refund(decision: Decision): Promise<number>;
  release(decision: Decision): Promise<number>;
  /** Pauses the tiers that can be paused. False without one. */
  coolDown(subject: S, milliseconds: number): Promise<boolean>;
  /** The keys of a subject: work with the same keys waits in one line. */
  keysOf(subject: S): Promise<string>;
  readonly lines: Lines;
}

const NAMES: readonly (keyof RunOptions<unknown>)[] = ['cost', 'settle', 'wait', 'signal', 'coolDown'];
const MAX_WAIT_US = 8.64e10;
/** Processes that were denied together do not return together. */
const JITTER = 0.1;
/** The least pause between two attempts. */
const MIN_PAUSE_MS = 10;

/** @throws UsageError, as a rejection; and what the work throws */
export async function run<S, T>(
  runner: Runner<S>,
  subject: S,
  work: (signal: StopSignal | undefined) => Promise<T> | T,
  options: RunOptions<T> = {},
): Promise<Ran<T>> {
  const plan = checked(work, options);
  const until = performance.now() + plan.wait;
  for (;;) {
    const decision = await admission(runner, subject, plan, until);
    if (!decision.allowed) return { admitted: false, decision };
    const { finish, pause } = await attempt(runner, decision, work, plan);
    if (pause === undefined) return finish();
    const isPaused = await runner.coolDown(subject, pause);
    if (performance.now() + pause > until) return finish();
    // The tiers hold it back. Without one that can be paused this process waits alone.
    if (!isPaused) await sleep(pause, plan.signal);
  }
}

interface Plan<T> extends Pick<RunOptions<T>, 'settle' | 'coolDown' | 'signal'> {
  readonly cost: number;
  /** In milliseconds. */
  readonly wait: number;
}

function checked<T>(work: unknown, given: RunOptions<T>): Plan<T> {
  if (typeof work !== 'function') throw new UsageError('USAGE_INVALID', 'run: work must be a function');
  checkCallOptions('run', given, NAMES);
  const { cost = 1, wait = 0, ...options } = given;
  for (const name of ['settle', 'coolDown'] as const) {
    if (typeof (options[name] ?? checked) === 'function') continue;
    throw new UsageError('USAGE_INVALID', `run: ${name} must be a function of the result, got ${show(options[name])}`);
  }
  checkUnits('run: cost', cost);
  const microseconds = parseDuration(wait);
  if (microseconds === undefined || microseconds > MAX_WAIT_US) {
    const range = { range: '0 to a day', min: 0, max: MAX_WAIT_US, example: "30000 or '30s'" };
    throw new UsageError('USAGE_INVALID', `run: wait ${durationRule(wait, range)}`);
  }
  const signal = signalOf(options);
  return { ...options, ...(signal && { signal }), cost, wait: microseconds / 1e3 };
}

/** The decision about work that may begin, or the last denial. Its delay has passed. */
async function admission<S>(runner: Runner<S>, subject: S, plan: Plan<never>, until: number): Promise<Decision> {
  const { cost, signal } = plan;
  const consume = async () => {
    const wait = plan.wait === 0 ? undefined : Math.max(0, until - performance.now());
    return delayed(runner, await runner.consume(subject, { cost, signal }, wait), plan, until);
  };
  if (plan.wait === 0) return consume();
  const key = await runner.keysOf(subject);
  // Work that arrives later does not overtake.
  const first = runner.lines.isEmpty(key) ? await consume() : undefined;
  if (first !== undefined && !mayWait(first, plan, until)) return first;
  // What was denied before others had their turn may fit by now.
  const isFirst = runner.lines.isEmpty(key);
  const hasTurn = await runner.lines.enter(key, Math.max(0, until - performance.now()), signal);
  if (!hasTurn) return first ?? deniedInLine(await runner.peek(subject, { cost }));
  try {
    let decision = first !== undefined && isFirst ? first : await consume();
    while (mayWait(decision, plan, until)) {
      await sleep(pauseAfter(decision), signal);
      decision = await consume();
    }
    return decision;
  } finally {
    runner.lines.leave(key);
  }
}

/** Waits for the turn of a queued request. Gives back what it was charged if it does not wait so long. */
async function delayed<S>(runner: Runner<S>, decision: Decision, plan: Plan<never>, until: number): Promise<Decision> {
  const { delay } = decision;
  if (!decision.allowed) return decision;
  const hasTime = performance.now() + delay <= until || delay === 0;
  if (!plan.signal?.aborted && hasTime && (delay === 0 || (await sleep(delay, plan.signal)))) return decision;
  await runner.refund(decision);
  const deniedBy = decision.outcomes.flatMap((outcome) => (outcome.delay > 0 ? [outcome.tier] : []));
  return { ...decision, allowed: false, reason: 'denied', deniedBy, retryAfter: delay, delay: 0 };
}

/** The denial of work that has no turn. It is charged nothing, or it would overtake. */
function deniedInLine(decision: Decision): Decision {
  const retryAfter = Math.max(MIN_PAUSE_MS, decision.retryAfter);
  return { ...decision, allowed: false, reason: decision.allowed ? 'denied' : decision.reason, retryAfter, delay: 0 };
}

function mayWait({ allowed, reason, retryAfter }: Decision, { signal }: Plan<never>, until: number): boolean {
  if (allowed || reason === 'never' || signal?.aborted) return false;
  return performance.now() + retryAfter <= until;
}

function pauseAfter({ retryAfter }: Decision): number {
  return Math.max(MIN_PAUSE_MS, retryAfter * (1 + Math.random() * JITTER));
}

interface Attempted<T> {
  /** @throws the CoolDown of the work */
  readonly finish: () => Ran<T>;
  /** Milliseconds that the upstream asks for. */
  readonly pause: number | undefined;
}

/** Runs the work once, and always releases what it holds. */
async function attempt<S, T>(
  runner: Runner<S>,
  decision: Decision,
  work: (signal: StopSignal | undefined) => Promise<T> | T,
  { settle, coolDown, signal }: Plan<T>,
): Promise<Attempted<T>> {
  try {
    const value = await work(signal);
    const pause = coolDown?.(value) ?? undefined;
    if (settle !== undefined && pause === undefined) await runner.settle(decision, settle(value));
    const ran = { admitted: true, value, decision } as const;
    return { finish: () => ran, pause: pause === undefined ? undefined : pauseOf(pause) };
  } catch (error) {
    if (!(error instanceof CoolDown)) throw error;
    const finish = () => {
      throw error;
    };
    return { finish, pause: error.milliseconds };
  } finally {
    await runner.release(decision);
  }
}
