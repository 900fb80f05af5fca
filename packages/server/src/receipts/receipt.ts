// receipts/ writes what a decision has charged into a text that any process of the service takes back. Decisions enter,
// and texts leave that nobody can make without the secret. It imports no other room.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CarriedCharge } from '@sluice/core/internal';

/** What a receipt says. */
export interface Receipt {
  /** Names it, so that it is refunded or settled once. */
  readonly id: string;
  readonly limiter: string;
  /** The process whose memory has the charges that it made while Redis was away. Undefined for others. */
  readonly process: string | undefined;
  /** Milliseconds since 1970 from which it is no longer taken. */
  readonly until: number;
  readonly charges: readonly CarriedCharge[];
}

/** A text that is no receipt of this service. */
export class InvalidReceipt extends Error {
  override name = 'InvalidReceipt';
}

const VERSION = 's1';
/** More than the charges of 32 tiers with some receipts each. */
const MAX_LENGTH = 65_536;

type Written = readonly [
  id: string,
  limiter: string,
  process: string | 0,
  until: number,
  charges: readonly CarriedCharge[],
];

/**
 * Writes and reads receipts, with a MAC under the secret of the service.
 *
 * @example
 * const seal = new ReceiptSeal(['a long secret'], 'rl');
 * seal.open(seal.write({ id: newReceiptId(), limiter: 'api', process: undefined, until, charges }));
 */
export class ReceiptSeal {
  readonly #keys: readonly [Buffer, ...Buffer[]];

  /**
   * @param secrets the first one signs. Receipts of the others are taken, too
   * @param prefix of the store keys. A receipt of another one is spent under other keys, and could be used there once more
   */
  constructor(secrets: readonly [string, ...string[]], prefix: string) {
    // A key of its own, because the same secret makes the digests of identities.
    const keyOf = (secret: string) =>
      createHmac('sha256', secret)
        .update(JSON.stringify(['sluice.receipt.2', prefix]))
        .digest();
    const [first, ...others] = secrets;
    this.#keys = [keyOf(first), ...others.map(keyOf)];
  }

  write({ id, limiter, process, until, charges }: Receipt): string {
    const written: Written = [id, limiter, process ?? 0, until, charges];
    const text = Buffer.from(JSON.stringify(written)).toString('base64url');
    return `${VERSION}.${text}.${macOf(text, this.#keys[0]).toString('base64url')}`;
  }

  /** @throws InvalidReceipt for a text that this service has not written, and for one that has ended */
  open(receipt: unknown, now = Date.now()): Receipt {
    if (typeof receipt !== 'string' || receipt.length > MAX_LENGTH) throw new InvalidReceipt('receipt must be a text');
    const [version, text, mac, ...others] = receipt.split('.');
    if (version !== VERSION || text === undefined || mac === undefined || others.length > 0) {
      throw new InvalidReceipt('receipt must be the receipt of an answer of /check, as it was');
    }
    const given = Buffer.from(mac, 'base64url');
    if (!this.#keys.some((key) => isSame(given, macOf(text, key)))) {
      throw new InvalidReceipt('receipt was not written with the secret of this service, or was changed');
    }
    const [id, limiter, process, until, charges] = JSON.parse(Buffer.from(text, 'base64url').toString()) as Written;
    if (until <= now) throw new InvalidReceipt(`receipt has ended at ${new Date(until).toISOString()}`);
    return { id, limiter, process: process === 0 ? undefined : process, until, charges };
  }
}

function macOf(text: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(`${VERSION}.${text}`).digest().subarray(0, 24);
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** 132 bits, in the form of the digests in store keys. */
export function newReceiptId(): string {
  return randomBytes(17).toString('base64url').slice(0, 22);
}
