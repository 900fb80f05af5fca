import { chain } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { channels } from '../events/channels.js';
import type { Notice } from '../events/events.js';
import { warn } from '../events/warning.js';
import type { Claim } from '../model/claim.js';
import type { ReachedMark } from '../model/notice.js';
import type { Answer } from '../stores/store.js';
import { digestIn } from './claims/store-keys.js';

/** Hears of a notice in the process that has reached its mark. */
export type OnNotice = (notice: Notice) => unknown;

type Labels = ReadonlyMap<string, string> | undefined;

/** Publishes the marks that charges of a limiter have reached. */
export class Notices {
  readonly #onNotice: OnNotice | undefined;

  constructor(onNotice: OnNotice | undefined) {
    this.#onNotice = onNotice;
  }

  /** The same charge, which also publishes what it has reached. */
  around(charge: (claims: readonly Claim[]) => MaybePromise<Answer>) {
    return (claims: readonly Claim[], labels?: Labels): MaybePromise<Answer> => {
      const publish = (reached: readonly ReachedMark[]) => this.#publish(reached, labels);
      const telling = claims.map((claim) =>
        claim.policy.marks === undefined ? claim : { ...claim, onLateMarks: publish },
      );
      return chain(charge(telling), (answer) => {
        const { reached } = answer;
        if (reached !== undefined) publish(reached);
        return answer;
      });
    };
  }

  #publish(reached: readonly ReachedMark[], labels: Labels): void {
    for (const { key, ...mark } of reached) {
      const label = labels?.get(mark.tier);
      const notice: Notice = { ...mark, digest: digestIn(key, mark.tier), ...(label !== undefined && { label }) };
      if (channels.notice.hasSubscribers) channels.notice.publish(notice);
      this.#call(notice);
    }
  }

  /** A notice is not worth failing the request that has reached its mark. */
  #call(notice: Notice): void {
    try {
      const heard = this.#onNotice?.(notice);
      if (heard instanceof Promise) heard.catch(warnOfListener);
    } catch (error) {
      warnOfListener(error);
    }
  }
}

function warnOfListener(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  warn('SLUICE_NOTICE_FAILED', `limiter: onNotice has failed, and the notice is not repeated: ${reason}`);
}
