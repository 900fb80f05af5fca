import { type AuditEvent, digestIn, reportAct } from '@sluice/core/internal';
import type { FoundBalance } from './find-balance.js';
import type { Posting } from './posting.js';

/** Whose balance a posting has changed. */
interface Posted {
  readonly tier: string;
  readonly digest: string;
  readonly partition: string | undefined;
}

/** Reports what a person has done to a balance, as its posting has it: to the list of the store, and as `sluice:audit`. */
export function reportPosting(store: object, { key, tier }: FoundBalance, posting: Posting): void {
  const partition = /\{([\w-]{22})\}:[\w-]{22}:/.exec(key)?.[1];
  const act = actOfPosting(posting, { tier, digest: digestIn(key, tier), partition });
  if (act !== undefined) reportAct(store, act);
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
