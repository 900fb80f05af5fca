import { chain } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { channels } from '../../events/channels.js';
import { Alarm } from '../alarm.js';
import { renewalAfter, type HeldPermit, type HeldPermits, type PermitReceipt, type Place } from '../held-permits.js';
import type { Fact, FactKind, Outbox } from '../outbox.js';
import type { RemoteStore, Store } from '../store.js';

interface RenewalContext {
  readonly target: Store & Partial<RemoteStore>;
  /** Decides during outages. Undefined if the target never fails. */
  readonly local: Store | undefined;
  readonly held: HeldPermits;
  readonly outbox: Outbox;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Renews the permits of this process while their requests run. */
export class Renewals implements FactKind<HeldPermit> {
  readonly isVital = true;
  readonly #context: RenewalContext;
  readonly #alarm: Alarm;

  constructor(context: RenewalContext) {
    this.#context = context;
    this.#alarm = new Alarm(context.clock, () => this.#onAlarm());
    // Before any check is sent: a server that has lost its data gives out what still runs.
    context.target.onReady?.(() => {
      context.outbox.keep(this.#factsWhere(() => true));
      context.outbox.sendAll();
    });
  }

  /** Holds a permit from now on. @param sentAt when the request for it was sent */
  add(receipt: PermitReceipt, sentAt: number, place: Place): void {
    const { held, outbox } = this.#context;
    const permit = held.add(receipt, sentAt, place);
    this.#alarm.setFor(permit.renewAt);
    // The store knows nothing of it.
    if (place.isLocal) outbox.keep([this.#factOf(permit)]);
  }

  /** Renews before more is decided: after a stall of the event loop, requests come before timers. */
  catchUp(now: number): void {
    if (this.#alarm.isLate(now)) this.#renewDue(now);
  }

  stop(): void {
    this.#alarm.stop();
  }

  send(permits: readonly HeldPermit[]): MaybePromise<unknown> {
    const { target, local, clock } = this.#context;
    const now = clock();
    const running = permits.filter(({ renewableUntil }) => renewableUntil > now);
    if (running.length === 0) return undefined;
    for (const each of running) each.mayBeStored = true;
    const ofLocal = running.filter(({ isLocal }) => isLocal);
    if (ofLocal.length > 0) void local!.renew!(ofLocal.map(({ receipt }) => receipt));
    const lapsed = target.renew!(running.map(({ receipt }) => receipt));
    return chain(lapsed, (units) => this.#onRenewed(running, units, now));
  }

  #onAlarm(): void {
    this.#renewDue(this.#context.clock());
    for (const { renewAt } of this.#context.held.all()) this.#alarm.setFor(renewAt);
  }

  #renewDue(now: number): void {
    const facts = this.#factsWhere(({ renewAt }) => renewAt <= now);
    const due = facts.map(({ about }) => about);
    for (const held of due) held.renewAt = renewalAfter(held.receipt, now);
    void this.#context.outbox.tell(facts, () => this.send(due));
  }

  #factsWhere(isDue: (held: HeldPermit) => boolean): readonly Fact<HeldPermit>[] {
    return [...this.#context.held.all()].filter(isDue).map((held) => this.#factOf(held));
  }

  #factOf(held: HeldPermit): Fact<HeldPermit> {
    const { key, permit } = held.receipt;
    return { key, name: permit, until: held.renewableUntil, kind: this, about: held };
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
