import { chain } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { channels } from '../../events/channels.js';
import { Alarm } from '../alarm.js';
import { onClosing } from '../closing.js';
import { renewalAfter, type HeldPermit, type HeldPermits, type PermitReceipt, type Place } from './held-permits.js';
import type { Fact, FactKind, Facts } from './facts.js';
import type { PermitStore } from '../store.js';

interface RenewalContext {
  readonly target: PermitStore;
  /** The store that decides during outages. It is undefined if the target never fails. */
  readonly local: PermitStore | undefined;
  readonly held: HeldPermits;
  readonly outbox: Facts;
  readonly release: (receipt: PermitReceipt) => unknown;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** A handler that works on after its client has left has its permit for `hold`, and at least so many milliseconds. */
const MIN_HOLD_WITHOUT_CLIENT = 30_000;

/** Renews the permits of this process while their requests run. */
export class Renewals implements FactKind<HeldPermit> {
  readonly isVital = true;
  readonly #context: RenewalContext;
  readonly #alarm: Alarm;

  constructor(context: RenewalContext) {
    this.#context = context;
    this.#alarm = new Alarm(context.clock, () => this.#onAlarm());
    // Before any check is sent: a server that has lost its data gives out what still runs.
    const stop = context.target.link?.onReady(() => {
      context.outbox.keep(Array.from(context.held.all(), (held) => this.#factOf(held)));
      void context.outbox.sendAll();
    });
    onClosing(context.target, stop);
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

  /** A renewal after the end of its permit would block it for `hold`. */
  isOver(held: HeldPermit): boolean {
    return !this.#context.held.has(held);
  }

  send(permits: readonly HeldPermit[]): MaybePromise<readonly unknown[]> {
    if (permits.length === 0) return [];
    const { target, clock } = this.#context;
    const sentAt = clock();
    for (const each of permits) {
      each.requests += 1;
      each.unanswered += 1;
    }
    const onRenewed = (results: readonly (number | Error)[]) =>
      permits.map((held, index) => {
        const result = results[index]!;
        const isAnswered = typeof result === 'number';
        const isDone = isAnswered || target.link?.changedNothing(result, [held.receipt]) === true;
        if (isDone) held.unanswered -= 1;
        if (isAnswered) return this.#onRenewed(held, result, sentAt);
        if (isDone) held.requests -= 1;
        return result;
      });
    return chain(target.renew!(permits.map(({ receipt }) => receipt)), onRenewed);
  }

  #onAlarm(): void {
    this.#renewDue(this.#context.clock());
    for (const { renewAt } of this.#context.held.all()) this.#alarm.setFor(renewAt);
  }

  #renewDue(now: number): void {
    const { held, local, outbox } = this.#context;
    const due = [...held.all()].filter((each) => each.renewAt <= now && !this.#hasEnded(each, now));
    for (const each of due) each.renewAt = renewalAfter(each.receipt, now);
    const running = due.filter(({ renewableUntil }) => renewableUntil > now);
    const ofLocal = running.filter(({ isLocal }) => isLocal);
    if (ofLocal.length > 0) void local!.renew!(ofLocal.map(({ receipt }) => receipt));
    const factsOf = (permits: readonly HeldPermit[]) => permits.map((each) => this.#factOf(each));
    const counting = running.filter(({ heldUntil }) => heldUntil > now);
    const lapsed = running.filter(({ heldUntil }) => heldUntil <= now);
    void outbox.tell(factsOf(counting), () => this.send(counting));
    // The store may give these units to others, so it does not decide before it knows of them.
    outbox.keep(factsOf(lapsed));
    if (lapsed.length > 0) void outbox.sendAll();
  }

  /** Releases a permit whose holder is over, or works on without its client for too long. */
  #hasEnded(held: HeldPermit, now: number): boolean {
    const { holder, receipt } = held;
    const state = holder?.look() ?? 'running';
    if (state !== 'left') return state === 'over';
    held.leftAt ??= now;
    const { hold, longest } = receipt.policy;
    if (longest < Infinity || now - held.leftAt < Math.max(hold, MIN_HOLD_WITHOUT_CLIENT)) return false;
    this.#context.release(receipt);
    holder!.onAbandoned(receipt.tier);
    return true;
  }

  #factOf(held: HeldPermit): Fact<HeldPermit> {
    const { key, name } = held.receipt;
    return { key, name, until: held.renewableUntil, kind: this, about: held };
  }

  #onRenewed(held: HeldPermit, units: number, sentAt: number): undefined {
    this.#context.held.renewed(held, sentAt);
    if (units > 0 && channels.permitLapsed.hasSubscribers) {
      channels.permitLapsed.publish({ tier: held.receipt.tier, units });
    }
  }
}
