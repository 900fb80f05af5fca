import type { HeldPolicy } from '../../model/held-policy.js';
import { chain } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { channels } from '../../events/channels.js';
import type { Claim } from '../../model/claim.js';
import type { Outcome } from '../../model/outcome.js';
import type { Receipt } from '../../model/receipt.js';
import { Alarm } from '../alarm.js';
import type { Answer, RemoteStore, Store } from '../store.js';
import { isPermit, renewalAfter, type HeldPermit, type HeldPermits, type PermitReceipt } from '../held-permits.js';
import { PermitNames } from './permit-names.js';
import { Releases } from './releases.js';
import { WaitingLines } from './waiting-lines.js';

/** A store whose units can be held. */
export interface PermitStore extends Store {
  /** Ends the permits that a limiter has given. */
  release(ofKey: (key: string, tier: string) => boolean): Promise<void>;
}

export interface PermitContext {
  /** Where permits are renewed and released, without a fallback. */
  readonly target: Store & Partial<RemoteStore>;
  /** Decides during outages. Undefined if the target never fails. */
  readonly local?: Store;
  readonly held: HeldPermits;
  /** Monotonic milliseconds. @default performance.now */
  readonly clock?: () => number;
}

/**
 * Holds the permits of this process: names them, renews them while their requests run, and releases each once. It also
 * releases a permit that the store may have given although no answer came.
 */
export function withPermits(store: Store, context: PermitContext): PermitStore {
  return new StoreWithPermits(store, context);
}

/** On a Cluster one primary may fail for long, and each check would renew its permits in vain. */
const CATCH_UP_INTERVAL_MS = 100;

class StoreWithPermits implements PermitStore {
  readonly #store: Store;
  readonly #target: PermitContext['target'];
  readonly #local: Store | undefined;
  readonly #held: HeldPermits;
  readonly #clock: () => number;
  readonly #names = new PermitNames();
  readonly #alarm: Alarm;
  readonly #releases: Releases;
  readonly #lines: WaitingLines;
  /** Permits were given, or not renewed, while the store did not answer. */
  #isStale = false;
  #caughtUpAt = -Infinity;

