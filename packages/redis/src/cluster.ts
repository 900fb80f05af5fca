import {
  type Answer,
  changedClaim,
  chargedFor,
  chargingOf,
  type Claim,
  coveredBy,
  impossibleIn,
  isAdmitted,
  type LeakyBucketPolicy,
  type Receipt,
  type StoreError,
  undoOf,
} from '@sluice/core/internal';
import { hashTag } from './client/hash-tag.js';
import { HeldMarks } from './held-marks.js';

/** The calls of a store on a Cluster that a request over several hash tags needs. */
export interface TagCalls {
  /** @param group claims of one hash tag */
  consume(group: readonly Claim[]): PromiseLike<Answer>;
  peek(group: readonly Claim[]): Promise<Answer>;
  refund(receipts: readonly Receipt[]): Promise<number>;
  /** Stores the texts of an admitted request. It does not reject. */
  record(claims: readonly Claim[]): Promise<unknown>;
  /** Tells marks that are held back, by a claim without cost. */
  tell(claim: Claim): PromiseLike<unknown>;
  /** In milliseconds. */
  readonly deadline: number;
}

/** Splits items by hash tag, because a call on a Cluster takes the keys of one slot only. */
export function splitByTag<T extends { readonly key: string }>(items: readonly T[]): readonly (readonly T[])[] {
  const parts = new Map<string, T[]>();
  for (const item of items) {
    const tag = hashTag(item.key);
    const part = parts.get(tag);
    if (part) part.push(item);
    else parts.set(tag, [item]);
  }
  return [...parts.values()];
}

/** Combines the answers of parts, with the outcomes in the order of the group. */
export function mergeAnswers(
  group: readonly Claim[],
  parts: readonly (readonly Claim[])[],
  answers: readonly Answer[],
): Answer {
  const outcomes = new Map(
    parts.flatMap((part, index) => part.map((claim, place) => [claim, answers[index]!.outcomes[place]!] as const)),
  );
  const reached = answers.flatMap((answer) => answer.reached ?? []);
  return {
    outcomes: group.map((claim) => outcomes.get(claim)!),
    receipts: answers.flatMap(({ receipts }) => receipts),
    source: 'redis',
    sentAt: Math.min(...answers.map(({ sentAt = -Infinity }) => sentAt)),
    ...(reached.length > 0 && { reached }),
  };
}

/**
 * Consumes a group of several hash tags. All parts are sent at the same time, except a queue, which follows when the
 * others admit. If one of them denies or fails, the others are undone: docs/decisions/0006-cluster-by-hash-tag.md. It
 * never admits more than the limits allow, and takes at most the deadline, or two with a queue.
 */
export async function consumeAcrossTags(calls: TagCalls, given: readonly Claim[]): Promise<Answer> {
  const marks = new HeldMarks(given);
  const { group } = marks;
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<void>((resolve) => (timer = setTimeout(resolve, calls.deadline)));
  try {
    const answer = await consumeParts(calls, group);
    if (!isAdmitted(answer.outcomes)) {
      const denied = withoutUndone(group, answer);
      // The request is denied even if an undo or a strike fails or takes too long.
      const settled = strike(calls, group, answer)
        .catch(() => answer)
        .then((struck) => compensate(calls, group, struck))
        .catch(() => denied);
      const after = (await Promise.race([settled, expired])) ?? denied;
      await Promise.race([tell(calls, marks.dueOf(after)), expired]);
      return marks.answer(after);
    }
    const charged = new Set(answer.receipts.map(({ key }) => key));
    const recorded = calls.record(group.filter(({ key }) => charged.has(key)));
    await Promise.race([Promise.all([recorded, tell(calls, marks.dueOf(answer))]), expired]);
    return marks.answer(answer);
  } finally {
    clearTimeout(timer);
  }
}

async function consumeParts(calls: TagCalls, group: readonly Claim[]): Promise<Answer> {
  const queues = splitByTag(group).filter(canFollow).flat();
  const others = group.filter((claim) => !queues.includes(claim));
  if (queues.length === 0 || others.length === 0) return consumeTogether(calls, group);
  // A place in a queue comes back only while no request waits behind it, so a request takes one last.
  const first = await consumeTogether(calls, others);
  try {
    const last = isAdmitted(first.outcomes) ? await consumeTogether(calls, queues) : await calls.peek(queues);
    return mergeAnswers(group, [others, queues], [first, last]);
  } catch (error) {
    calls.refund(undoOf(first.receipts)).catch(() => undefined);
    throw error;
  }
}

