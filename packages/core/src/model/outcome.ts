import type { Appointment } from './appointment.js';

/** An outcome that is being made. */
export type DraftOutcome = { -readonly [Name in keyof Outcome]: Outcome[Name] };

/** What one tier says of a request. Durations are whole milliseconds, rounded up: waiting them is enough, but for a hint. */
export interface Outcome extends Appointment {
  /** The name of the tier. */
  readonly tier: string;
  /** True when this tier alone admits the request. */
  readonly allowed: boolean;
  /** True when the cost is more than this tier can ever hold, and no balance could pay in its place. */
  readonly never: boolean;
  /** True for a tier with `mode: 'shadow'`, which never denies. */
  readonly shadow: boolean;
  /**
   * Set for a tier that a client does not use up in the course of time: units of permits come back when requests end, a
   * pause spends none, and a ban only those of denied requests. It binds a decision only while it denies.
   */
  readonly held?: true;
  /**
   * Set where `retryAfter` is a hint, because permits come back when requests end. It binds a denied decision only where no
   * other outcome denies.
   */
  readonly hint?: true;
  /** Set where an override has decided instead of the limit of the tier: when it ends, in milliseconds since 1970. */
  readonly override?: { readonly until?: number };
  /**
   * Set where this tier would have denied, and a balance pays in its place, or would if no other tier denied: the name of the
   * tier of the balance. This tier is not charged.
   */
  readonly coveredBy?: string;
  /** Only of a balance: whether it has paid for this request. One that covers other tiers pays where they have no room. */
  readonly paid?: boolean;
  /** What the feature of this tier says beyond that, by names that it documents. */
  readonly facts?: Readonly<Record<string, number>>;
  /**
   * Units of a full budget: the limit of a window, the burst of a bucket, the places of a queue. Of a balance the units that it
   * held before the request.
   */
  readonly limit: number;
  /** Whole units left after this request. */
  readonly remaining: number;
  /** Milliseconds until the same request fits this tier. 0 when allowed, `Infinity` when never, and where only a balance that gets units helps. */
  readonly retryAfter: number;
  /** Milliseconds until one more unit is left. 0 for a full budget, and for a balance, which no time refills. */
  readonly replenishAfter: number;
  /** Milliseconds until the budget is full. Of a balance that has paid: until the tiers that it covers admit the request. */
  readonly resetAfter: number;
  /** Milliseconds until the request may go on. Above 0 only with a leaky-bucket queue. */
  readonly delay: number;
}

/** True for an outcome that denies its request. */
export function denies({ allowed, shadow }: Pick<Outcome, 'allowed' | 'shadow'>): boolean {
  return !allowed && !shadow;
}

/** Whether the request is admitted that has these outcomes. A loop, because each correction of a request in memory asks. */
export function isAdmitted(outcomes: readonly Outcome[]): boolean {
  for (let index = 0; index < outcomes.length; index += 1) if (denies(outcomes[index]!)) return false;
  return true;
}
