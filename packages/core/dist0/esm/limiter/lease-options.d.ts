import type { Lease } from '../model/claim.js';
import type { OptionReader } from '../model/option-reader.js';
import type { Policy } from '../model/policy.js';
/** @throws ConfigError */
export declare function readLease(options: OptionReader, policy: Policy): Lease | undefined;
//# sourceMappingURL=lease-options.d.ts.map