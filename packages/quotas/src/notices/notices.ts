import {
  channels,
  digestIn,
  isPromise,
  kindOfError,
  type Labels,
  type Layer,
  type Notice,
  type OnNotice,
  type ReachedMark,
  warn,
} from '@sluice/core/internal';

/** Publishes the marks that charges reach. */
export function noticeLayer(onNotice: OnNotice | undefined): Layer {
  return {
    // A notice is given once, also of a request that is undone, or whose reply is late.
    before(passage) {
      const { labels, patience, trace, brought, onReached: others } = passage.facts ?? {};
      const onReached = (reached: readonly ReachedMark[]) => {
        publish(reached, labels, onNotice);
        others?.(reached);
      };
      passage.facts = { labels, patience, trace, brought, onReached };
      return undefined;
    },
    onAnswer({ facts }, answer) {
      if (answer.reached !== undefined) publish(answer.reached, facts?.labels, onNotice);
      return answer;
    },
  };
}

function publish(reached: readonly ReachedMark[], labels: Labels, onNotice: OnNotice | undefined): void {
  for (const { key, ...mark } of reached) {
    // A balance never ends, and tells its marks by itself.
    if (mark.endsAt === 0) continue;
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
    if (isPromise(heard)) heard.then(undefined, warnOfListener);
  } catch (error) {
    warnOfListener(error);
  }
}

function warnOfListener(error: unknown): void {
  const failure = `has failed with ${kindOfError(error)}`;
  warn('SLUICE_NOTICE_FAILED', `limiter: onNotice ${failure}, and the notice is not repeated: catch errors in it`);
}
