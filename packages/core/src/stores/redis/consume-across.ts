import type { Claim } from '../../model/claim.js';
import type { StoreError } from '../../model/errors.js';
import type { Answer } from '../store.js';
import { mergeAnswers, type SlotCalls } from './slot-calls.js';

/**
 * Consumes a group whose keys lie in several slots: all parts go out at the same time, and when one denies or fails,
 * what the others took is given back. Never more is admitted than the limits allow; for a moment less can be.
 */
export async function consumeAcross(
  calls: SlotCalls,
  group: readonly Claim[],
  parts: readonly (readonly Claim[])[],
): Promise<Answer> {
  // No part knows whether the request will be admitted, and a text is kept only then.
  const settled = await Promise.allSettled(parts.map((part) => calls.consume(part.map(withoutRecord))));
  const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failure = settled.find((each) => each.status === 'rejected');
  if (failure) {
    // The caller is told of the failure, and not of a second one on the way back.
    await calls.refund(answers.flatMap((each) => each.receipts)).catch(() => 0);
    throw failure.reason as StoreError;
  }
  const answer = mergeAnswers(group, parts, answers);
  if (answer.outcomes.some((outcome) => !outcome.allowed && !outcome.shadow)) return giveBack(calls, group, answer);
  const charged = new Set(answer.receipts.map(({ key }) => key));
  await calls.record(group.filter(({ key }) => charged.has(key)));
  return answer;
}

/** The answer of a request that was denied, once it has charged nothing but what counts denied requests. */
async function giveBack(calls: SlotCalls, group: readonly Claim[], answer: Answer): Promise<Answer> {
  const counted = new Set(group.filter(({ countDenied }) => countDenied).map(({ key }) => key));
  const back = answer.receipts.filter(({ key }) => !counted.has(key));
  if (back.length === 0) return answer;
  const receipts = answer.receipts.filter(({ key }) => counted.has(key));
  const keys = new Set(back.map(({ key }) => key));
  try {
    await calls.refund(back);
    const refunded = group.filter(({ key }) => keys.has(key));
    const after = await calls.peek(refunded);
    const looked = new Map(refunded.map((claim, index) => [claim, after.outcomes[index]!]));
    return { ...answer, outcomes: group.map((claim, index) => looked.get(claim) ?? answer.outcomes[index]!), receipts };
  } catch {
    // Denied it is, whatever becomes of what was taken.
    return { ...answer, receipts };
  }
}

function withoutRecord(claim: Claim): Claim {
  return claim.record === undefined ? claim : { ...claim, record: undefined };
}
