import type { Limiter } from '../limiter/limiter.js';
import type { MaybePromise } from '../model/maybe-promise.js';
import type { Admission } from './admission.js';
import type { DialectName } from './fields/dialect-name.js';
import type { GateOptions } from './gate-options.js';
import type { GateResponse } from './gate-response.js';
import type { Passage } from './passage.js';
import { type HttpRequest } from './request.js';
/** What a gate does with every request. */
export interface Terms<S> {
    readonly limiter: Limiter<S>;
    readonly options: GateOptions<S, unknown>;
    readonly dialects: readonly DialectName[];
}
/** A request that is none of the gate's business goes on. */
export declare const NOT_COUNTED: Admission;
/** A request at one gate. */
export declare class Visit<S extends HttpRequest> {
    #private;
    constructor(terms: Terms<S>, request: S, response: GateResponse, passage: Passage);
    admission(): MaybePromise<Admission>;
}
//# sourceMappingURL=visit.d.ts.map