import type { Claim } from '../../model/claim.js';
import type { StoreError } from '../../model/errors.js';
import type { Answer } from '../store.js';
import { mergeAnswers, type SlotCalls } from './slot-calls.js';

/**
 * Consumes a group whose keys lie in several slots: all parts go out at the same time, and when one denies or fails,
 * what the others took is given back. Never more is admitted than the limits allow; for a moment less can be. Nothing is
 * waited for when the time of the request is over.
 */
export async function consumeAcrossTags(
  calls: SlotCalls,
  group: readonly Claim[],
  parts: readonly (readonly Claim[])[],
): Promise<Answer> {
  const time = calls.timeLimit();
  try {
    return await consumeInTime(calls, group, parts, time.over);
  } finally {
    time.stop();
  }
}

async function consumeInTime(
  calls: SlotCalls,
  group: readonly Claim[],
  parts: readonly (readonly Claim[])[],
  over: Promise<void>,
): Promise<Answer> {
  // No part knows whether the request will be admitted, and a text is kept only then.
  const settled = await Promise.allSettled(parts.map((part) => calls.consume(part.map(withoutRecord))));
  const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failure = settled.find((each) => each.status === 'rejected');
  if (failure) {
    // The caller is told of the failure, and waits for no second one on the way back.
    calls.refund(answers.flatMap((each) => each.receipts)).catch(() => undefined);
    throw failure.reason as StoreError;
  }
  const answer = mergeAnswers(group, parts, answers);
  if (answer.outcomes.some((outcome) => !outcome.allowed && !outcome.shadow)) {
    const kept = countedOnly(group, answer);
    // Denied it is, whatever becomes of what was taken, and however long that takes.
    return (await Promise.race([giveBack(calls, group, answer).catch(() => undefined), over])) ?? kept;
  }
  const charged = new Set(answer.receipts.map(({ key }) => key));
  await Promise.race([calls.record(group.filter(({ key }) => charged.has(key))), over]);
  return answer;
}

/** Gives back what a request has taken that was denied, and looks at what is left then. */
async function giveBack(calls: SlotCalls, group: readonly Claim[], answer: Answer): Promise<Answer> {
  const kept = countedOnly(group, answer);
  const back = answer.receipts.filter((receipt) => !kept.receipts.includes(receipt));
  if (back.length === 0) return answer;
  const keys = new Set(back.map(({ key }) => key));
  await calls.refund(back);
  const refunded = group.filter(({ key }) => keys.has(key));
  const after = await calls.peek(refunded);
  const looked = new Map(refunded.map((claim, index) => [claim, after.outcomes[index]!]));
  return { ...kept, outcomes: group.map((claim, index) => looked.get(claim) ?? answer.outcomes[index]!) };
}

/** A denied request has charged nothing but what counts denied requests. */
function countedOnly(group: readonly Claim[], answer: Answer): Answer {
  const counted = new Set(group.filter(({ countDenied }) => countDenied).map(({ key }) => key));
  return { ...answer, receipts: answer.receipts.filter(({ key }) => counted.has(key)) };
}

function withoutRecord(claim: Claim): Claim {
  return claim.record === undefined ? claim : { ...claim, record: undefined };
}
