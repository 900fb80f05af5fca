import type { GateResponse } from '../gate-response.js';
/** Lets scripts of another origin read headers, besides those that they may read already. */
export declare function expose(response: GateResponse, names: readonly string[]): void;
//# sourceMappingURL=expose.d.ts.map