import { chain } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { Alarm } from '../alarm.js';
import type { Store } from '../store.js';
import type { PermitReceipt } from '../held-permits.js';

/** How often a failed release is repeated until its units lapse. */
const ATTEMPTS = 3;

interface FailedRelease {
  readonly receipt: PermitReceipt;
  /** When the units lapse by themselves. */
  readonly until: number;
  readonly retryAt: number;
}

/** Releases units in a store. Unlike other refunds a release can be repeated, so it is, until the store confirms it. */
export class Releases {
  readonly #target: Store;
  readonly #clock: () => number;
  readonly #alarm: Alarm;
  #failed: FailedRelease[] = [];

  /** @param clock monotonic milliseconds */
  constructor(target: Store, clock: () => number) {
    this.#target = target;
    this.#clock = clock;
    this.#alarm = new Alarm(clock, () => this.#retry());
  }

  /** Resolves when the store has answered or failed. @param until when the units lapse by themselves */
  add(receipt: PermitReceipt, until: number): MaybePromise<void> {
    const onError = () => {
      const retryAt = this.#clock() + receipt.policy.hold / ATTEMPTS;
      this.#failed.push({ receipt, until, retryAt });
      this.#alarm.setFor(retryAt);
    };
    try {
      return chain(this.#target.refund([receipt]), () => undefined, onError);
    } catch {
      return onError();
    }
  }

  stop(): void {
    this.#alarm.stop();
  }

  #retry(): void {
    const now = this.#clock();
    const failed = this.#failed.filter(({ until }) => until > now);
    this.#failed = failed.filter(({ retryAt }) => retryAt > now);
    for (const { receipt, until, retryAt } of failed) if (retryAt <= now) void this.add(receipt, until);
    for (const { retryAt } of this.#failed) this.#alarm.setFor(retryAt);
  }
}
