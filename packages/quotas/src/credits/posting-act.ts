import { type AuditEvent, digestIn } from '@sluice/core/internal';
import type { FoundBalance } from './find-balance.js';
import type { Posting } from './posting.js';

/** Whose balance a posting has changed. */
interface Posted {
  readonly tier: string;
  readonly digest: string;
  readonly partition: string | undefined;
}

/** What a person has done to a balance, as its posting has it. */
export function actOf({ key, tier }: FoundBalance, posting: Posting | undefined): AuditEvent | undefined {
  if (posting === undefined) return undefined;
  const partition = /\{([\w-]{22})\}:[\w-]{22}:/.exec(key)?.[1];
  return actOfPosting(posting, { tier, digest: digestIn(key, tier), partition });
}

/** A posting in the words of the audit. Undefined for the end of a grant, which nobody has done. */
export function actOfPosting(posting: Posting, { tier, digest, partition }: Posted): AuditEvent | undefined {
  const { id, at, kind, units, balance, expiresAt, by, reason } = posting;
  if (kind === 'expiry' || kind === 'lost') return undefined;
  return {
    id,
    at,
    operation: kind,
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
    tiers: [{ tier, digest }],
    ...(partition !== undefined && { partition }),
    detail: { units, balance, ...(expiresAt !== undefined && { expiresAt }) },
  };
}