async function consumeTogether(calls: TagCalls, group: readonly Claim[]): Promise<Answer> {
  const parts = splitByTag(group);
  const denial = impossibleIn(group);
  // A text is stored only with an admitted request, and no part knows the decision of the others.
  const results = await Promise.allSettled(
    parts.map((part) => calls.consume(besideDenial(part.map(withoutRecord), denial))),
  );
  const answers = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failure = results.find((each) => each.status === 'rejected');
  if (!failure) return mergeAnswers(group, parts, answers);
  // The caller gets the first error immediately, and no second one from the undo.
  calls.refund(undoOf(answers.flatMap(({ receipts }) => receipts))).catch(() => undefined);
  throw failure.reason as StoreError;
}

/** A part with a claim that denies for good, under a key of its own: so the part charges nothing that would have to be undone. */
function besideDenial(part: readonly Claim[], denial: Claim | undefined): readonly Claim[] {
  if (denial === undefined || part.some(({ tier }) => tier === denial.tier)) return part;
  return [...part, chargedFor({ ...denial, key: `${part[0]!.key}:0`, record: undefined }, 'admitted')];
}

/** Tells marks whose charges stay. Where it fails, the next charge of the key tells them. */
function tell(calls: TagCalls, due: readonly Claim[]): Promise<unknown> {
  return Promise.allSettled(due.map((claim) => calls.tell(claim)));
}

/** A part with a queue, and without a tier that a denied request charges too. */
function canFollow(part: readonly Claim[]): boolean {
  return part.some(isQueue) && part.every((claim) => chargingOf(claim) === 'admitted');
}

function isQueue({ policy }: Claim): boolean {
  return (policy as Partial<LeakyBucketPolicy>).queued === true;
}

/** Charges the bans whose hash tags do not know of the denial. */
async function strike(calls: TagCalls, group: readonly Claim[], answer: Answer): Promise<Answer> {
  const charged = new Set(answer.receipts.map(({ key }) => key));
  const denies = new Set(answer.outcomes.flatMap(({ tier, allowed }) => (allowed ? [] : [tier])));
  const bans = group.filter(
    (claim) => chargingOf(claim) === 'denied' && !charged.has(claim.key) && !denies.has(claim.tier),
  );
  if (bans.length === 0) return answer;
  const answers = await Promise.all(bans.map((ban) => calls.consume([chargedFor(ban, 'admitted')])));
  // A strike is admitted itself. The denial contains the ban that it starts, as it would within one tag.
  const after = await Promise.all(bans.map((ban) => calls.peek([ban])));
  const outcomes = after.flatMap((each) => each.outcomes);
  return {
    ...answer,
    outcomes: answer.outcomes.map((outcome) => outcomes.find(({ tier }) => tier === outcome.tier) ?? outcome),
    receipts: [...answer.receipts, ...answers.flatMap(({ receipts }) => receipts)],
  };
}

/** Undoes a denied request, and reads the outcomes of its keys again. */
async function compensate(calls: TagCalls, group: readonly Claim[], answer: Answer): Promise<Answer> {
  const denied = withoutUndone(group, answer);
  const undone = answer.receipts.filter((receipt) => !denied.receipts.includes(receipt));
  if (undone.length === 0) return answer;
  await calls.refund(undoOf(undone));
  const keys = new Set(undone.map(({ key }) => key));
  // A balance alone does not know that it would pay.
  const isChanged = (claim: Claim) =>
    group.some((each) => keys.has(each.key) && (each === claim || coveredBy(each.policy)?.includes(claim.tier)));
  const changed = group.filter(isChanged);
  const { outcomes } = await calls.peek(changed);
  const after = new Map(changed.map((claim, index) => [claim, outcomes[index]!]));
  return { ...denied, outcomes: group.map((claim, index) => after.get(claim) ?? answer.outcomes[index]!) };
}

/** The answer to a denied request: it charges only the claims that count denied requests. */
function withoutUndone(group: readonly Claim[], answer: Answer): Answer {
  const counted = new Set(group.filter((claim) => chargingOf(claim) !== 'admitted').map(({ key }) => key));
  return { ...answer, receipts: answer.receipts.filter(({ key }) => counted.has(key)) };
}

function withoutRecord(claim: Claim): Claim {
  return claim.record === undefined ? claim : changedClaim(claim, { record: undefined });
}
