import { digestIn, eventChannel, isPromise, kindOfError, warn } from '@sluice/core/internal';

/** A balance has come down to a mark, or below it. */
export interface LowBalance {
  /** The name of the tier. */
  readonly tier: string;
  /** The digest of the identity. */
  readonly digest: string;
  /** What the option `label` of the tier says of the request. Undefined where no request has made the balance low. */
  readonly label?: string;
  /** One of `lowBalance`. */
  readonly mark: number;
  /** Units that the balance holds now. */
  readonly balance: number;
  /** What has made it low: requests, units that have ended, or a debit or a reconciliation. */
  readonly cause: LowCause;
  /** False for a balance without `onLowBalance`. */
  readonly isTaken: boolean;
}

export const LOW_CAUSES = ['spent', 'ended', 'taken'] as const;
export type LowCause = (typeof LOW_CAUSES)[number];

/** Is called for each notice of a balance. */
export type OnLowBalance = (low: LowBalance) => unknown;

export const lowBalanceEvent = eventChannel<LowBalance>('sluice:low-balance');

/** A mark that was reached. */
export interface LowMark {
  readonly tier: string;
  readonly key: string;
  readonly mark: number;
  readonly balance: number;
  readonly cause: LowCause;
  readonly policy: { readonly onLowBalance?: OnLowBalance | undefined };
}

export function publishLow({ tier, key, policy, ...mark }: LowMark, label: string | undefined): void {
  const { mark: units, balance, cause } = mark;
  const isTaken = policy.onLowBalance !== undefined;
  const digest = digestIn(key, tier);
  const named = label === undefined ? {} : { label };
  const low: LowBalance = { tier, digest, ...named, mark: units, balance, cause, isTaken };
  if (lowBalanceEvent.hasSubscribers) lowBalanceEvent.publish(low);
  call(low, policy.onLowBalance);
}

/** A notice is not worth failing the request that has reached its mark. */
function call(low: LowBalance, onLowBalance: OnLowBalance | undefined): void {
  try {
    const heard = onLowBalance?.(low);
    if (isPromise(heard)) heard.then(undefined, warnOfListener);
  } catch (error) {
    warnOfListener(error);
  }
}

function warnOfListener(error: unknown): void {
  const failure = `has failed with ${kindOfError(error)}`;
  warn('SLUICE_NOTICE_FAILED', `balance: onLowBalance ${failure}, and the notice is not repeated: catch errors in it`);
}
