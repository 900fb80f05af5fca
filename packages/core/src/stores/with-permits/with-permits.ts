// with-permits/ renews and releases the permits of running requests, and lets requests wait for one. Claims with a
// permit enter. It imports what stores share and waiting, and no other store.
import type { PermitPolicy } from '../../algorithms/concurrency/permit-policy.js';
import { chain, isPromise } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import type { Holder } from '../../model/holder.js';
import { undoOf, type Receipt } from '../../model/receipt.js';
import { onClosing } from '../closing.js';
import type { Charge, Layer, Passage, Recover, RequestFacts, Undo } from '../layer.js';
import type { Layers } from '../layers/layers.js';
import type { PermitStore, Store } from '../store.js';
import type { Answer } from '../../model/answer.js';
import { Attempts } from './attempts.js';
import { heardFacts, type Facts } from './facts.js';
import type { FullKeys } from './full-keys.js';
import { HeldPermits, isPermit, type HeldPermit, type PermitReceipt } from './held-permits.js';
import type { LinedRequest } from './lined-request.js';
import { type Pauses, PAUSE } from './pauses.js';
import { Releases } from './releases.js';
import { Renewals } from './renewals.js';
import { WaitingLines } from './waiting-lines.js';

export interface PermitContext {
  /** The layers below, and the store. */
  readonly below: Pick<Store, 'refund'> & { readonly consume: Charge };
  /** Where permits are renewed and released, without a fallback. */
  readonly target: PermitStore;
  /** The store that decides during outages. It is undefined if the target never fails. */
  readonly local?: PermitStore;
  /** The answer when the target has failed. @default it rejects */
  readonly recover?: Recover;
  readonly held?: HeldPermits;
  /** What the target has not heard. @default it hears everything immediately, as a store in this process does */
  readonly outbox?: Facts;
  /** Pauses that the target may not have heard. @default it hears all of them */
  readonly pauses?: Pauses;
  /** Keys of which no unit is left. @default no other process takes units */
  readonly full?: FullKeys;
  /** The policy of requests that wait, where processes leave each other units. @default the same */
  readonly waitingPolicy?: ((policy: PermitPolicy) => PermitPolicy) | undefined;
  /** Monotonic milliseconds. @default performance.now */
  readonly clock?: () => number;
}

/** A request of a limiter, and the layers that it is sent through. */
interface Sent {
  readonly layers: Pick<Layers, 'consume' | 'peek'>;
  readonly group: readonly Claim[];
  readonly facts: RequestFacts | undefined;
  readonly owner: object;
}

/**
 * Holds the permits of this process: names them, renews them while their requests run, and releases each once. It also
 * releases a permit that the store may have given although no answer came.
 */
export class PermitLayer implements Layer {
  readonly #below: PermitContext['below'];
  readonly #target: PermitContext['target'];
  readonly #local: PermitStore | undefined;
  readonly #held: HeldPermits;
  readonly #clock: () => number;
  readonly #outbox: Facts;
  readonly #attempts: Attempts;
  readonly #renewals: Renewals;
  readonly #releases: Releases;
  readonly #lines: WaitingLines;

  constructor(context: PermitContext) {
    const { below, target, local, recover = rethrow, waitingPolicy = (policy) => policy } = context;
    const { held = new HeldPermits(), outbox = heardFacts, clock = () => performance.now() } = context;
    this.#below = below;
    this.#target = target;
    this.#local = local;
    this.#held = held;
    this.#clock = clock;
    this.#outbox = outbox;
    const giveBack = (receipts: readonly Receipt[]) => void this.#giveBack(receipts);
    const renewals = new Renewals({ target, local, held, outbox, release: (receipt) => giveBack([receipt]), clock });
    const releases = new Releases(target, outbox);
    const facts = { outbox, renewals, releases, pauses: context.pauses };
    this.#attempts = new Attempts({ below, target, held, recover, giveBack, waitingPolicy, clock, ...facts });
    this.#renewals = renewals;
    this.#releases = releases;
    this.#lines = new WaitingLines({ giveBack, full: context.full });
    onClosing(target, () => this.#lines.close());
  }

  /** Sends a request of a limiter, which may wait in line for a permit: then it is sent again. */
  sendInLine({ layers, group, facts, owner }: Sent): MaybePromise<Answer> {
    const request: LinedRequest = {
      group,
      patience: facts?.patience,
      owner,
      send: (waiters) => layers.consume(group, facts, waiters),
      peek: () => layers.peek(group),
    };
    return chain(this.#lines.send(request), (answer) => {
      this.#held.assign(answer.receipts, owner);
      return answer;
    });
  }

  before(passage: Passage): MaybePromise<Answer> | undefined {
    return passage.isPeek ? undefined : this.#attempts.decide(passage);
  }

  undo(receipts: readonly Receipt[], below: Undo): MaybePromise<number> {
    const permits = receipts.filter(isPermit);
    if (permits.length === 0) return below(receipts);
    const given = this.#release(permits);
    const others = receipts.filter((receipt) => !isPermit(receipt));
    if (others.length === 0) return given;
    return chain(below(others), (units) => chain(given, (released) => units + released));
  }

  forget(keys: readonly string[], below: () => MaybePromise<void>): MaybePromise<void> {
    // Others may take their place until the next renewal.
    for (const key of keys) for (const held of this.#held.of(key)) held.heldUntil = -Infinity;
    this.#outbox.forget(keys, PAUSE);
    return chain(below(), () => this.#lines.wake(keys));
  }

  /** Has renewals ask whether what receipts stand for still runs. */
  watch(receipts: readonly Receipt[], holder: Holder): void {
    this.#held.watch(receipts, holder);
  }

  /** What running requests of this process hold. */
  running(): readonly Receipt[] {
    return this.#held.receipts();
  }

  /** Ends the permits of a limiter, and sends what the store has not heard. */
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
  }

  #release(permits: readonly PermitReceipt[]): MaybePromise<number> {
    const now = this.#clock();
    const ended: HeldPermit[] = [];
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
      if (requests > 0) ended.push(taken);
    }
    const sent = ended.length > 0 ? this.#releases.add(ended, now) : undefined;
    const wake = () => this.#lines.wake([...keys]);
    if (!isPromise(sent) || this.#target.link === undefined) {
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
      await this.undo(undoOf(receipts), (others) => this.#below.refund(others));
    } catch {
      // The store is closed, and its permits lapse by themselves.
    }
  }
}

function rethrow(error: unknown): never {
  throw error;
}
