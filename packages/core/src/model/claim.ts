import type { ReachedMark } from './notice.js';
import type { Policy } from './policy.js';
import type { StopSignal } from './stop-signal.js';

/** Where a store in this process has found a key before. The store compares the key: it may have moved. */
export interface SlotHint {
  /** The key, as text that the store compares without reading it. */
  readonly storeKey: string;
  slot: number;
}

/** How a request waits. */
export interface Patience {
  /** In milliseconds. @default as long as the policies say */
  readonly wait?: number | undefined;
  /** Ends the wait. */
  readonly signal?: StopSignal | undefined;
  /** Others of its caller wait behind it in a line of their own. */
  readonly hasOthers?: boolean | undefined;
}

/** One tier's part of a request to a store. */
export interface Claim {
  /** The name of the tier. */
  readonly tier: string;
  /** Where the store holds the state. It is made of digests, never of raw identities. */
  readonly key: string;
  /** Of the key. Undefined for an identity that requests do not share. */
  readonly slotHint?: SlotHint | undefined;
  readonly policy: Policy;
  /** Units to charge. 0 reads without charging. */
  readonly cost: number;
  /** A shadow tier is answered, is charged when it fits, and never denies. */
  readonly shadow: boolean;
  /** Which requests it charges. */
  readonly charge: Charging;
  /** True to request all of a budget where the cost is more than it can hold. The cost fits the policy already. */
  readonly takesAll?: boolean;
  /** A string to store with the key if the request is admitted, at most 64 bytes. */
  readonly record: string | undefined;
  /** Names the units in the store, where they come back when their request ends. At most 48 characters. */
  readonly name?: string | undefined;
  /** How its request waits for units that others hold. */
  readonly patience?: Patience | undefined;
  /** What happens to the tier while the store is unavailable. @default 'local' */
  readonly onStoreFailure?: OnStoreFailure;
  /** Lets a process charge units ahead and spend them without a call. */
  readonly lease?: Lease | undefined;
  /** The policy of this process alone, while the store is unavailable. @default the policy */
  readonly localPolicy?: Policy;
  /** Hears of the marks that the charge has reached. Absent without marks. */
  onMarks?: (reached: readonly ReachedMark[]) => void;
  /** Names the owner of usage. Absent without usage, and without a label. */
  label?: string | undefined;
  /** The context object of `sluice:consume`, while that has a listener. */
  trace?: object | undefined;
}

/**
 * What happens to a request while the store is unavailable. `local`: this process limits alone. `allow`: the request is
 * admitted. `deny`: it gets 503.
 */
export type OnStoreFailure = 'local' | 'allow' | 'deny';

export const ON_STORE_FAILURE: readonly OnStoreFailure[] = ['local', 'allow', 'deny'];

/** How far ahead a process may charge units. */
export interface Lease {
  /** Units of a key that a process holds at most. */
  readonly units: number;
  /** How long a process holds unused units, in milliseconds. */
  readonly duration: number;
}

/**
 * Which requests a tier charges. `admitted`: those that all tiers admit. `denied`: those that another tier denies and
 * this one does not, for bans. `all`: also those that are denied, at most up to full.
 */
export type Charging = 'admitted' | 'denied' | 'all';

export const CHARGING: readonly Charging[] = ['admitted', 'denied', 'all'];

/** A claim that denies its request for good: it costs more than its tier can hold, and no balance may pay. */
export function impossibleIn(group: readonly Claim[]): Claim | undefined {
  if (group.some(({ policy }) => policy.covers !== undefined)) return undefined;
  return group.find(({ shadow, cost, policy }) => !shadow && cost > policy.capacity);
}

/** False for a tier that admitted requests never use up: a pause, a ban, and one whose units come back. */
export function isUsedUp({ policy, charge }: Pick<Claim, 'policy' | 'charge'>): boolean {
  const { endsWithRequest, chargesNobody } = policy.algorithm;
  return !endsWithRequest && !chargesNobody && charge !== 'denied';
}
