import type { Duration } from '../model/duration.js';
import type { Decision } from '../model/decision.js';
import { warn } from '../events/warning.js';
import { ASKING, broughtAfter, isAppointed } from '../model/appointment.js';
import { isSluiceError, UsageError } from '../model/errors.js';
import type { StopSignal } from '../model/patience.js';
import { checkCallOptions, durationArgument } from '../options/call-options.js';
import type { DurationRange } from '../options/duration-rule.js';
import { show } from '../options/show.js';
import { onAbort } from '../waiting/on-abort.js';
import { sleep, type Listen } from '../waiting/sleep.js';
import { lineOf } from './line-of.js';
import { checkUnits, signalOf } from './tiers/arguments.js';
import { CoolDown } from './cool-down.js';
import type { Costs } from './decisions/settlement.js';
import type { Limiter } from './limiter.js';
import { limiterBehind } from './limiter-view.js';
import { holdBack, pauseOf } from './pause.js';
import type { TieredLimiter } from './tiered-limiter.js';

/** How `run` waits, and what its work costs. */
export interface RunOptions<T> {
  /** Units that the work reserves. @default 1 */
  cost?: number;
  /** The real cost by the result, as `settle` takes it. @default what was reserved */
  settle?: (value: T) => Costs;
  /**
   * How long the work may wait in sum until it begins, up to a day: for rates, pauses and permits.
   *
   * @default 0: only as long as the `wait` of a tier that limits requests in flight
   */
  wait?: Duration;
  /** Ends the wait. The work gets it too, and has to watch it. */
  signal?: StopSignal;
  /**
   * The pause that an upstream asks for by a result, such as a Response with Retry-After: milliseconds or a string. The
   * work is tried again if `wait` allows that; else `run` resolves with the result.
   */
  coolDown?: (value: T) => Duration | undefined;
}

/** What `run` has done. */
export type Ran<T> =
  | { readonly admitted: true; readonly value: T; readonly decision: Decision }
  | { readonly admitted: false; readonly value?: undefined; readonly decision: Decision };

const NAMES: readonly (keyof RunOptions<unknown>)[] = ['cost', 'settle', 'wait', 'signal', 'coolDown'];
const WAIT: DurationRange = { range: '0 to a day', min: 0, max: 8.64e10, example: "30000 or '30s'" };
/** Processes that were denied together do not return together. */
const JITTER = 0.1;
const EFFECTS = {
  settle: 'so the reserved cost stays charged',
  release: 'so its permits count until they lapse',
  coolDown: 'so no process waits',
  pause: 'so no process waits',
} as const;
/** The least pause between two attempts. */
const MIN_PAUSE_MS = 1;
/** The least wait of work that has no turn. */
const MIN_RETRY_MS = 10;

/**
 * Runs a piece of work within the limits of a limiter, such as a call to an API of others: waits until it fits, runs it,
 * settles its real cost, releases its permits. Work with the same keys begins in the order of its arrival, in this process.
 * A denial is an answer: `admitted` is false. An error of the work rejects, and its cost stays charged.
 *
 * @param limiter what `createLimiter` has returned
 * @param work gets `signal`. It may throw a `CoolDown`
 * @throws UsageError, as a rejection, for wrong options or another limiter; and what the work throws
 * @example
 * const { admitted, value } = await run(limiter, { tenant }, () => fetch(url), { wait: '30s' });
 */
export async function run<S, T>(
  limiter: Limiter<S>,
  subject: S,
  work: (signal: StopSignal | undefined) => Promise<T> | T,
  options: RunOptions<T> = {},
): Promise<Ran<T>> {
  const plan = checked(work, options);
  const runner = limiterBehind('run', limiter);
  const until = performance.now() + plan.wait;
  for (;;) {
    const decision = await admission(runner, subject, plan, until);
    if (!decision.allowed) return { admitted: false, decision };
    const { finish, pause } = await attempt(runner, decision, work, plan);
    if (pause === undefined) return finish();
    const isPaused = await quietly('pause', () => holdBack(runner.requests, subject, pause));
    if (isPaused === undefined || performance.now() + pause > until) return finish();
    // The tiers hold it back, or this call waits alone.
    if (!isPaused) await sleep(pause, plan.onLeave);
  }
}

interface Plan<T> extends Pick<RunOptions<T>, 'settle' | 'coolDown' | 'signal'> {
  readonly cost: number;
  /** In milliseconds. */
  readonly wait: number;
  readonly onLeave: Listen;
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
  const microseconds = durationArgument(wait, 'run', 'wait', WAIT);
  const signal = signalOf(options);
  const onLeave: Listen = (leave) => onAbort(signal, leave);
  return { ...options, ...(signal && { signal }), cost, wait: microseconds / 1e3, onLeave };
}

