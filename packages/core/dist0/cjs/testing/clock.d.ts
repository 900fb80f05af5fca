import { type Duration } from '../model/duration.js';
/** A clock that stands still until it is told otherwise: `memoryStore({ clock: fakeClock() })`. */
export interface FakeClock {
    /** Milliseconds since 1970, with fractions down to a microsecond. */
    (): number;
    /** Lets time pass. */
    advance(duration: Duration): void;
    /** Sets the clock forward, or back by a negative number of milliseconds, as an operator or a failover does. */
    step(duration: Duration): void;
    /** @param milliseconds since 1970 */
    set(milliseconds: number): void;
}
/** @param startMilliseconds since 1970. Numbers of milliseconds may have fractions down to a microsecond. */
export declare function fakeClock(startMilliseconds?: number): FakeClock;
//# sourceMappingURL=clock.d.ts.map