  constructor(store: Store, { target, local, held, clock = () => performance.now() }: PermitContext) {
    this.#store = store;
    this.#target = target;
    this.#local = local;
    this.#held = held;
    this.#clock = clock;
    this.#alarm = new Alarm(clock, () => this.#onAlarm());
    this.#releases = new Releases(target, clock);
    this.#lines = new WaitingLines({
      attempt: (group) => this.#attempt(group),
      giveBack: ({ receipts }) => void this.refund(receipts),
    });
    // Before any check is sent: a server that has lost its data gives out what still runs.
    target.onReady?.(() => this.#renewAll());
  }

  consume(group: readonly Claim[]): MaybePromise<Answer> {
    if (!takesPermits(group)) return this.#store.consume(group);
    if (this.#lines.isBusy(group)) return this.#lines.join(group);
    return chain(this.#attempt(group), (answer) => (isDenied(answer) ? this.#lines.join(group, answer) : answer));
  }

  peek(group: readonly Claim[]): MaybePromise<Answer> {
    return this.#store.peek(group);
  }

  refund(receipts: readonly Receipt[]): MaybePromise<number> {
    const permits = receipts.filter(isPermit);
    if (permits.length === 0) return this.#store.refund(receipts);
    const given = this.#release(permits);
    const others = receipts.filter((receipt) => !isPermit(receipt));
    if (others.length === 0) return given;
    return chain(this.#store.refund(others), (units) => chain(given, (released) => units + released));
  }

  reset(keys: readonly string[]): MaybePromise<void> {
    // Others may take their place until the next renewal.
    for (const key of keys) for (const held of this.#held.of(key)) held.heldUntil = -Infinity;
    return chain(this.#store.reset(keys), () => this.#lines.wake(keys));
  }

  inspect(key: string): MaybePromise<readonly string[]> {
    return this.#store.inspect(key);
  }

  async release(ofKey: (key: string, tier: string) => boolean): Promise<void> {
    const receipts = [...this.#held.all()].map(({ receipt }) => receipt);
    await this.#release(receipts.filter(({ key, tier }) => ofKey(key, tier)));
  }

  async close(): Promise<void> {
    await this.release(() => true);
    this.#alarm.stop();
    this.#releases.stop();
    this.#lines.close();
    await this.#store.close();
  }

  #attempt(group: readonly Claim[]): MaybePromise<Answer> {
    const now = this.#clock();
    const known = this.#knownDenial(group, now);
    if (known) return known;
    const wasSent = this.#target.outageOf?.(group) === undefined;
    // After a stall of the event loop, requests come before timers.
    if (wasSent && (this.#isStale || this.#alarm.isLate(now))) this.#catchUp(now);
    const named = group.map((claim) => (takesPermit(claim) ? { ...claim, permit: this.#names.next() } : claim));
    const onAnswer = (answer: Answer) => this.#onAnswer(named, answer, now, wasSent);
    const onError = (error: unknown): never => {
      if (wasSent) this.#releaseUnknown(named, now);
      throw error;
    };
    try {
      return chain(this.#store.consume(named), onAnswer, onError);
    } catch (error) {
      return onError(error);
    }
  }

  #onAnswer(named: readonly Claim[], answer: Answer, sentAt: number, wasSent: boolean): Answer {
    const given = answer.receipts.filter(isPermit);
    for (const receipt of given) {
      const isLocal = receipt.source === 'local';
      const { renewAt } = this.#held.add(receipt, sentAt, {
        mayBeStored: wasSent,
        isConfirmed: !isLocal,
        isLocal,
      });
      this.#alarm.setFor(renewAt);
    }
    if (answer.fallback === undefined) return answer;
    this.#isStale = true;
    const unknown = named.filter(({ permit }) => !given.some((receipt) => receipt.permit === permit));
    if (wasSent) this.#releaseUnknown(unknown, sentAt);
    return answer;
  }

  /** The store may have charged claims whose answer never came. */
  #releaseUnknown(claims: readonly Claim[], sentAt: number): void {
    for (const { tier, key, policy, cost, permit } of claims) {
      if (permit === undefined) continue;
      const receipt = {
        tier,
        key,
        policy: policy as HeldPolicy,
        units: cost,
        at: 0,
        until: 0,
        permit,
        of: cost,
      };
      void this.#releases.add(receipt, sentAt + receipt.policy.hold);
    }
  }

  /** The denial of a key whose whole limit this process holds: no store can say anything else. */
  #knownDenial(group: readonly Claim[], now: number): Answer | undefined {
    const outcomes: Outcome[] = [];
    for (const claim of group) {
      const { key, policy, cost, shadow, charge } = claim;
      if (charge !== 'admitted' || (!shadow && cost > policy.capacity)) return undefined;
      if (shadow || !takesPermit(claim) || this.#held.of(key).size === 0) continue;
      // It may wait, but only if no rate denies it too.
      if ((policy as HeldPolicy).wait > 0) return undefined;
      const units = this.#held.units(key, now);
      if (units + cost > policy.limit) outcomes.push(denialOf(claim, units));
    }
    return outcomes.length > 0 ? { outcomes, receipts: [], source: 'deny-cache' } : undefined;
  }

  #release(permits: readonly PermitReceipt[]): MaybePromise<number> {
    const now = this.#clock();
    const sent: MaybePromise<void>[] = [];
    const keys = new Set<string>();
    let given = 0;
    for (const each of permits) {
      const taken = this.#held.take(each);
      if (taken === undefined) continue;
      const { receipt, heldUntil, isLocal, mayBeStored } = taken;
      keys.add(receipt.key);
      if (heldUntil > now) given += receipt.units;
      if (isLocal) void this.#local!.refund([receipt]);
      if (mayBeStored) sent.push(this.#releases.add(receipt, now + receipt.policy.hold));
    }
    const last = sent.at(-1);
    // All of a turn are sent together.
    return chain(last, () => {
      this.#lines.wake([...keys]);
      return given;
    });
  }

  #onAlarm(): void {
    const now = this.#clock();
    this.#renew([...this.#held.all()].filter(({ renewAt }) => renewAt <= now));
    for (const { renewAt } of this.#held.all()) this.#alarm.setFor(renewAt);
  }

  #renewAll(): void {
    this.#renew([...this.#held.all()]);
  }

  /** Renews what the store may not know. */
  #catchUp(now: number): void {
    if (now - this.#caughtUpAt < CATCH_UP_INTERVAL_MS) return;
    this.#caughtUpAt = now;
    this.#isStale = false;
    this.#renew([...this.#held.all()].filter(({ isConfirmed, renewAt }) => !isConfirmed || renewAt <= now));
  }

  #renew(due: readonly HeldPermit[]): void {
    const now = this.#clock();
    const permits = due.filter(({ renewableUntil }) => renewableUntil > now);
    for (const held of due) held.renewAt = renewalAfter(held.receipt, now);
    if (permits.length === 0) return;
    for (const held of permits) held.mayBeStored = true;
    const receipts = permits.map(({ receipt }) => receipt);
    const local = permits.filter(({ isLocal }) => isLocal);
    if (local.length > 0) void this.#local!.renew!(local.map(({ receipt }) => receipt));
    const onLapsed = (lapsed: readonly number[]) => this.#onRenewed(permits, lapsed, now);
    const onError = () => {
      this.#isStale = true;
      for (const held of permits) held.renewAt = now;
    };
    try {
      void chain(this.#target.renew!(receipts), onLapsed, onError);
    } catch {
      onError();
    }
  }

  #onRenewed(permits: readonly HeldPermit[], lapsed: readonly number[], sentAt: number): void {
    for (const [index, held] of permits.entries()) {
      this.#held.renewed(held, sentAt);
      const units = lapsed[index]!;
      if (units > 0 && channels.permitLapsed.hasSubscribers) {
        channels.permitLapsed.publish({ tier: held.receipt.tier, units });
      }
    }
  }
}

function isDenied({ outcomes }: Answer): boolean {
  return outcomes.some(({ allowed, shadow }) => !allowed && !shadow);
}

function takesPermits(group: readonly Claim[]): boolean {
  for (let index = 0; index < group.length; index += 1) if (takesPermit(group[index]!)) return true;
  return false;
}

function takesPermit({ policy, cost }: Claim): boolean {
  return policy.held === true && cost > 0;
}

function denialOf({ tier, policy }: Claim, units: number): Outcome {
  const { limit, hold, retry } = policy as HeldPolicy;
  const remaining = Math.max(0, limit - units);
  return {
    tier,
    allowed: false,
    never: false,
    shadow: false,
    limit,
    remaining,
    retryAfter: retry,
    replenishAfter: retry,
    resetAfter: hold,
    delay: 0,
    held: true,
  };
}
