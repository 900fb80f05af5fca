import type { OnStoreFailure } from './on-store-failure.js';
import type { Policy } from './policy.js';

/** One tier's share of a request, as asked of a store. */
export interface Claim {
  /** The tier's name. */
  readonly tier: string;
  /** Where the store keeps the state: made of digests, never of raw identities. */
  readonly key: string;
  readonly policy: Policy;
  /** Units asked for; 0 reads without charging. */
  readonly cost: number;
  /** A shadow tier is answered and charged when it fits, and never denies. */
  readonly shadow: boolean;
  /** Charged for every request, whoever denied it, at most up to full. */
  readonly countDenied: boolean;
  /** Text to keep with the key when the request is admitted, at most 64 bytes. */
  readonly record: string | undefined;
  /** What becomes of the tier while the store cannot answer. @default 'local' */
  readonly onStoreFailure?: OnStoreFailure;
  /** Units may be charged ahead and spent in this process. */
  readonly lease?: Lease | undefined;
  /** The policy that holds in this process alone while the store cannot answer. @default the policy */
  readonly localPolicy?: Policy;
}

/** How far ahead a process may charge units. */
export interface Lease {
  /** Units of a key that a process holds at most. */
  readonly units: number;
  /** How long a process holds unused units, in milliseconds. */
  readonly duration: number;
}
