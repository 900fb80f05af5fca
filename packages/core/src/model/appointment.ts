/** What a tier says to a denied request whose moment is its own, because the tier tells other requests other moments. */
export interface Appointment {
  /**
   * Set where a tier with a line denies, whose `retryAfter` is the place of the request in it: milliseconds until the request fits
   * if nothing else spends.
   */
  readonly fitsAfter?: number;
  /**
   * Set where a place in line is kept for a request that has asked for one: `consume(subject, { place })` brings it back at its
   * moment. Opaque text.
   */
  readonly place?: string;
}

/** The same of a decision. */
export interface AppointedDecision {
  /**
   * The place in line that is kept for a denied request which has asked for one: bring it back when `retryAfter` has passed, by
   * `consume(subject, { place })`. Undefined for others. A copy of a decision says it by `place` of its outcomes.
   */
  readonly place?: string | undefined;
}

/** The same of the body of a denial. */
export interface AppointedProblem {
  /** Seconds until the request would fit if no other was told to come before. Only of a tier with a line. */
  readonly 'fits-after'?: number;
}

/** What a request brings of the denial before it. */
export interface Brought {
  /**
   * The `place` of the denial before, for a tier whose line keeps places: the request is let in at its moment. `true` asks for a
   * place. It has no effect for other tiers.
   *
   * @default no place is asked for
   */
  place?: string | true | undefined;
}

/** The names of what requests bring, and what each must be. */
export const BROUGHT: Readonly<Record<keyof Brought, string>> = {
  place: 'must be the place of a decision, or true to ask for one',
};

/** For a request that comes back, and asks for what it may bring then. */
export const ASKING: Brought = Object.freeze({ place: true });

/** What a request brings when it comes back. @param before what it has brought, which another tier may have denied */
export function broughtAfter({ place }: AppointedDecision, before: Brought): Brought {
  return place === undefined ? before : { place };
}

export function isAppointed({ fitsAfter }: Appointment): boolean {
  return fitsAfter !== undefined;
}
