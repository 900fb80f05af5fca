import { coveredBy, type Claim, type Policy } from '@sluice/core/internal';

/** What a request asks of a tier, as far as it matters which balance pays. */
export type Asked = Pick<Claim, 'tier' | 'policy' | 'shadow'> & Partial<Pick<Claim, 'cost'>>;

/** Which claims a request with a covering balance charges. */
export interface Payment {
  readonly isAdmitted: boolean;
  /** The place of the balance that pays. Undefined where none has to, or none can. */
  readonly payer: number | undefined;
  /** Units that the covered tier pays itself. 0: the balance pays all. */
  readonly included: number;
}

/** How long a claim waits. 0: it fits. A denial for good has the longest wait, or any below 0. */
export interface Waiting {
  readonly retryAfter: number;
  /** Whole units that are left. */
  readonly remaining?: number;
}

/** True for a balance that pays in the place of other tiers, and denies no request itself. */
export function isCovering({ policy }: Pick<Asked, 'policy'>): boolean {
  return coveredBy(policy) !== undefined;
}

/** True for a balance that pays the rest of a cost. Its Lua twin reads the number. */
export function splits({ numbers }: Policy): boolean {
  return numbers[3] === 1;
}

export function covers({ policy }: Pick<Asked, 'policy'>, { tier }: Pick<Asked, 'tier'>): boolean {
  return coveredBy(policy)?.includes(tier) === true;
}

/** A balance pays where it covers all claims that deny, and holds its cost. @param waits of the claims, in their order */
export function paymentOf(group: readonly Asked[], waits: readonly Waiting[]): Payment {
  if (waitsBeside(group, waits).length === 0) return { isAdmitted: true, payer: undefined, included: 0 };
  const payer = payerFor(group, waits);
  if (payer === undefined || waitsBeside(group, waits, group[payer]).length > 0) {
    return { isAdmitted: false, payer: undefined, included: 0 };
  }
  return { isAdmitted: true, payer, included: includedBy(group, waits, payer) };
}

/** Whether a claim is one of those that a payment charges. */
export function isChargedBy({ isAdmitted, payer }: Payment, group: readonly Asked[], place: number): boolean {
  const claim = group[place]!;
  if (isCovering(claim)) return place === payer;
  return isAdmitted && (payer === undefined || !covers(group[payer]!, claim));
}

/** The place of the first balance with which the request fits soonest. Tiers that no balance covers change nothing of the choice. */
export function payerFor(group: readonly Asked[], waits: readonly Waiting[]): number | undefined {
  let payer: number | undefined;
  let shortest = waitsBeside(group, waits);
  if (shortest.length === 0) return undefined;
  for (const [place, claim] of group.entries()) {
    if (!isCovering(claim) || !holds(group, waits, place)) continue;
    const own = waitsBeside(group, waits, claim);
    if (isShorter(own, shortest)) [payer, shortest] = [place, own];
  }
  return payer;
}

/** Whether a balance holds what it has to pay. */
function holds(group: readonly Asked[], waits: readonly Waiting[], place: number): boolean {
  const { retryAfter, remaining = 0 } = waits[place]!;
  const included = includedBy(group, waits, place);
  return retryAfter === 0 || (included > 0 && remaining >= (group[place]!.cost ?? 0) - included);
}

/** Units that the tier has which a balance covers, where the balance pays only the rest. */
function includedBy(group: readonly Asked[], waits: readonly Waiting[], place: number): number {
  const balance = group[place]!;
  if (!splits(balance.policy)) return 0;
  const covered = group.findIndex((each) => covers(balance, each));
  const { cost = 0, shadow = true } = group[covered] ?? {};
  const { retryAfter = 0, remaining = 0 } = waits[covered] ?? {};
  return !shadow && retryAfter !== 0 && cost === balance.cost && remaining < cost ? remaining : 0;
}

/** The waits of the tiers that still deny where a balance pays, longest first. @param payer @default none pays */
function waitsBeside(group: readonly Asked[], waits: readonly Waiting[], payer?: Asked): readonly number[] {
  const still: number[] = [];
  for (const [place, claim] of group.entries()) {
    const { retryAfter } = waits[place]!;
    if (retryAfter === 0 || claim.shadow || isCovering(claim)) continue;
    if (payer === undefined || !covers(payer, claim)) still.push(retryAfter);
  }
  return still.toSorted((one, other) => other - one);
}

function isShorter(waits: readonly number[], others: readonly number[]): boolean {
  const place = others.findIndex((wait, index) => wait !== waits[index]);
  return place >= 0 && (place >= waits.length || waits[place]! < others[place]!);
}
