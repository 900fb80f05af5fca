import type { Policy } from '../../model/policy.js';
/** What clients are told of a policy, under the name that they are told it by. */
export interface Quota {
    readonly name: string;
    /** Units of a full budget. */
    readonly units: number;
    /** Whole seconds, rounded up, in which a full budget comes back. */
    readonly window: number;
}
/** What a tier is told by: its name, and a number where another one of that name is told before it. */
export interface Label {
    readonly tier: string;
    readonly number: number;
}
/** One quota for each window of a policy, longest first. */
export declare function quotasOf(label: Label, policy: Policy, limit: number): readonly Quota[];
/** The quota that a limit which was shown belongs to. */
export declare function bindingQuota(label: Label, policy: Policy, limit: number): Quota;
//# sourceMappingURL=quota.d.ts.map