import { chain, isPromise } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import type { Holder } from '../../model/holder.js';
import { undoOf, type Receipt } from '../../model/receipt.js';
import { onClosing } from '../closing.js';
import { Outbox } from '../outbox.js';
import type { Answer, FallbackStore, RemoteStore, Store } from '../store.js';
import { HeldPermits, isPermit, type PermitReceipt } from './held-permits.js';
import { Pauses, PAUSE } from './pauses.js';
import { knownDenial, namedClaim, policyOf, takesPermit, type Waiters } from './permit-claims.js';
import { Releases } from './releases.js';
import { Renewals } from './renewals.js';
import { WaitingLines } from './waiting-lines.js';

/** A store whose units can be held. */
export interface PermitStore extends Store {
  /** Makes a limiter the owner of what receipts stand for. */
  assign(receipts: readonly Receipt[], owner: object): void;
  /** Has renewals ask whether what receipts stand for still runs. */
  watch(receipts: readonly Receipt[], holder: Holder): void;
  /** What running requests of this process hold. */
  running(): readonly Receipt[];
  /** Ends the permits of a limiter, and sends what the store has not heard. */
  release(owner: object): Promise<void>;
}

export interface PermitContext {
  /** Where permits are renewed and released, without a fallback. */
  readonly target: Store & Partial<RemoteStore>;
  /** Decides during outages. Undefined if the target never fails. */
  readonly local?: Store;
  /** The answer when the target has failed. @default it rejects */
  readonly recover?: FallbackStore['recover'];
  readonly held?: HeldPermits;
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

class StoreWithPermits implements PermitStore {
  readonly #store: Store;
  readonly #target: PermitContext['target'];
  readonly #local: Store | undefined;
  readonly #held: HeldPermits;
  readonly #clock: () => number;
  readonly #recover: FallbackStore['recover'];
  readonly #outbox: Outbox;
  readonly #renewals: Renewals;
  readonly #releases: Releases;
  readonly #pauses: Pauses;
  readonly #lines: WaitingLines;

  constructor(store: Store, context: PermitContext) {
    const { target, local, recover = rethrow, held = new HeldPermits(), clock = () => performance.now() } = context;
    const outbox = new Outbox(target, clock);
    this.#store = store;
    this.#target = target;
    this.#local = local;
    this.#held = held;
    this.#clock = clock;
    this.#recover = recover;
    this.#outbox = outbox;
    const release = (receipt: PermitReceipt) => this.#giveBack([receipt]);
    this.#renewals = new Renewals({ target, local, held, outbox, release, clock });
    this.#releases = new Releases(target, outbox);
    this.#pauses = new Pauses(target, clock);
    this.#lines = new WaitingLines({
      attempt: (group, waiters) => this.#attempt(group, waiters),
      peek: (group) => this.peek(group),
      giveBack: (receipts) => void this.#giveBack(receipts),
    });
    onClosing(target, () => this.#lines.close());
  }

