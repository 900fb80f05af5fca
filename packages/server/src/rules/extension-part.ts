import type { PolicyFeature } from '@sluice/policies';

/** What a program brings to a file of policies. */
export type PolicyExtension = Extract<PolicyFeature, { readonly extension: string }>;

/** The part of the file that it reads. */
export type ExtensionPart = Parameters<PolicyExtension['read']>[0];

/** A tier as the file has it. */
export type ExtendedTier = ExtensionPart['tiers'] extends ReadonlyMap<string, infer Tier> ? Tier : never;
