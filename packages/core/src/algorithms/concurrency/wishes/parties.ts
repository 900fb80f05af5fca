import type { PermitPolicy } from '../permit-policy.js';

/** Which parties of a limit wish units: callers that share it, and processes in which requests wait. */
export type PartyKind = '|' | '~';

/** A wish of a caller counts so many times as long as `retry`, because a client comes back a little later than that. */
export const WISH_LASTS = 2;
/** A process that waits asks more often than that. */
const MARK_LASTS = 1_000;
/** A process that has waited for a shorter time is not let in: units are handed over a few times a second. */
const MARK_COUNTS_FROM = 250;
const PROCESS_LENGTH = 8;

/** Which party the name of a unit or of a wish is of. */
export interface PartyId {
  readonly id: string;
  readonly weight: number;
}

/** The caller or the process for which a claim is made. Times are milliseconds. */
export interface Party extends PartyId {
  readonly kind: PartyKind;
  /** Of its wish. */
  readonly name: string;
  /** How long its wish counts. */
  readonly lasts: number;
  /** The age from which it counts. */
  readonly from: number;
  /** Others of it wait, so that its wish stays when one of them is admitted. */
  readonly stays: boolean;
}

/** Undefined for a unit that was given before the limit was shared. */
export function partyIn(kind: PartyKind, name: string): PartyId | undefined {
  if (kind === '|') {
    const found = /\|(\d+)\|(\d+)/.exec(name);
    return found === null ? undefined : { id: found[2]!, weight: Number(found[1]) };
  }
  const from = name.startsWith('~') ? 1 : 0;
  return { id: name.slice(from, from + PROCESS_LENGTH), weight: 1 };
}

/** @param permit the name of the units. Undefined for a peek */
export function partiesOf({ caller, retry }: PermitPolicy, permit: string | undefined): readonly Party[] {
  const parties: Omit<Party, keyof PartyId>[] = [];
  const others = permit && /!(\d)/.exec(permit)?.[1];
  if (caller !== undefined) {
    parties.push({ kind: '|', name: caller, lasts: WISH_LASTS * retry, from: 0, stays: others === '2' });
  }
  if (others) {
    const name = `~${permit.slice(0, PROCESS_LENGTH)}`;
    parties.push({ kind: '~', name, lasts: MARK_LASTS, from: MARK_COUNTS_FROM, stays: others !== '0' });
  }
  return parties.map((party) => ({ ...party, ...partyIn(party.kind, party.name)! }));
}

/** How long a wish of this name counts. */
export function lastsOf(name: string, { retry }: PermitPolicy): number {
  return name.startsWith('~') ? MARK_LASTS : WISH_LASTS * retry;
}
