/** What every room may ask of the algorithm that a policy carries. Its steps are for stores: `Algorithm`. */
export interface AlgorithmFacts {
  /** As the option `algorithm` says it. */
  readonly name: string;
  /** Two letters that stand for it in keys. Algorithms of one code store their states under the same keys. */
  readonly code: string;
  /** The code of its Lua twin. Another form of an algorithm has a twin of its own. */
  readonly twin: string;
  /**
   * How time brings units back: those of a window together, at its end; those of a bucket evenly, one after the other; and those
   * of a sliding window by their age. It is then a rate, and a balance can pay for it. Undefined where time alone brings none.
   */
  readonly refill: 'together' | 'evenly' | 'by age' | undefined;
  /** A process can charge some of its units ahead, and spend them without the store. */
  readonly mayLease: boolean;
  /** Its units are permits: they have names, and end with their request. */
  readonly endsWithRequest: boolean;
  /** It charges no request that is admitted: a pause denies all of them for a time, and then none. */
  readonly chargesNobody: boolean;
  /** No time brings its units back, but a credit does: it has no limit, and what is left says everything. */
  readonly neverRefills: boolean;
  /** A denial holds until its `retryAfter` has passed, so that a process may repeat it. */
  readonly denialsLast: boolean;
  /** What single features ask of it, by the names of their facets: see `algorithms/facet.ts`. */
  readonly facets: Readonly<Record<string, object>>;
  /** In JSON a policy has the name of its algorithm. */
  toJSON(): string;
}

/** The facts of rates, which most algorithms are, and what most do in the steps that few need. */
export const RATE_FACTS = {
  refill: 'by age',
  mayLease: false,
  endsWithRequest: false,
  chargesNobody: false,
  neverRefills: false,
  denialsLast: true,
  storesUnits: false,
  facets: {},
  kernel: () => undefined,
  overdraft: () => 0,
  // The same numbers.
  revive: (json: object) => json as never,
  toJSON(this: AlgorithmFacts): string {
    return this.name;
  },
} as const;
