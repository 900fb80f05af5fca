import * as fc from 'fast-check';
import type { Kind } from './kinds.js';
import type { Place } from './places.js';
import type { Step } from './world.js';

/** What holds for every kind of tier, wherever it is stored. */
export interface Law {
  /** Under which a kind names its exception. */
  readonly name: string;
  /** The end of a sentence that begins with the kind. */
  readonly says: string;
  /** True for a kind that the law is about. @default every kind */
  readonly isAbout?: (kind: Kind, place: string) => boolean;
  /**
   * Where `npm test` checks it. On another place the answers are those of memory, by the law of one answer: a kind that is excepted
   * from that one is checked there too.
   *
   * @default every place
   */
  readonly usually?: readonly string[];
  /** Rejects when a history breaks it. */
  check(kind: Kind, place: Place, history: readonly Step[]): Promise<void>;
}

/** Random histories of one caller. */
export function histories({ units, limits = [0] }: Kind): fc.Arbitrary<readonly Step[]> {
  const cost = fc.oneof(
    { weight: 4, arbitrary: fc.constant(Math.max(1, Math.ceil(units / 8))) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: Math.max(1, units) }) },
    { weight: 1, arbitrary: fc.nat(1) },
  );
  const ask = fc.record({
    kind: fc.constant('ask' as const),
    cost,
    blocked: fc.boolean(),
    limit: fc.nat(limits.length - 1),
    waits: fc.boolean(),
  });
  const milliseconds = fc.oneof(
    fc.integer({ min: 1, max: 20_000 }),
    fc.constant(0),
    fc.integer({ min: 1, max: 200_000 }),
  );
  const wait = fc.record({ kind: fc.constant('wait' as const), milliseconds });
  const end = fc.record({ kind: fc.constant('end' as const), which: fc.nat(9) });
  return fc.array(
    fc.oneof({ weight: 8, arbitrary: ask }, { weight: 2, arbitrary: wait }, { weight: 1, arbitrary: end }),
    { minLength: 6, maxLength: 24 },
  );
}

let users = 0;

/** A caller that no other history has. */
export function newUser(): string {
  users += 1;
  return `user ${users}`;
}