/** The decision about work that may begin, or the last denial. Its delay has passed. */
async function admission<S>(runner: TieredLimiter<S>, subject: S, plan: Plan<never>, until: number): Promise<Decision> {
  const { cost, signal, onLeave } = plan;
  if (plan.wait === 0)
    return delayed(runner, await runner.consumeIn(subject, { cost, signal }, undefined), plan, until);
  const timeLeft = () => Math.max(0, until - performance.now());
  const { key, most } = await lineOf(runner.requests, subject);
  let denial: Decision | undefined;
  let brought = ASKING;
  const line = runner.lines.open(key, most);
  const decision = await line.enter({
    // What a tier has given to it is worth something as long as it waits, whatever else denies it at its moment.
    ask: (isAlone) => runner.consumeIn(subject, { cost, signal, ...brought }, isAlone ? timeLeft() : 0, line.size > 1),
    pauseAfter(denied, wasAlone) {
      denial = denied;
      brought = broughtAfter(denied, brought);
      return pauseAfter(denied, wasAlone, timeLeft());
    },
    // A closed store fails here, and then time gives the units back.
    giveBack: (each) => void (each.allowed && runner.undo(each).catch(() => undefined)),
    wait: timeLeft(),
    onLeave,
  });
  const last = decision ?? denial;
  return last === undefined ? deniedInLine(await runner.peek(subject, { cost })) : delayed(runner, last, plan, until);
}

/** Waits for the turn of a queued request. Gives back what it was charged if it does not wait so long. */
async function delayed<S>(
  runner: TieredLimiter<S>,
  decision: Decision,
  plan: Plan<never>,
  until: number,
): Promise<Decision> {
  const { delay } = decision;
  if (!decision.allowed) return decision;
  const hasTime = performance.now() + delay <= until || delay === 0;
  if (!plan.signal?.aborted && hasTime && (delay === 0 || (await sleep(delay, plan.onLeave)))) return decision;
  await runner.undo(decision);
  const deniedBy = decision.outcomes.flatMap((outcome) => (outcome.delay > 0 ? [outcome.tier] : []));
  return { ...decision, allowed: false, reason: 'denied', deniedBy, retryAfter: delay, delay: 0 };
}

/** The denial of work that has no turn yet. Nothing is charged for it, because otherwise it would overtake other work. */
function deniedInLine(decision: Decision): Decision {
  const retryAfter = Math.max(MIN_RETRY_MS, decision.retryAfter);
  return { ...decision, allowed: false, reason: decision.allowed ? 'denied' : decision.reason, retryAfter, delay: 0 };
}

/** Undefined if the work does not wait so long. What permits say is a hint: their line has the work begin earlier. */
function pauseAfter(
  { reason, binding, retryAfter }: Decision,
  wasAlone: boolean,
  timeLeft: number,
): number | undefined {
  if (reason === 'never' || timeLeft === 0) return undefined;
  if (binding?.hint && !wasAlone) return 0;
  if (retryAfter > timeLeft) return undefined;
  // No other request has its moment. A timer may ring a millisecond early.
  if (binding !== undefined && isAppointed(binding)) return retryAfter + 1;
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
  runner: TieredLimiter<S>,
  decision: Decision,
  work: (signal: StopSignal | undefined) => Promise<T> | T,
  { settle, coolDown, signal }: Plan<T>,
): Promise<Attempted<T>> {
  try {
    const value = await work(signal);
    const pause = coolDown && (await quietly('coolDown', async () => pauseFor(value, coolDown)));
    if (settle !== undefined && pause === undefined) {
      await quietly('settle', () => runner.settle(decision, settle(value)));
    }
    const ran = { admitted: true, value, decision } as const;
    return { finish: () => ran, pause };
  } catch (error) {
    if (!(error instanceof CoolDown)) throw error;
    const finish = () => {
      throw error;
    };
    return { finish, pause: error.milliseconds };
  } finally {
    await quietly('release', () => runner.release(decision));
  }
}

/** The milliseconds that a result asks for. */
function pauseFor<T>(value: T, coolDown: (value: T) => Duration | undefined): number | undefined {
  try {
    const pause = coolDown(value) ?? undefined;
    return pause === undefined ? undefined : pauseOf(pause, 'coolDown');
  } catch (error) {
    if (error instanceof CoolDown) return error.milliseconds;
    throw error;
  }
}

/** Does what follows the work. A failure becomes a warning: the value or the error of the work is worth more. */
async function quietly<T>(what: keyof typeof EFFECTS, act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    // Messages of other errors may contain personal data.
    const reason = isSluiceError(error) ? error.message : 'it is not an error of Sluice';
    warn('SLUICE_RUN_UNSETTLED', `run: ${what} failed after the work, ${EFFECTS[what]}: ${reason}`);
    return undefined;
  }
}
