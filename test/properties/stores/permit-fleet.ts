import { definePolicy } from '../../../packages/core/src/algorithms/named/policy-options.js';
import { changedTerms, type Claim } from '../../../packages/core/src/model/claim.js';
import { StoreError } from '../../../packages/core/src/model/errors.js';
import { memoryStore, type MemoryStore } from '../../../packages/core/src/stores/memory/memory-store.js';
import type { PermitStore } from '../../../packages/core/src/stores/store.js';
import type { Answer } from '../../../packages/core/src/model/answer.js';
import { HeldPermits, tellLocal } from '../../../packages/core/src/stores/with-permits/held-permits.js';
import { fakeClock } from '../../../packages/testing/src/clock.js';
import type { Random } from '../twin/random.js';
import { linkOf } from '../../support/link-of.js';
import { behindFallback, behindPermits } from '../../support/layered-stores.js';

export const PROCESSES = 4;
export const LIMIT = 20;
export const HOLD_MS = 30_000;
export const REQUEST_MS = 4_000;
const STEP_MS = 100;
/** Requests that each process tries to start in a step. Together they ask for some 40 permits. */
const ARRIVALS = 0.25;

const policy = definePolicy({ algorithm: 'concurrency', limit: LIMIT, hold: HOLD_MS });
const localPolicy = definePolicy({ algorithm: 'concurrency', limit: LIMIT / PROCESSES, hold: HOLD_MS });
const lost = new StoreError('STORE_UNAVAILABLE', 'no reply');

/** A process of the fleet, and the ways in which it fails. */
interface Process {
  readonly store: PermitStore;
  running: { endsAt: number; receipts: Answer['receipts'] }[];
  /** Its calls reach the store, and their answers the process. */
  link: 'up' | 'cut' | 'loses answers';
  /** Its event loop does not run: it renews, starts and ends nothing. */
  isStalled: boolean;
  isDead: boolean;
}

export interface Overload {
  /** The most requests that ran beyond the limit. */
  readonly over: number;
  /** For so long, in milliseconds. */
  readonly overFor: number;
  /** The last time after the fault, in milliseconds, at which a request was denied although there was room. */
  readonly deniedUntil: number;
}

/** Four processes that share one limit, in fake time. Their timers are those of jest. */
export class PermitFleet {
  readonly processes: readonly Process[];
  /** The clock of the store. */
  readonly storeClock = fakeClock();
  #memory = memoryStore({ clock: this.storeClock });
  readonly #clock = fakeClock(0);
  readonly #random: Random;
  readonly #onReady: (() => void)[] = [];

  constructor(random: Random) {
    this.#random = random;
    this.processes = Array.from({ length: PROCESSES }, () => this.#open());
  }

  get running(): number {
    return this.processes.reduce((sum, { running, isDead }) => sum + (isDead ? 0 : running.length), 0);
  }

  /** Lets the fleet run for so long. @param pass moves the timers of jest */
  async run(milliseconds: number, pass: (milliseconds: number) => void): Promise<Overload> {
    let [over, overFor, deniedUntil] = [0, 0, 0];
    for (let time = STEP_MS; time <= milliseconds; time += STEP_MS) {
      this.#clock.advance(STEP_MS);
      this.storeClock.advance(STEP_MS);
      pass(STEP_MS);
      for (const process of this.processes) {
        if (process.isDead || process.isStalled) continue;
        await this.#end(process);
        if (this.#random.chance(ARRIVALS) && (await this.#start(process)) === 'denied' && this.running < LIMIT) {
          deniedUntil = time;
        }
      }
      over = Math.max(over, this.running - LIMIT);
      if (this.running > LIMIT) overFor += STEP_MS;
    }
    return { over, overFor, deniedUntil };
  }

  /** The store loses its data. @param notice whether its clients see it, because it restarts */
  empty(notice: boolean): void {
    this.#memory = memoryStore({ clock: this.storeClock });
    if (notice) for (const listener of this.#onReady) listener();
  }

  async #start(process: Process): Promise<'admitted' | 'denied'> {
    const claim: Claim = {
      tier: 'running',
      key: 'rl:{all}:running:cc',
      policy,
      terms: changedTerms(undefined, { localPolicyOf: () => localPolicy }),
      cost: 1,
      shadow: false,
      record: undefined,
    };
    const { outcomes, receipts } = await process.store.consume([claim]);
    if (!outcomes.every(({ allowed }) => allowed)) return 'denied';
    process.running.push({ endsAt: this.#clock() + REQUEST_MS, receipts });
    return 'admitted';
  }

  async #end(process: Process): Promise<void> {
    const ended = process.running.filter(({ endsAt }) => endsAt <= this.#clock());
    process.running = process.running.filter((each) => !ended.includes(each));
    for (const { receipts } of ended) await process.store.refund(receipts);
  }

  #open(): Process {
    const held = new HeldPermits();
    const local = memoryStore({ clock: this.#clock });
    const process: Process = { store: local, running: [], link: 'up', isStalled: false, isDead: false };
    let onAnswer = () => {};
    let hasFailed = false;
    const lose = (): never => {
      hasFailed = true;
      throw lost;
    };
    const call = async <T>(act: (store: MemoryStore) => T): Promise<Awaited<T>> => {
      if (process.link === 'cut' || process.isDead) lose();
      const answer = await act(this.#memory);
      if (process.link === 'loses answers' && this.#random.chance(0.5)) lose();
      if (hasFailed) {
        hasFailed = false;
        onAnswer();
      }
      return answer;
    };
    const calls: PermitStore = {
      consume: (group) => call((store) => store.consume(group)),
      peek: (group) => call((store) => store.peek(group)),
      refund: (receipts) => call((store) => store.refund(receipts)),
      renew: async (receipts) => {
        if (process.isStalled) throw lost;
        return call((store) => store.renew(receipts));
      },
      reset: (keys) => call((store) => store.reset(keys)),
      close: () => undefined,
    };
    const link = linkOf(calls, {
      onReady: (listener) => {
        this.#onReady.push(listener);
        return () => undefined;
      },
      onAnswer: (listener) => {
        onAnswer = listener;
        return () => undefined;
      },
    });
    const target = { ...calls, link };
    const answering = behindFallback(target, local, (claims) => tellLocal({ held, local, clock: this.#clock }, claims));
    const recover = answering.recover.bind(answering);
    const context = { target, local, recover, held, clock: this.#clock };
    return Object.assign(process, { store: behindPermits(answering, context) });
  }
}
