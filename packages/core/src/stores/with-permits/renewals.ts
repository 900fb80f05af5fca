import { chain } from '../../async/deferred.js';
import { channels } from '../../events/channels.js';
import { Alarm } from '../alarm.js';
import { renewalAfter, type HeldPermit, type HeldPermits, type PermitReceipt, type Place } from '../held-permits.js';
import type { RemoteStore, Store } from '../store.js';

interface RenewalContext {
  readonly target: Store & Partial<RemoteStore>;
  /** Decides during outages. Undefined if the target never fails. */
  readonly local: Store | undefined;
  readonly held: HeldPermits;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** On a Cluster one primary may fail for long, and each check would renew its permits in vain. */
const CATCH_UP_INTERVAL_MS = 100;

/** Renews the permits of this process while their requests run. */
export class Renewals {
  readonly #context: RenewalContext;
  readonly #alarm: Alarm;
  /** Permits were given, or not renewed, while the store did not answer. */
  #isStale = false;
  #caughtUpAt = -Infinity;

  constructor(context: RenewalContext) {
    this.#context = context;
    this.#alarm = new Alarm(context.clock, () => this.#onAlarm());
    // Before any check is sent: a server that has lost its data gives out what still runs.
    context.target.onReady?.(() => this.#renewAll());
  }

  /** Holds a permit from now on. @param sentAt when the request for it was sent */
  add(receipt: PermitReceipt, sentAt: number, place: Place): void {
    const { renewAt } = this.#context.held.add(receipt, sentAt, place);
    this.#alarm.setFor(renewAt);
  }

  /** The store did not answer, so it may not know what runs. */
  onOutage(): void {
    this.#isStale = true;
  }

  /** Renews what the store may not know, before it decides about more. */
  catchUp(now: number): void {
    // After a stall of the event loop, requests come before timers.
    if (!this.#isStale && !this.#alarm.isLate(now)) return;
    if (now - this.#caughtUpAt < CATCH_UP_INTERVAL_MS) return;
    this.#caughtUpAt = now;
    this.#isStale = false;
    this.#renew(this.#heldWhere(({ isConfirmed, renewAt }) => !isConfirmed || renewAt <= now));
  }

  stop(): void {
    this.#alarm.stop();
  }

  #onAlarm(): void {
    const { held, clock } = this.#context;
    const now = clock();
    this.#renew(this.#heldWhere(({ renewAt }) => renewAt <= now));
    for (const { renewAt } of held.all()) this.#alarm.setFor(renewAt);
  }

  #renewAll(): void {
    this.#renew([...this.#context.held.all()]);
  }

  #heldWhere(isDue: (held: HeldPermit) => boolean): readonly HeldPermit[] {
    return [...this.#context.held.all()].filter(isDue);
  }

  #renew(due: readonly HeldPermit[]): void {
    const { target, local, clock } = this.#context;
    const now = clock();
    const permits = due.filter(({ renewableUntil }) => renewableUntil > now);
    for (const held of due) held.renewAt = renewalAfter(held.receipt, now);
    if (permits.length === 0) return;
    for (const held of permits) held.mayBeStored = true;
    const receipts = permits.map(({ receipt }) => receipt);
    const ofLocal = permits.filter(({ isLocal }) => isLocal);
    if (ofLocal.length > 0) void local!.renew!(ofLocal.map(({ receipt }) => receipt));
    const onLapsed = (lapsed: readonly number[]) => this.#onRenewed(permits, lapsed, now);
    const onError = () => {
      this.#isStale = true;
      for (const held of permits) held.renewAt = now;
    };
    try {
      void chain(target.renew!(receipts), onLapsed, onError);
    } catch {
      onError();
    }
  }

  #onRenewed(permits: readonly HeldPermit[], lapsed: readonly number[], sentAt: number): void {
    for (const [index, held] of permits.entries()) {
      this.#context.held.renewed(held, sentAt);
      const units = lapsed[index]!;
      if (units > 0 && channels.permitLapsed.hasSubscribers) {
        channels.permitLapsed.publish({ tier: held.receipt.tier, units });
      }
    }
  }
}
