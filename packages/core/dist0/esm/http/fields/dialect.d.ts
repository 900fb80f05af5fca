import type { DialectName } from './dialect-name.js';
import type { Standing } from './standing.js';
/** A header field: its name and its value. */
export type Field = readonly [name: string, value: string];
export interface Dialect {
    /** @param now milliseconds since 1970 */
    readonly fields: (standing: Standing, now: number) => readonly Field[];
}
/**
 * `draft-*` are versions of https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/. Reset is a moment,
 * in seconds since 1970, in `x-ratelimit`, as GitHub and most public APIs have it, and a time to wait in the drafts.
 */
export declare const dialects: Readonly<Record<DialectName, Dialect>>;
//# sourceMappingURL=dialect.d.ts.map