  consume(group: readonly Claim[]): MaybePromise<Answer> {
    return this.#lines.consume(group);
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
    this.#outbox.forget(keys, PAUSE);
    return chain(this.#store.reset(keys), () => this.#lines.wake(keys));
  }

  recorded(key: string): MaybePromise<readonly string[]> {
    return this.#store.recorded(key);
  }

  assign(receipts: readonly Receipt[], owner: object): void {
    this.#held.assign(receipts, owner);
  }

  watch(receipts: readonly Receipt[], holder: Holder): void {
    this.#held.watch(receipts, holder);
  }

  running(): readonly Receipt[] {
    return this.#held.receipts();
  }

  async release(owner: object): Promise<void> {
    await this.#lines.leave(owner);
    const held = [...this.#held.all()].filter((each) => each.owner === owner);
    await this.#release(held.map(({ receipt }) => receipt));
    await this.#outbox.sendLast();
  }

  async close(): Promise<void> {
    // Before permits end, so that no waiting request takes them.
    await this.#lines.close();
    await this.#release(this.#held.receipts());
    this.#renewals.stop();
    await this.#outbox.sendLast();
    this.#outbox.stop();
    await this.#store.close();
  }

  #attempt(group: readonly Claim[], waiters: Waiters): MaybePromise<Answer> {
    const now = this.#clock();
    const known = knownDenial(group, this.#held, now);
    if (known) return known;
    // Before the local store decides, too.
    this.#renewals.catchUp(now);
    const mayAnswer = this.#target.outageOf?.(group) === undefined;
    const heard = mayAnswer ? this.#outbox.before(group) : undefined;
    const wasSent = mayAnswer && (heard === undefined || isPromise(heard));
    const named = group.map((claim) => namedClaim(claim, this.#held, waiters));
    const onAnswer = (answer: Answer) => this.#onAnswer(named, answer, now, wasSent);
    const onError = (error: unknown): never => {
      if (wasSent) this.#releaseUnknown(named, now);
      throw error;
    };
    try {
      return chain(this.#decide(named, heard), onAnswer, onError);
    } catch (error) {
      return onError(error);
    }
  }

  /** The answer of the store. One that has not heard what it must know counts as one that has failed. */
  #decide(named: readonly Claim[], heard: MaybePromise<unknown>): MaybePromise<Answer> {
    if (heard === undefined) return this.#store.consume(named);
    if (!isPromise(heard)) return this.#recover(heard, named);
    const onAnswer = (answer: Answer) =>
      chain(heard, (problem) => {
        if (problem === undefined || answer.fallback !== undefined) return answer;
        // A pause stays: it must be heard in any case.
        void this.#giveBack(answer.receipts.filter(({ policy }) => policy.kind !== 'pause'));
        return this.#recover(problem, named);
      });
    return chain(this.#store.consume(named), onAnswer);
  }

  #onAnswer(named: readonly Claim[], answer: Answer, sentAt: number, wasSent: boolean): Answer {
    const given = answer.receipts.filter(isPermit);
    const mayBeStored = wasSent && answer.untouched !== true;
    for (const receipt of given) {
      const isLocal = receipt.source === 'local';
      this.#renewals.add(receipt, sentAt, { requests: mayBeStored ? 1 : 0, isLocal });
    }
    if (answer.fallback === undefined) {
      // Another store does not call back when it answers again.
      if (this.#target.onAnswer === undefined) void this.#outbox.sendAll();
      return answer;
    }
    this.#outbox.keep(this.#pauses.of(named, sentAt));
    const unknown = named.filter(({ name }) => !given.some((receipt) => receipt.name === name));
    if (mayBeStored) this.#releaseUnknown(unknown, sentAt);
    return answer;
  }

  /** The store may have charged claims whose answer never came. */
  #releaseUnknown(claims: readonly Claim[], sentAt: number): void {
    const receipts = claims.filter(takesPermit).map((claim) => {
      const { tier, key, cost, name } = claim;
      return { tier, key, policy: policyOf(claim), units: cost, at: 0, until: 0, name: name!, of: cost };
    });
    if (receipts.length > 0) void this.#releases.add(receipts, sentAt);
  }

  #release(permits: readonly PermitReceipt[]): MaybePromise<number> {
    const now = this.#clock();
    const ended: PermitReceipt[] = [];
    const keys = new Set<string>();
    let given = 0;
    for (const each of permits) {
      const taken = this.#held.take(each);
      if (taken === undefined) continue;
      const { receipt, heldUntil, isLocal, requests } = taken;
      keys.add(receipt.key);
      if (heldUntil > now) given += receipt.units;
      if (receipt.units === receipt.of) this.#outbox.forget([receipt.key], receipt.name);
      if (isLocal) void this.#local!.refund([receipt]);
      if (requests > 0) ended.push(receipt);
    }
    const sent = ended.length > 0 ? this.#releases.add(ended, now) : undefined;
    const wake = () => this.#lines.wake([...keys]);
    if (!isPromise(sent) || this.#target.releaseFirst === undefined) {
      return chain(sent, () => {
        wake();
        return given;
      });
    }
    // Redis gets the next check behind the release, which is sent at the end of this turn: units are free for one round trip.
    setImmediate(wake);
    return chain(sent, () => given);
  }

  async #giveBack(receipts: readonly Receipt[]): Promise<void> {
    try {
      await this.refund(undoOf(receipts));
    } catch {
      // A closed store. Permits lapse by themselves.
    }
  }
}

function rethrow(error: unknown): never {
  throw error;
}
