import { randomBytes } from 'node:crypto';

import type { PermitPolicy } from '../../algorithms/concurrency/permit-policy.js';
import { ELSEWHERE, type Holder } from '../../model/holder.js';
import { endsWithRequest, type Receipt } from '../../model/receipt.js';
import type { PermitStore } from '../store.js';

/** The clocks of two machines differ by less than a thousandth. */
const DRIFT = 0.999;
/** A permit is renewed when a third of its time has passed, so that one renewal may fail. */
const RENEWALS_PER_HOLD = 3;

/** A permit that a request of this process holds. Times are milliseconds of `performance.now()`. */
export interface HeldPermit {
  /** Of the units that are held. */
  receipt: PermitReceipt;
  /** It counts in the store until then at least. */
  heldUntil: number;
  renewAt: number;
  /** It is not renewed after that. */
  readonly renewableUntil: number;
  /** Requests for it that the store may have run. With none, it has no such permit. */
  requests: number;
  /** Those of them that the store has not answered: they may still arrive. */
  unanswered: number;
  /** The local store has it. */
  isLocal: boolean;
  /** The limiter that has decided its request. Undefined until the request is decided. */
  owner: object | undefined;
  /** Undefined for a permit that ends by a call alone. */
  holder: Holder | undefined;
  /** The time of the renewal that first found its client gone. It is undefined before that. */
  leftAt: number | undefined;
}

/** Where a permit counts. */
export type Place = Pick<HeldPermit, 'requests' | 'isLocal'>;

export type PermitReceipt = Receipt & { readonly policy: PermitPolicy; readonly name: string };

/** The permits that the requests of this process hold. */
export class HeldPermits {
  /** Begins the names of permits: no process makes one of another. Undefined before the first. */
  #process: string | undefined;
  #named = 0;
  readonly #byName = new Map<string, HeldPermit>();
  readonly #byKey = new Map<string, Set<HeldPermit>>();

  /** The name of a new permit. Where callers share the limit it ends with its caller. */
  nextName({ caller }: Pick<PermitPolicy, 'caller'>): string {
    this.#named += 1;
    const name = (this.#process ??= randomBytes(6).toString('base64url')) + this.#named.toString(36);
    return caller === undefined ? name : name + caller;
  }

  has({ receipt }: HeldPermit): boolean {
    return this.#byName.has(receipt.name);
  }

  all(): IterableIterator<HeldPermit> {
    return this.#byName.values();
  }

  receipts(): readonly PermitReceipt[] {
    return Array.from(this.all(), ({ receipt }) => receipt);
  }

  of(key: string): ReadonlySet<HeldPermit> {
    return this.#byKey.get(key) ?? NONE;
  }

  /** Units of a key that count at `now`. */
  units(key: string, now: number): number {
    let units = 0;
    for (const { receipt, heldUntil } of this.of(key)) if (heldUntil > now) units += receipt.units;
    return units;
  }

  /** @param sentAt when the request for the permit was sent */
  add(receipt: PermitReceipt, sentAt: number, place: Place): HeldPermit {
    // Member by member, because spreads take as long as the rest of it.
    const held: HeldPermit = {
      receipt,
      heldUntil: heldAfter(receipt, sentAt),
      renewAt: renewalAfter(receipt, sentAt),
      renewableUntil: sentAt + receipt.policy.longest,
      requests: place.requests,
      unanswered: place.isLocal ? place.requests : 0,
      isLocal: place.isLocal,
      owner: undefined,
      holder: undefined,
      leftAt: undefined,
    };
    this.#byName.set(receipt.name, held);
    const others = this.#byKey.get(receipt.key);
    if (others) others.add(held);
    else this.#byKey.set(receipt.key, new Set([held]));
    return held;
  }

  /** The permits of receipts are those of a limiter, which ends them when it closes. */
  assign(receipts: readonly Receipt[], owner: object): void {
    for (const receipt of receipts) {
      const held = isPermit(receipt) ? this.#byName.get(receipt.name) : undefined;
      if (held) held.owner = owner;
    }
  }

  /** Renewals ask the holder of these permits whether it still runs. One elsewhere holds them in the place of this process. */
  watch(receipts: readonly Receipt[], holder: Holder): void {
    for (const each of receipts) {
      const held = isPermit(each) ? this.#byName.get(each.name) : undefined;
      if (held === undefined) continue;
      if (holder === ELSEWHERE) this.#remove(held);
      else held.holder = holder;
    }
  }

  /** The permit counts again from `sentAt` on, when its renewal was sent. */
  renewed(held: HeldPermit, sentAt: number): void {
    held.heldUntil = heldAfter(held.receipt, sentAt);
    held.renewAt = renewalAfter(held.receipt, sentAt);
  }

  /**
   * Takes units out of a permit, the last first.
   *
   * @returns what the stores have to release; undefined for a permit that is not held
   */
  take({ name, units }: PermitReceipt): HeldPermit | undefined {
    const held = this.#byName.get(name);
    if (held === undefined) return undefined;
    const { receipt } = held;
    const taken = Math.min(units, receipt.units);
    const left = receipt.units - taken;
    if (left === 0) {
      this.#remove(held);
      return held;
    }
    held.receipt = { ...receipt, units: left, of: left };
    return { ...held, receipt: { ...receipt, units: taken } };
  }

  #remove(held: HeldPermit): void {
    const { name, key } = held.receipt;
    this.#byName.delete(name);
    const others = this.#byKey.get(key)!;
    others.delete(held);
    if (others.size === 0) this.#byKey.delete(key);
  }
}

interface Telling {
  readonly held: HeldPermits;
  readonly local: Pick<PermitStore, 'renew'>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Has the local store count what this process holds of these keys: it decides during an outage. */
export function tellLocal({ held, local, clock }: Telling, claims: readonly { readonly key: string }[]): void {
  for (const { key } of claims) {
    // A stalled event loop has not renewed permits that are due, and they may have lapsed here too.
    const untold = [...held.of(key)].filter(({ isLocal, renewAt }) => !isLocal || renewAt <= clock());
    if (untold.length === 0) continue;
    void local.renew!(untold.map(({ receipt }) => receipt));
    for (const each of untold) each.isLocal = true;
  }
}

const NONE: ReadonlySet<HeldPermit> = new Set();

export function isPermit(receipt: Receipt): receipt is PermitReceipt {
  return endsWithRequest(receipt);
}

/** Until when a permit counts in the store at least that was given or renewed at `sentAt`. */
function heldAfter({ policy: { hold } }: PermitReceipt, sentAt: number): number {
  return sentAt + hold * DRIFT;
}

/** When to renew a permit that was given or renewed at `sentAt`. */
export function renewalAfter({ policy: { hold } }: PermitReceipt, sentAt: number): number {
  return sentAt + hold / RENEWALS_PER_HOLD;
}
