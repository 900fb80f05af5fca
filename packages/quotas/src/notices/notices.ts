import {
  chain,
  channels,
  type Charge,
  digestIn,
  type Notice,
  type OnNotice,
  type ReachedMark,
  warn,
} from '@sluice/core/internal';

type Labels = ReadonlyMap<string, string> | undefined;

/** The same charge, which also publishes the marks that it reaches. */
export function withNotices(charge: Charge, onNotice: OnNotice | undefined): Charge {
  return (claims, labels) => {
    const onMarks = (reached: readonly ReachedMark[]) => publish(reached, labels, onNotice);
    // A claim is made for one request, and a copy of each would double the garbage of a check.
    for (const claim of claims) if (claim.policy.marks !== undefined) claim.onMarks = onMarks;
    return chain(charge(claims, labels), (answer) => {
      if (answer.reached !== undefined) onMarks(answer.reached);
      return answer;
    });
  };
}

function publish(reached: readonly ReachedMark[], labels: Labels, onNotice: OnNotice | undefined): void {
  for (const { key, ...mark } of reached) {
    const label = labels?.get(mark.tier);
    const notice: Notice = { ...mark, digest: digestIn(key, mark.tier), ...(label !== undefined && { label }) };
    if (channels.notice.hasSubscribers) channels.notice.publish(notice);
    call(notice, onNotice);
  }
}

/** A notice is not worth failing the request that has reached its mark. */
function call(notice: Notice, onNotice: OnNotice | undefined): void {
  try {
    const heard = onNotice?.(notice);
    if (heard instanceof Promise) heard.catch(warnOfListener);
  } catch (error) {
    warnOfListener(error);
  }
}

function warnOfListener(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  warn('SLUICE_NOTICE_FAILED', `limiter: onNotice has failed, and the notice is not repeated: ${reason}`);
}
