import type { PolicyOptions } from '../../algorithms/policy-options.js';
/** Units that each sample holds. */
export declare const HELD = 5;
/** Every algorithm, as policies of five units of which none comes back while a test runs. */
export declare const SAMPLES: Readonly<Record<string, PolicyOptions>>;
//# sourceMappingURL=samples.d.ts.map