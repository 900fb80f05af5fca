import type { Policy } from '../model/policy.js';

/**
 * The Lua of one policy in a script that is made for it, with the numbers of the policy in the text. `$name` is a local
 * of the policy, because a script may be made for several.
 */
export interface Emitted {
  /** Lua files with functions that it calls. */
  readonly needs?: readonly (
    | 'balance.spending'
    | 'log.packing'
    | 'ring.counts'
    | 'ring.packing'
    | 'usage'
    | 'usage.labels'
  )[];
  /** Runs once a call, at the time `now_us`. */
  readonly begin: string;
  /**
   * Runs for each `$key`. Sets `$found` to the state that it finds, and `$room` to the units that fit. It may charge
   * `count` units together, for `settle` to take back. `units` is `count` as text, and nil for 1: Redis 7.0 takes half
   * a microsecond to pass a number. A key in a state that it does not know is left over: `$found` stays nil, and the
   * key as it was.
   */
  readonly read: string;
  /** Runs for each `$key` that was read, and makes its units those of `$found` and `charged` more: 0 to `count`. */
  readonly settle: string;
  /** What tells the state in the reply. @default `$found` */
  readonly reply?: readonly string[];
  /** The counts of the ring whose text is the state in the reply. @default it is numbers */
  readonly ring?: number;
}

/** Writes the Lua of a policy. @param hasCosts where `count` is what a request costs, and not how many units share a key */
export type Emitter<P extends Policy> = (policy: P, hasCosts: boolean) => Emitted;
