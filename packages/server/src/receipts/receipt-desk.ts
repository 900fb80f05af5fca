import { randomUUID } from 'node:crypto';
import type { Costs } from '@sluice/core';
import {
  type AbleStore,
  type CarriedCharge,
  CarriedCorrections,
  carriedOf,
  type Claim,
  type Decision,
  definePolicy,
  isAdmitted,
  keyShape,
  type TieredLimiter,
} from '@sluice/core/internal';
import { InvalidReceipt, newReceiptId, type Receipt, type ReceiptSeal } from './receipt.js';

/** The name in the store keys of receipts that were refunded or settled. */
const TIER = 'receipt';

/** The part of a limiter that corrects decisions. */
export interface Corrected {
  readonly name: string;
  readonly limiter: object;
  readonly requests: TieredLimiter<never>['requests'];
}

interface DeskContext {
  readonly seal: ReceiptSeal;
  readonly store: AbleStore;
  readonly prefix: string;
  /** A limiter of this service by its name. Undefined for one that the file no longer has. */
  readonly limiterOf: (name: string) => Corrected | undefined;
  /** How long receipts are taken, in milliseconds. */
  readonly life: number;
}

/** Gives receipts for decisions, and corrects decisions by them: on any process, also after a restart. */
export class ReceiptDesk {
  readonly #context: DeskContext;
  /** Units that a process charges while Redis is away are in its own memory. */
  readonly #process = randomUUID();
  readonly #once: Claim['policy'];
  readonly #shape: string;

  constructor(context: DeskContext) {
    this.#context = context;
    // A receipt that is no longer taken needs no memory of its use.
    const window = Math.max(context.life, 60_000);
    this.#once = definePolicy({ algorithm: 'fixed-window', limit: 1, window }, 'receipts');
    this.#shape = keyShape(this.#once);
  }

  /** The receipt of decisions about one request. Undefined where they have charged nothing. */
  write({ name, limiter }: Corrected, ...decisions: readonly Decision[]): string | undefined {
    const charges = decisions.flatMap((decision) => carriedOf(limiter, decision));
    if (charges.length === 0) return undefined;
    const isLocal = charges.some(({ receipts }) => receipts.some(({ source }) => source === 'local'));
    const until = Date.now() + this.#context.life;
    const process = isLocal ? this.#process : undefined;
    return this.#context.seal.write({ id: newReceiptId(), limiter: name, process, until, charges });
  }

  /** @returns the units given back: 0 for a receipt that was refunded or settled before */
  async refund(text: unknown, units: Costs | undefined): Promise<number> {
    const { receipt, corrections, charges } = this.#open(text);
    if (units !== undefined) corrections.check('refund: units', units, charges);
    return (await this.#spend(receipt)) ? corrections.refund(charges, units) : 0;
  }

  /** @returns the units charged, less the units given back: 0 for a receipt that was refunded or settled before */
  async settle(text: unknown, cost: Costs): Promise<number> {
    const { receipt, corrections, charges } = this.#open(text);
    corrections.check('settle: cost', cost, charges);
    return (await this.#spend(receipt)) ? corrections.settle(charges, cost) : 0;
  }

  /** @returns the units released */
  release(text: unknown): Promise<number> {
    const { corrections, charges } = this.#open(text);
    return corrections.release(charges);
  }

  /** @returns units that others could have been given since the permits ended, and a receipt that lasts longer */
  async renew(text: unknown): Promise<{ readonly lapsed: number; readonly receipt: string }> {
    const { receipt, corrections, charges } = this.#open(text);
    const isSpent = !isAdmitted((await this.#context.store.peek([this.#useOf(receipt)])).outcomes);
    const lapsed = await corrections.renew(charges);
    if (lapsed === undefined)
      throw new InvalidReceipt('receipt has no permit: only tiers that limit what runs at the same time have');
    const until = Math.max(receipt.until, Date.now() + this.#context.life);
    // What was spent is remembered for the life of the first receipt: a longer one could give it back once more.
    const kept = isSpent ? receipt.charges.map(permitsOf) : receipt.charges;
    return { lapsed, receipt: this.#context.seal.write({ ...receipt, charges: kept, until }) };
  }

  #open(text: unknown): Opened {
    const { seal, limiterOf } = this.#context;
    const receipt = seal.open(text);
    const found = limiterOf(receipt.limiter);
    if (found === undefined)
      throw new InvalidReceipt(`receipt is of the limiter "${receipt.limiter}", which this service does not have`);
    const isElsewhere = receipt.process !== undefined && receipt.process !== this.#process;
    const charges = isElsewhere ? receipt.charges.map(withoutLocal) : receipt.charges;
    return { receipt, charges, corrections: new CarriedCorrections(found.requests) };
  }

  /** True once for each receipt, over all processes. Before the correction, so that a repetition gives nothing twice. */
  async #spend(receipt: Receipt): Promise<boolean> {
    return isAdmitted((await this.#context.store.consume([this.#useOf(receipt)])).outcomes);
  }

  /** Is admitted once for each receipt. */
  #useOf({ id }: Receipt): Claim {
    const key = `${this.#context.prefix}:{${id}}:${TIER}:${this.#shape}`;
    return { tier: TIER, key, policy: this.#once, cost: 1, shadow: false, record: undefined };
  }
}

interface Opened {
  readonly receipt: Receipt;
  readonly charges: readonly CarriedCharge[];
  readonly corrections: CarriedCorrections;
}

/** Without what another process has charged in its own memory. */
function withoutLocal(charge: CarriedCharge): CarriedCharge {
  return { ...charge, receipts: charge.receipts.filter(({ source }) => source !== 'local') };
}

/** Without what a refund or a settlement gives back: permits have names. */
function permitsOf(charge: CarriedCharge): CarriedCharge {
  return { ...charge, receipts: charge.receipts.filter(({ name }) => name !== undefined) };
}
