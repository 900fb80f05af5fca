import type { Problem } from './problem.js';
/** What is sent: text, and what it is. */
export interface Body {
    readonly contentType: string;
    readonly text: string;
}
/** A problem as JSON, or as text for clients that accept only that. */
export declare function problemBody(problem: Problem, accept: string | undefined): Body;
/** A body that the application has chosen: text as text, anything else as JSON. */
export declare function ownBody(value: unknown): Body;
//# sourceMappingURL=body.d.ts.map