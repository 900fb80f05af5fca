import { chain } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import type { Receipt } from '../../model/receipt.js';
import { isPermit, type HeldPermits, type PermitReceipt } from '../held-permits.js';
import type { Answer, RemoteStore, Store } from '../store.js';
import { knownDenial } from './known-denial.js';
import { policyOf, takesPermit, takesPermits } from './permit-claims.js';
import { PermitNames } from './permit-names.js';
import { Releases } from './releases.js';
import { Renewals } from './renewals.js';
import { WaitingLines } from './waiting-lines.js';

/** A store whose units can be held. */
export interface PermitStore extends Store {
  /** Ends the permits of a limiter. */
  release(owner: object): Promise<void>;
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

class StoreWithPermits implements PermitStore {
  readonly #store: Store;
  readonly #target: PermitContext['target'];
  readonly #local: Store | undefined;
  readonly #held: HeldPermits;
  readonly #clock: () => number;
  readonly #names = new PermitNames();
  readonly #renewals: Renewals;
  readonly #releases: Releases;
  readonly #lines: WaitingLines;

  constructor(store: Store, { target, local, held, clock = () => performance.now() }: PermitContext) {
    this.#store = store;
    this.#target = target;
    this.#local = local;
    this.#held = held;
    this.#clock = clock;
    this.#renewals = new Renewals({ target, local, held, clock });
    this.#releases = new Releases(target, clock);
    this.#lines = new WaitingLines({
      attempt: (group) => this.#attempt(group),
      peek: (group) => this.peek(group),
      giveBack: (receipts) => void this.#giveBack(receipts),
    });
  }

  consume(group: readonly Claim[]): MaybePromise<Answer> {
    return takesPermits(group) ? this.#lines.consume(group) : this.#store.consume(group);
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

  async release(owner: object): Promise<void> {
    const held = [...this.#held.all()].filter((each) => each.owner === owner);
    await this.#release(held.map(({ receipt }) => receipt));
  }

  async close(): Promise<void> {
    // Before permits end, so that no waiting request takes them.
    this.#lines.close();
    await this.#release(Array.from(this.#held.all(), ({ receipt }) => receipt));
    this.#renewals.stop();
    this.#releases.stop();
    await this.#store.close();
  }

  #attempt(group: readonly Claim[]): MaybePromise<Answer> {
    const now = this.#clock();
    const known = knownDenial(group, this.#held, now);
    if (known) return known;
    const wasSent = this.#target.outageOf?.(group) === undefined;
    if (wasSent) this.#renewals.catchUp(now);
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
      this.#renewals.add(receipt, sentAt, { mayBeStored: wasSent, isConfirmed: !isLocal, isLocal });
    }
    if (answer.fallback === undefined) return answer;
    this.#renewals.onOutage();
    const unknown = named.filter(({ permit }) => !given.some((receipt) => receipt.permit === permit));
    if (wasSent) this.#releaseUnknown(unknown, sentAt);
    return answer;
  }

  /** The store may have charged claims whose answer never came. */
  #releaseUnknown(claims: readonly Claim[], sentAt: number): void {
    for (const claim of claims) {
      const { tier, key, cost, permit } = claim;
      if (permit === undefined) continue;
      const policy = policyOf(claim);
      const receipt = { tier, key, policy, units: cost, at: 0, until: 0, permit, of: cost };
      void this.#releases.add(receipt, sentAt + policy.hold);
    }
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

  async #giveBack(receipts: readonly Receipt[]): Promise<void> {
    try {
      await this.refund(receipts);
    } catch {
      // A closed store. Permits lapse by themselves.
    }
  }
}
